import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class AnimationTests: XCTestCase {
    func testAnAnimationPlaysAndRepeats() throws {
        try play { test, column, view in
            // Red, then blue, twice.
            for _ in 0..<2 {
                test.turn { Self.colour(of: view) == .first }
                test.turn { Self.colour(of: view) == .second }
            }
        }
    }

    func testAnAnimationStopsWhileItIsScrolledAway() throws {
        try play { test, column, view in
            test.turn { Self.changes(of: view, test) > 3 }
            column.scroll(to: 2000)
            test.draw(view.pointer)
            // One frame may have been under way.
            XCTAssertLessThanOrEqual(Self.changes(of: view, test), 1)
            column.scroll(to: 0)
            test.turn { Self.colour(of: view) == .second }
            test.turn { Self.colour(of: view) == .first }
        }
    }

    /// It stayed still for up to a second, until it was checked again.
    func testAnAnimationThatComesBackIntoViewPlaysAtOnce() throws {
        try play { test, column, view in
            try Self.expectToPlayAtOnce(view, test) {
                column.scroll(to: 2000)
            } after: {
                column.scroll(to: 0)
            }
        }
    }

    func testAnAnimationInAWindowThatIsNoLongerSuspendedPlaysAtOnce() throws {
        try play(in: SuspendableWindow.make) { test, _, view in
            defer { SuspendableWindow.isSuspended = false }
            try Self.expectToPlayAtOnce(view, test) {
                SuspendableWindow.set(true, around: view.pointer)
            } after: {
                SuspendableWindow.set(false, around: view.pointer)
            }
        }
    }

    func testAnAnimationPlaysAtOnceWhenTheDesktopAllowsIt() throws {
        try play { test, _, view in
            let desktop = FakeDesktop()
            let follower = DesktopFollower(desktop, network: NetworkConditions())
            follower.start()
            try Self.expectToPlayAtOnce(view, test) {
                desktop.state.isPowerSaving = true
            } after: {
                desktop.state.isPowerSaving = false
            }
            try Self.expectToPlayAtOnce(view, test) {
                DesktopAnimations.set(false, for: view)
            } after: {
                DesktopAnimations.set(true, for: view)
            }
        }
    }

    @MainActor
    private static func expectToPlayAtOnce(
        _ view: RemoteImageView, _ test: GtkFixture, pausing: () -> Void, after resuming: () -> Void,
        line: UInt = #line
    ) throws {
        pausing()
        test.turn { AnimationPlayback.pausingCount == 1 }
        resuming()
        // A view that was scrolled away is drawn again.
        test.turn { colour(of: view) != .other }
        let frozen = colour(of: view)
        var frameCount = 0
        while colour(of: view) == frozen, frameCount < 30 {
            test.draw(view.pointer)
            frameCount += 3
        }
        XCTAssertLessThanOrEqual(frameCount, 9, line: line)
    }

    func testAnAnimationStopsWhileDesktopAnimationsAreOff() throws {
        try play { test, _, view in
            DesktopAnimations.set(false, for: view)
            defer { DesktopAnimations.set(true, for: view) }
            test.draw(view.pointer)
            XCTAssertLessThanOrEqual(Self.changes(of: view, test), 1)
            DesktopAnimations.set(true, for: view)
            test.turn { Self.changes(of: view, test) > 3 }
        }
    }

    /// GTK 4.8 does not report suspended windows; the test replaces the property of later versions.
    func testAnAnimationStopsInASuspendedWindow() throws {
        try play(in: SuspendableWindow.make) { test, _, view in
            test.turn { Self.changes(of: view, test) > 3 }
            SuspendableWindow.set(true, around: view.pointer)
            defer { SuspendableWindow.isSuspended = false }
            test.draw(view.pointer)
            XCTAssertLessThanOrEqual(Self.changes(of: view, test), 1)
            SuspendableWindow.set(false, around: view.pointer)
            test.turn { Self.changes(of: view, test) > 3 }
        }
    }

    func testAnAnimationStopsWhilePowerIsSaved() throws {
        try play { test, _, view in
            let desktop = FakeDesktop()
            let follower = DesktopFollower(desktop, network: NetworkConditions())
            follower.start()
            desktop.state.isPowerSaving = true
            defer { desktop.state.isPowerSaving = false }
            test.draw(view.pointer)
            XCTAssertLessThanOrEqual(Self.changes(of: view, test), 1)
            desktop.state.isPowerSaving = false
            test.turn { Self.changes(of: view, test) > 3 }
        }
    }

    func testAnAnimationThatDoesNotPlayShowsItsFirstFrame() throws {
        var options = ImageOptions()
        options.playsAnimation = false
        try play(options) { test, _, view in
            XCTAssertEqual(Self.colour(of: view), .first)
            XCTAssertEqual(Self.changes(of: view, test), 0)
        }
    }

    // MARK: Observation

    private enum Colour {
        case first, second, other
    }

    /// A view in a column of other views, during its animation.
    private func play(
        _ options: ImageOptions = ImageOptions(),
        in window: @MainActor () -> UnsafeMutablePointer<GtkWidget>? = { gtk_window_new() },
        _ body: @MainActor (GtkFixture, TestColumn, RemoteImageView) throws -> Void
    ) throws {
        try GtkFixture.run { test in
            let transport = FakeTransport { _ in .ok(TwoFrames.bytes) }
            let pipeline = ImagePipeline.test(transport, decoder: GIFDecoder())
            let views = (0..<60).map { number in
                let source = number == 0 ? ImageSource("http://test/moving.gif") : nil
                let view = RemoteImageView(
                    NetworkImage(source, options: options) { Picture($0, contentFit: .fill) }, pipeline: pipeline)
                test.watch(view.content, "view \(number)")
                gtk_widget_set_size_request(view.pointer, 50, 50)
                return view
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            test.show(column.widget.pointer, width: 100, height: 200, in: window())
            test.turn { views[0].model.phase.kind == .success }
            test.draw(views[0].pointer)
            try body(test, column, views[0])
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    @MainActor
    private static func colour(of view: RemoteImageView) -> Colour {
        guard let middle = try? Drawing(view.pointer).middle else { return .other }
        if middle[0] > 200, middle[2] < 50 { return .first }
        return middle[2] > 200 && middle[0] < 50 ? .second : .other
    }

    /// How often the view's colour changes within 15 frames of its clock.
    @MainActor
    private static func changes(of view: RemoteImageView, _ test: GtkFixture) -> Int {
        var (last, count) = (colour(of: view), 0)
        for _ in 0..<15 {
            test.draw(view.pointer)
            let new = colour(of: view)
            if new != last { count += 1 }
            last = new
        }
        return count
    }
}

/// A GIF of two frames of 4 × 4 pixels, red and blue, 60 ms each, in an endless loop (GIF89a
/// specification).
private enum TwoFrames {
    static var bytes: [UInt8] {
        let size: [UInt8] = [4, 0, 4, 0]
        var file = Array("GIF89a".utf8) + size + [0xF6, 0, 0]
        file += [255, 0, 0, 0, 0, 255] + [UInt8](repeating: 0, count: 126 * 3)
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for colour: UInt8 in [0, 1] {
            file += [0x21, 0xF9, 4, 4, 6, 0, 0, 0, 0x2C, 0, 0, 0, 0] + size + [0]
            // Codes of eight bits: a code that clears the table, the pixels, and the end.
            file += [7, 18, 128] + [UInt8](repeating: colour, count: 16) + [129, 0]
        }
        return file + [0x3B]
    }
}
