import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The overflow of a view, which a reserved size used to set for good.
final class OverflowTests: XCTestCase {
    func testTheOverflowOfTheProgramIsRestoredWithoutAReservedSize() {
        GtkFixture.run { test in
            for overflow in [GTK_OVERFLOW_HIDDEN, GTK_OVERFLOW_VISIBLE] {
                let view = test.view(NetworkImage("http://test/a.png"))
                gtk_widget_set_overflow(view.pointer, overflow)
                test.show(view.pointer)
                Self.reserve(.points(width: 20, height: 20), in: view)
                XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_HIDDEN)
                Self.reserve(nil, in: view)
                XCTAssertEqual(gtk_widget_get_overflow(view.pointer), overflow)
            }
        }
    }

    func testTheProgramMayChangeTheOverflowOfAReservedSize() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            Self.reserve(.points(width: 20, height: 20), in: view)
            gtk_widget_set_overflow(view.pointer, GTK_OVERFLOW_VISIBLE)
            Self.reserve(.points(width: 30, height: 20), in: view)
            XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_VISIBLE)
            Self.reserve(nil, in: view)
            XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_VISIBLE)
        }
    }

    @MainActor
    private static func reserve(_ size: ReservedSize?, in view: RemoteImageView) {
        view.image.options.reservedSize = size
    }
}
