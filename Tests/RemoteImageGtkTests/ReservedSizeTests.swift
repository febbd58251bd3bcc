import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

private let (across, down) = (GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL)

/// The lengths that views request from their parents.
final class ReservedSizeTests: XCTestCase {
    func testAReservedSizeHasItsLengths() {
        let large = Int(Int32.max) + 1
        let cases: [(ReservedSize, GtkOrientation, size: Int32, minimum: Int32, natural: Int32)] = [
            (.points(width: 30, height: 20), across, -1, 30, 30), (.points(width: 30, height: 20), down, 99, 20, 20),
            (.points(width: large, height: 20), across, -1, .max, .max), (.aspectRatio(2), down, 100, 50, 50),
            (.aspectRatio(2), down, 1, 1, 1), (.aspectRatio(2), down, -1, 0, 0), (.aspectRatio(2), down, 0, 0, 0),
            (.aspectRatio(0.5), down, 100, 200, 200), (.aspectRatio(3), down, 100, 33, 33),
            // GtkBox tries large widths, which must not have a larger height than no width at all.
            (.aspectRatio(2), down, 16_383, 8192, 8192), (.aspectRatio(2), down, 16_384, 0, 0),
            (.aspectRatio(2), across, 10, 0, 20), (.aspectRatio(2), across, 0, 0, 0),
            (.aspectRatio(2), across, -1, 0, 0), (.aspectRatio(2), across, 16_384, 0, 32_768),
            (.aspectRatio(2), across, 600_000, 0, 1_000_000), (.aspectRatio(1.25), across, 3, 0, 4),
        ]
        for (reserved, orientation, size, minimum, natural) in cases {
            let length = reserved.measure(orientation, forSize: size)
            XCTAssertEqual([length?.minimum, length?.natural], [minimum, natural], "\(reserved), \(size)")
        }
    }

    func testAnAspectRatioIsAFinitePositiveNumber() {
        for ratio in [0, -1, .infinity, -.infinity, .nan] as [Double] {
            XCTAssertFalse(ReservedSize.aspectRatio(ratio).isValid)
            XCTAssertNil(ReservedSize.aspectRatio(ratio).measure(down, forSize: 10))
        }
        XCTAssertTrue(ReservedSize.aspectRatio(.leastNonzeroMagnitude).isValid)
        XCTAssertTrue(ReservedSize.points(width: 0, height: 0).isValid)
    }

