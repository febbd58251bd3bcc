import Glibc
import RemoteImageCore
import XCTest

@testable import RemoteImageGtk

final class BackgroundThreadTests: XCTestCase {
    /// GLib used to end the process.
    func testWorkRunsEvenIfNoThreadCanStart() {
        GtkFixture.run { test in
            var answers: [Int] = []
            for starter in [ThreadStarter { _, _ in EAGAIN }, .system] {
                BackgroundThread.run("test", starter: starter) {
                    7
                } then: {
                    answers.append($0)
                }
            }
            test.turn { answers == [7, 7] }
        }
    }
}
