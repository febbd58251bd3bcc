import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class FrameTicksTests: XCTestCase {
    func testTicksContinueUntilTheFunctionEndsThem() throws {
        try GtkFixture.run { test in
            let label = Widget(gtk_label_new("ticks"))
            test.show(label.pointer)
            var times: [Int64] = []
            let ticks = FrameTicks(of: label.pointer) { time in
                times.append(time)
                return times.count < 3
            }
            test.turn { times.count == 3 }
            XCTAssertEqual(times, times.sorted())
            try Self.expectNoMoreTicks(of: label.pointer, test) { times.count == 3 }
            ticks.stop()
        }
    }

    func testTheFunctionMayStopTheTicks() throws {
        try GtkFixture.run { test in
            let label = Widget(gtk_label_new("ticks"))
            test.show(label.pointer)
            var count = 0
            var ticks: FrameTicks?
            ticks = FrameTicks(of: label.pointer) { _ in
                count += 1
                ticks?.stop()
                return true
            }
            test.turn { count > 0 }
            try Self.expectNoMoreTicks(of: label.pointer, test) { count == 1 }
        }
    }

    /// The ticks do not own the widget: the tick callback of a freed widget must not be removed.
    func testTicksMayBeStoppedAfterTheirWidgetIsReleased() throws {
        try GtkFixture.run { test in
            var label: Widget? = test.watch(Widget(gtk_label_new("ticks")), "label")
            let ticks = FrameTicks(of: try XCTUnwrap(label).pointer) { _ in true }
            label = nil
            ticks.stop()
        }
    }

    /// Waits for two frames of the widget, counted by other ticks.
    @MainActor private static func expectNoMoreTicks(
        of widget: UnsafeMutablePointer<GtkWidget>, _ test: GtkFixture, isUnchanged: () -> Bool
    ) throws {
        var count = 0
        let other = FrameTicks(of: widget) { _ in
            count += 1
            return true
        }
        test.turn { count >= 2 }
        other.stop()
        XCTAssertTrue(isUnchanged())
    }
}
