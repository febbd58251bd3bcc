import CRemoteImageGtk
import RemoteImage
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The frames that playbacks of one animation show, in their order.
final class AnimationStreamTests: XCTestCase {
    /// Another animation may need the memory of one that pauses.
    func testFramesAreShownInTheirOrderAlsoAfterTheirMemoryWasLost() throws {
        try GtkFixture.run { test in
            // Too many frames to be kept.
            let animation = try animation([Int](repeating: 2, count: 180), side: 40)
            XCTAssertFalse(animation.keepsAllFrames)
            let screen = try Screen(animation, test)
            let budget = AnimationBudget.shared
            screen.playback.playWhileMapped()
            test.turn { screen.shown.count >= 5 }
            screen.playback.isPaused = true
            let other = budget.claim(budget.byteCount, admitted: {}, revoked: {})
            XCTAssertTrue(other.isHeld)
            XCTAssertEqual(budget.heldByteCount, budget.byteCount)
            screen.playback.isPaused = false
            XCTAssertEqual(budget.waitingCount, 1)
            budget.end(other)
            test.turn { screen.shown.count >= 15 }
            screen.playback.end()
            // The frame that is on the screen when the playback continues is not drawn again.
            XCTAssertEqual(screen.shown, (0..<UInt8(screen.shown.count)).map(\.self))
            XCTAssertEqual(budget.heldByteCount, 0)
        }
    }

    func testAPlaybackThatStartsLaterShowsTheCurrentFrameOfTheOthers() throws {
        try GtkFixture.run { test in
            // The second frame stays for ten minutes.
            let animation = try animation([2, 60_000, 2])
            let (first, second) = (try Screen(animation, test), try Screen(animation, test))
            first.playback.playWhileMapped()
            test.turn { first.shown == [0, 1] }
            let held = AnimationBudget.shared.heldByteCount
            second.playback.playWhileMapped()
            test.turn { !second.shown.isEmpty }
            first.playback.end()
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, held)
            // The time of the frame does not begin again, nor does it end.
            second.playback.isPaused = true
            second.playback.isPaused = false
            test.draw(second.widget.pointer)
            XCTAssertEqual(second.shown, [1])
            XCTAssertEqual(first.shown, [0, 1])
            second.playback.end()
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, 0)
        }
    }

    /// The next frame used to be replaced at once.
    func testTheFrameAfterALongPauseIsShownForItsWholeDelay() throws {
        try GtkFixture.run { test in
            // The first two frames stay for ten minutes each.
            let screen = try Screen(try animation([60_000, 60_000, 2]), test)
            var now = ContinuousClock.now
            AnimationStream.now = { now }
            defer { AnimationStream.now = { .now } }
            screen.playback.playWhileMapped()
            test.turn { screen.shown == [0] }
            screen.playback.isPaused = true
            now = now.advanced(by: .seconds(3600))
            screen.playback.isPaused = false
            test.turn { screen.shown.last == 1 }
            for _ in 0..<3 { test.draw(screen.widget.pointer) }
            XCTAssertEqual(screen.shown.last, 1)
            screen.playback.end()
        }
    }

    func testAPlaybackShowsOnlyTheLastPixelsOfAFrameAndNoneOnceItPauses() throws {
        try GtkFixture.run { test in
            let screen = try Screen(try animation([2, 60_000]), test)
            let pixels = [70, 80, 90, 100].map { TestImage($0, width: 4, height: 4).decoded.pixels }
            screen.playback.playWhileMapped()
            test.turn { screen.shown == [0, 1] }
            screen.playback.showInNextFrame(pixels[0])
            screen.playback.showInNextFrame(pixels[1])
            test.turn { screen.shown.count > 2 }
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 80])
            screen.playback.showInNextFrame(pixels[2])
            screen.playback.isPaused = true
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 80])
            XCTAssertEqual(AnimationPlayback.pausingCount, 1)
            screen.playback.isPaused = false
            XCTAssertEqual(AnimationPlayback.pausingCount, 0)
            test.turn { screen.shown == [0, 1, 80, 1] }
            screen.playback.showInNextFrame(pixels[3])
            screen.playback.stop()
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 80, 1])
            screen.playback.isPaused = true
            XCTAssertEqual(AnimationPlayback.pausingCount, 0, "it has stopped")
            screen.playback.start()
            XCTAssertEqual(AnimationPlayback.pausingCount, 1)
            XCTAssertTrue(screen.playback.isStarted)
            screen.playback.end()
            XCTAssertEqual(AnimationPlayback.pausingCount, 0)
            XCTAssertFalse(screen.playback.isStarted)
        }
    }

    func testAPlaybackThatPausesWaitsForNoMemory() throws {
        try GtkFixture.run { test in
            let (screen, budget) = (try Screen(try animation([2, 60_000]), test), AnimationBudget.shared)
            let other = budget.claim(budget.byteCount, admitted: {}, revoked: {})
            screen.playback.playWhileMapped()
            XCTAssertEqual(budget.waitingCount, 1)
            for _ in 0..<2 {
                screen.playback.isPaused = true
                XCTAssertEqual(budget.waitingCount, 0)
                screen.playback.isPaused = false
                XCTAssertEqual(budget.waitingCount, 1)
            }
            screen.playback.stop()
            XCTAssertEqual(budget.waitingCount, 0)
            screen.playback.start()
            XCTAssertEqual(budget.waitingCount, 1)
            budget.end(other)
            test.turn { screen.shown == [0, 1] }
            screen.playback.end()
            XCTAssertEqual(budget.heldByteCount, 0)
        }
    }

    func testAnAnimationThatHasPlayedKeepsItsLastFrameAndPlaysAgainWhenItsWidgetReturns() throws {
        try GtkFixture.run { test in
            let (screen, budget) = (try Screen(try animation([2, 2], repeats: 1), test), AnimationBudget.shared)
            screen.playback.playWhileMapped()
            test.turn { screen.shown.count >= 4 && budget.heldByteCount == 0 }
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 0, 1])
            screen.playback.isPaused = true
            screen.playback.isPaused = false
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 0, 1])
            XCTAssertEqual(budget.heldByteCount, 0)
            gtk_widget_set_visible(screen.widget.pointer, 0)
            XCTAssertFalse(screen.playback.isStarted)
            gtk_widget_set_visible(screen.widget.pointer, 1)
            test.turn { screen.shown.count >= 8 && budget.heldByteCount == 0 }
            test.draw(screen.widget.pointer)
            XCTAssertEqual(screen.shown, [0, 1, 0, 1, 0, 1, 0, 1])
            // Its widget returns after the end of the playback.
            screen.playback.end()
            gtk_widget_set_visible(screen.widget.pointer, 0)
            gtk_widget_set_visible(screen.widget.pointer, 1)
            test.draw(screen.widget.pointer)
            XCTAssertFalse(screen.playback.isStarted)
            XCTAssertEqual(screen.shown.count, 8)
        }
    }
}

