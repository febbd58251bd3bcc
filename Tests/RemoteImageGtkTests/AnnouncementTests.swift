import CGtk
import TestSupport
import XCTest

@testable import RemoteImageGtk

final class AnnouncementTests: XCTestCase {
    func testAFailureIsSaidUnlessThePictureIsDecorative() throws {
        try GtkFixture.run { test in
            let say = Announcement.say
            defer { Announcement.say = say }
            for isDecorative in [false, true] {
                var said: [String] = []
                Announcement.say = { message, _ in said.append(message) }
                let view = test.view(NetworkImage("http://test/\(isDecorative).png"))
                view.isDecorative = isDecorative
                test.show(view.pointer)
                try test.transfer(isDecorative ? 2 : 1).succeed([], status: 404)
                test.turn { view.model.phase.kind == .failure }
                XCTAssertEqual(said.count, isDecorative ? 0 : 1)
            }
        }
    }
}