    func testAViewRequestsTheLengthsOfItsReservedSize() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png", options: ImageOptions()))
            test.show(view.pointer)
            view.image.options.reservedSize = .aspectRatio(2)
            XCTAssertEqual(gtk_widget_get_request_mode(view.pointer), GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH)
            XCTAssertEqual(lengths(of: view, across, 100), [0, 200, -1, -1])
            XCTAssertEqual(lengths(of: view, down, 100), [50, 50, -1, -1])
            view.image.options.reservedSize = .points(width: 30, height: 20)
            XCTAssertEqual(gtk_widget_get_request_mode(view.pointer), GTK_SIZE_REQUEST_CONSTANT_SIZE)
            XCTAssertEqual(lengths(of: view, across, -1), [30, 30, -1, -1])
            XCTAssertEqual(lengths(of: view, down, -1), [20, 20, -1, -1])
        }
    }

    /// One fixed side leaves the other one to the reserved aspect ratio.
    func testAFixedSideIsAsLongAsItSays() {
        GtkFixture.run { test in
            var options = ImageOptions()
            options.reservedSize = .aspectRatio(2)
            let view = test.view(NetworkImage("http://test/a.png", options: options))
            test.show(view.pointer)
            let state = view.state
            state.fixedSize = (120, nil)
            XCTAssertEqual(state.reservedSize, .aspectRatio(2))
            XCTAssertEqual(lengths(of: view, across, -1), [120, 120, -1, -1])
            XCTAssertEqual(pair(state.measure(down, forSize: -1)), [60, 60])
            XCTAssertEqual(pair(state.measure(down, forSize: 50)), [25, 25])
            XCTAssertEqual(pair(state.measure(down, forSize: 0)), [0, 0])
            state.fixedSize = (nil, 40)
            XCTAssertEqual(lengths(of: view, down, -1), [40, 40, -1, -1])
            XCTAssertEqual(pair(state.measure(across, forSize: -1)), [0, 80])
            state.fixedSize = (120, 40)
            XCTAssertEqual(state.reservedSize, .points(width: 120, height: 40))
            XCTAssertEqual(state.requestMode, GTK_SIZE_REQUEST_CONSTANT_SIZE)
            state.fixedSize = (nil, nil)
            XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_HIDDEN, "of the aspect ratio")
            view.image.options.reservedSize = .aspectRatio(0)
            XCTAssertNil(state.reservedSize)
        }
    }

    func testAFixedSideClipsTheView() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_VISIBLE)
            for size in [(width: 10 as Int?, height: nil as Int?), (nil, 10), (10, 10)] {
                view.state.fixedSize = size
                XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_HIDDEN)
                view.state.fixedSize = (nil, nil)
                XCTAssertEqual(gtk_widget_get_overflow(view.pointer), GTK_OVERFLOW_VISIBLE)
            }
        }
    }

    func testAViewWithoutContentRequestsNothing() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            test.show(view.pointer)
            XCTAssertEqual(lengths(of: view, across, -1), [0, 0, -1, -1])
            XCTAssertEqual(gtk_widget_get_request_mode(view.pointer), GTK_SIZE_REQUEST_CONSTANT_SIZE)
        }
    }

    /// A reserved size may be smaller than its content, which is then laid out in its own size.
    func testContentKeepsItsMinimumInASmallView() {
        GtkFixture.run { test in
            var options = ImageOptions()
            options.reservedSize = .points(width: 20, height: 10)
            let content = test.watch(Widget(gtk_label_new("")), "the content")
            gtk_widget_set_size_request(content.pointer, 50, 40)
            let view = test.view(
                NetworkImage("http://test/a.png", options: options) {
                    Picture($0)
                } placeholder: {
                    content
                })
            gtk_widget_set_halign(view.pointer, GTK_ALIGN_START)
            gtk_widget_set_valign(view.pointer, GTK_ALIGN_START)
            test.show(view.pointer)
            test.draw(view.pointer)
            XCTAssertEqual([gtk_widget_get_width(view.pointer), gtk_widget_get_height(view.pointer)], [20, 10])
            XCTAssertEqual([gtk_widget_get_width(content.pointer), gtk_widget_get_height(content.pointer)], [50, 40])
            view.image.options.reservedSize = .points(width: 80, height: 60)
            test.draw(view.pointer)
            XCTAssertEqual([gtk_widget_get_width(content.pointer), gtk_widget_get_height(content.pointer)], [80, 60])
        }
    }

    func testTheOptionsOfViewsHaveTheirDefaultsAndLimits() {
        var options = ImageOptions()
        XCTAssertEqual(options.viewportMargin, 200)
        XCTAssertEqual(options.disappearDelay, .milliseconds(300))
        XCTAssertEqual(options.releaseDelay, .seconds(5))
        XCTAssertNil(options.reservedSize)
        XCTAssertNil(options.targetFit)
        XCTAssertNil(options.transitionEffect)
        (options.viewportMargin, options.disappearDelay, options.releaseDelay) = (-1, .seconds(-1), .seconds(-1))
        XCTAssertEqual(options.viewportMargin, 0)
        XCTAssertEqual(options.disappearDelay, .zero)
        XCTAssertEqual(options.releaseDelay, .zero)
        (options.viewportMargin, options.disappearDelay) = (3, .milliseconds(4))
        XCTAssertEqual(options.viewportMargin, 3)
        XCTAssertEqual(options.disappearDelay, .milliseconds(4))
        options.releaseDelay = nil
        XCTAssertNil(options.releaseDelay)
    }

    @MainActor
    func testTheContentFitDecidesForWhichPixelsAnImageIsDecoded() {
        let image = NetworkImage("http://test/a.png")
        XCTAssertEqual(image.targetFit, .contain)
        for (fit, target) in [(ContentFit.contain, ContentFit.contain), (.scaleDown, .contain), (.cover, .cover)] {
            XCTAssertEqual(image.contentFit(fit).targetFit, target, "\(fit)")
            XCTAssertEqual(image.contentFit(fit).cornerRadius(3).targetFit, target, "\(fit)")
        }
        XCTAssertEqual(image.contentFit(.fill).targetFit, .cover)
        let appearance = StandardAppearance(of: image.contentFit(.cover).cornerRadius(3))
        XCTAssertEqual(appearance?.contentFit, .cover)
        XCTAssertEqual(appearance?.cornerRadius, 3)
        XCTAssertNil(StandardAppearance(of: NetworkImage("http://test/a.png") { Picture($0) }.cornerRadius(3)))
    }
}

/// The minimum and natural length, and the baselines.
@MainActor
private func lengths(of view: RemoteImageView, _ orientation: GtkOrientation, _ size: Int32) -> [Int32] {
    var (minimum, natural, first, second): (Int32, Int32, Int32, Int32) = (9, 9, 9, 9)
    gtk_widget_measure(view.pointer, orientation, size, &minimum, &natural, &first, &second)
    return [minimum, natural, first, second]
}

private func pair(_ length: (minimum: Int32, natural: Int32)) -> [Int32] { [length.minimum, length.natural] }