/// A picture in a window, and the red values of the pixels that its paintable was told to draw.
@MainActor
private final class Screen {
    let widget = Widget(gtk_picture_new())
    let playback: AnimationPlayback
    private(set) var shown: [UInt8] = []

    init(_ animation: ImageAnimation, _ test: GtkFixture) throws {
        let paintable = try XCTUnwrap(ImagePaintable.make(TestImage(200, width: 4, height: 4).decoded))
        gtk_picture_set_paintable(widget.opaque, OpaquePointer(paintable.pointer))
        playback = AnimationPlayback(animation, paintable, widget.pointer)
        test.watch(widget, "the picture")
        test.show(widget.pointer, width: 40, height: 40)
        let object = paintable.pointer
        Signal.connect("invalidate-contents", of: object) { [weak self] in
            let instance = object.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
            guard let self, let texture = instance.pointee.texture else { return }
            let stride = Int(gdk_texture_get_width(texture)) * 4
            var pixels = [UInt8](repeating: 0, count: stride * Int(gdk_texture_get_height(texture)))
            gdk_texture_download(texture, &pixels, gsize(stride))
            // Blue, green, red, alpha on a little-endian machine.
            shown.append(pixels[2])
        }
    }
}

/// An animation whose frame `n` has the red value `n`.
///
/// - Parameters:
///   - delays: The delay of each frame in hundredths of a second.
///   - repeats: The number of plays after the first one; 0 for no end.
private func animation(_ delays: [Int], side: Int = 4, repeats: UInt8 = 0) throws -> ImageAnimation {
    var bytes = GIFFile.animation(
        delays.indices.map {
            GIFFile(width: side, height: side, pixels: [UInt8](repeating: UInt8($0), count: side * side))
        }, delay: .zero)
    let controls = bytes.indices.dropLast(5).filter { Array(bytes[$0..<$0 + 3]) == [0x21, 0xF9, 4] }
    XCTAssertEqual(controls.count, delays.count)
    for (place, delay) in zip(controls, delays) {
        (bytes[place + 4], bytes[place + 5]) = (UInt8(delay & 0xFF), UInt8(delay >> 8))
    }
    // After the header, the extension of Netscape has the number of repetitions.
    bytes[13 + 16] = repeats
    let size = PixelSize(width: side, height: side)
    return try XCTUnwrap(
        ImageAnimation(bytes, .gif, size: size, decoder: OrientedDecoder(GIFDecoder()), limits: DecodeLimits()))
}
