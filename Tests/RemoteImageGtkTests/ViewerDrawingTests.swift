import CRemoteImageGtk
import Glibc
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// What a viewer draws after each step of a user. It used to draw the top left corner of the image
/// after each zoom, while the scroll bars were right.
final class ViewerDrawingTests: XCTestCase {
    func testKeysDrawThePartInTheCenter() throws {
        try withViewer { test, viewer, hands in
            hands.type(GDK_KEY_1)
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { viewer.zoom == 1 }
            hands.type(GDK_KEY_plus)
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { viewer.zoom == 1.25 }
            hands.type(GDK_KEY_minus)
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { viewer.zoom == 1 }
            hands.type(GDK_KEY_0)
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { viewer.zoom == nil }
            try test.expect((0.1, 0.2), in: viewer, at: (20, 30)) { true }
        }
    }

    func testTheWheelKeepsThePointUnderThePointer() throws {
        try withViewer { test, viewer, hands in
            hands.move(to: (150, 30))
            hands.hold(GDK_KEY_Control_L)
            for step in 1...8 {
                hands.click(.wheelUp)
                try test.expect((0.75, 0.2), in: viewer, at: (150, 30)) {
                    viewer.zoom.map { abs($0 - 0.2 * pow(1.25, Double(step))) < 0.01 } == true
                }
            }
            for step in 1...7 {
                hands.click(.wheelDown)
                try test.expect((0.75, 0.2), in: viewer, at: (150, 30)) {
                    viewer.zoom.map { abs($0 - 0.2 * pow(1.25, Double(8 - step))) < 0.01 } == true
                }
            }
            hands.letGo(GDK_KEY_Control_L)
            // The wheel alone scrolls from where the image is.
            hands.type(GDK_KEY_1)
            test.turn { viewer.zoom == 1 }
            try test.expectTheDrawnPart(of: viewer)
            let top = try Place(viewer).y
            hands.click(.wheelDown)
            test.turn { (try? Place(viewer).y).map { $0 > top } == true }
            try test.expectTheDrawnPart(of: viewer)
            XCTAssertLessThan(try Place(viewer).y - top, 150)
        }
    }

    func testADoubleClickKeepsItsPoint() throws {
        try withViewer { test, viewer, hands in
            hands.move(to: (60, 100))
            hands.click()
            hands.click()
            try test.expect((0.3, 2.0 / 3), in: viewer, at: (60, 100)) { viewer.zoom == 1 }
        }
    }

    /// The image jumped to its upper left corner.
    func testAHandThatMovesDuringADoubleClickDragsTheZoomedImage() throws {
        try withViewer { test, viewer, hands in
            let zoom = try XCTUnwrap(ViewerZoom.data[viewer.pointer])
            hands.move(to: (60, 100))
            hands.click()
            hands.press(.primary)
            try test.expect((0.3, 2.0 / 3), in: viewer, at: (60, 100)) { viewer.zoom == 1 }
            let before = zoom.position
            hands.move(to: (70, 105))
            test.turn { zoom.position != before }
            hands.release(.primary)
            try test.expect((0.3, 2.0 / 3), in: viewer, at: (70, 105)) { true }
        }
    }

    func testAPinchKeepsItsPoint() throws {
        try withViewer { test, viewer, _ in
            let pinch = ViewerInput.Pinch(try XCTUnwrap(ViewerZoom.data[viewer.pointer]))
            pinch.begin()
            for scale in [2.0, 4, 10, 7] {
                pinch.spread(by: scale, around: (40, 120))
                try test.expect((0.2, 0.8), in: viewer, at: (40, 120)) { true }
            }
        }
    }

    func testABindingAndScrollingDrawTheirPart() throws {
        try withViewer { test, viewer, _ in
            viewer.zoom = 2
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { true }
            for position in [(x: 0.0, y: 0.0), (x: 1800, y: 1350), (x: 300, y: 900)] {
                let adjustments = Place.adjustments(of: viewer)
                gtk_adjustment_set_value(adjustments.x, position.x)
                gtk_adjustment_set_value(adjustments.y, position.y)
                try test.expect(((position.x + 100) / 2000, (position.y + 75) / 1500), in: viewer, at: (100, 75)) {
                    true
                }
            }
            // The edge of the image is the limit.
            viewer.zoom = 1
            try test.expectTheDrawnPart(of: viewer)
            viewer.zoom = 0.1
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { viewer.zoom == nil }
        }
    }

    func testDraggingAndArrowKeysDrawTheirPart() throws {
        try withViewer { test, viewer, hands in
            viewer.zoom = 1
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { true }
            hands.move(to: (120, 100))
            hands.press(.primary)
            for point in [(90.0, 80.0), (60, 60)] {
                test.draw(viewer.pointer)
                hands.move(to: point)
            }
            try test.expect((0.56, 0.4 + 0.14 + 1 / 75), in: viewer, at: (100, 75), accuracy: 0.02) {
                (try? Place(viewer)).map { abs($0.x - 460) < 3 } == true
            }
            hands.release(.primary)
            hands.type(GDK_KEY_Right)
            try test.expect((0.6, 0.55), in: viewer, at: (100, 75), accuracy: 0.02) {
                (try? Place(viewer)).map { abs($0.x - 500) < 3 } == true
            }
        }
    }

    /// Drag and drop of the image used to begin.
    func testDraggingMovesTheImageOfAViewerWithAMenu() throws {
        try withViewer { test, viewer, hands in
            viewer.view?.hasContextMenu = true
            viewer.zoom = 1
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { true }
            hands.move(to: (120, 100))
            hands.press(.primary)
            for point in [(90.0, 80.0), (60, 60)] {
                test.draw(viewer.pointer)
                hands.move(to: point)
            }
            try test.expect((0.56, 0.4 + 0.14 + 1 / 75), in: viewer, at: (100, 75), accuracy: 0.02) {
                (try? Place(viewer)).map { abs($0.x - 460) < 3 } == true
            }
            hands.release(.primary)
        }
    }

    func testResizingAZoomedViewerDrawsThePartOfTheScrollBars() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            let window = test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(TestImage.positions, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            viewer.zoom = 1
            try test.expect((0.5, 0.5), in: viewer, at: (100, 75)) { true }
            for size in [(300, 200), (150, 250), (201, 151)] {
                window.resize(width: size.0, height: size.1)
                test.turn { gtk_widget_get_width(viewer.pointer) == gint(size.0) }
                try test.expectTheDrawnPart(of: viewer)
            }
        }
    }

    /// The image comes from memory, before the viewer has a size.
    func testAZoomBeforeTheFirstLayoutShowsTheCenter() throws {
        try withViewer { test, viewer, _ in
            let other = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(other.content, "the other viewer")
            other.zoom = 1
            test.show(other.pointer, width: 200, height: 150)
            test.turn { other.view?.model.phase.kind == .success }
            try test.expect((0.5, 0.5), in: other, at: (100, 75)) { true }
        }
    }

    func testAFitBeginsAtTheTopOfEachImageAndStaysInWindowsOfAnySize() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(.width)
            let window = test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(TestImage.positions, width: 100, height: 2000).bytes)
            // 200 × 4000 points, for which all pixels are loaded.
            try test.transfer(2).succeed(TestImage(TestImage.positions, width: 100, height: 2000).bytes)
            try test.expect((0.5, 75.0 / 4000), in: viewer, at: (100, 75)) {
                viewer.view?.model.image?.info.decodedSize.width == 100
            }
            gtk_adjustment_set_value(Place.adjustments(of: viewer).y, 1000)
            try test.expect((0.5, 1075.0 / 4000), in: viewer, at: (100, 75)) { true }
            window.resize(width: 300, height: 200)
            // 300 × 6000 points: the first row stays the first.
            try test.expect((0.5, 1600.0 / 6000), in: viewer, at: (150, 100)) {
                gtk_widget_get_width(viewer.pointer) == 300
            }
            viewer.view?.source = "http://test/b.png"
            try test.transfer(3).succeed(TestImage(TestImage.positions, width: 100, height: 1000).bytes)
            try test.expect((0.5, 100.0 / 3000), in: viewer, at: (150, 100)) {
                viewer.view?.model.image?.info.decodedSize.height == 1000
            }
            XCTAssertNil(viewer.zoom)
        }
    }

    func testEachFitHasItsSize() throws {
        let sizes: [(RemoteImageViewer.Fit, width: Double, height: Double)] = [
            (.whole, 200, 150), (.width, 200, 150), (.height, 200, 150), (.cover, 200, 150), (.naturalSize, 1000, 750),
        ]
        for (fit, width, height) in sizes {
            try GtkFixture.run { test in
                let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(fit)
                test.show(viewer.pointer, width: 200, height: 150)
                try test.transfer().succeed(TestImage(TestImage.positions, width: 1000, height: 750).bytes)
                test.turn { (try? Place(viewer)).map { $0.width == width && $0.height == height } == true }
                try test.expectTheDrawnPart(of: viewer)
            }
        }
        for (fit, width, height) in [
            (RemoteImageViewer.Fit.width, 200.0, 400.0), (.height, 75, 150), (.cover, 200, 400),
        ] {
            try GtkFixture.run { test in
                let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(fit)
                test.show(viewer.pointer, width: 200, height: 150)
                try test.transfer().succeed(TestImage(TestImage.positions, width: 50, height: 100).bytes)
                test.turn { (try? Place(viewer)).map { $0.width == width && $0.height == height } == true }
                try test.expectTheDrawnPart(of: viewer)
            }
        }
    }

    /// A strip of the image as wide as the scroll bar used to be out of sight.
    func testAFittingImageLeavesSpaceForAScrollBarBesideIt() throws {
        for (fit, isTall) in [(RemoteImageViewer.Fit.width, true), (.height, false), (.cover, true), (.cover, false)] {
            try GtkFixture.run { test in
                let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(fit)
                test.show(viewer.pointer, width: 200, height: 150)
                gtk_scrolled_window_set_overlay_scrolling(OpaquePointer(viewer.pointer), 0)
                let size = isTall ? (width: 50, height: 100) : (width: 200, height: 50)
                try test.transfer().succeed(
                    TestImage(TestImage.positions, width: size.width, height: size.height).bytes)
                let window = OpaquePointer(viewer.pointer)
                let (horizontal, vertical) = (
                    gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)
                )
                let (fitting, longer) = isTall ? (horizontal, vertical) : (vertical, horizontal)
                test.turn { gtk_adjustment_get_upper(longer) > gtk_adjustment_get_page_size(longer) }
                test.draw(viewer.pointer)
                XCTAssertEqual(gtk_adjustment_get_upper(fitting), gtk_adjustment_get_page_size(fitting))
                XCTAssertLessThan(gtk_adjustment_get_page_size(fitting), isTall ? 200 : 150)
                try test.expectTheDrawnPart(of: viewer)
            }
        }
    }

    /// The width used to be rounded down to 12 points, at which the image is 144 points high.
    func testATallImageIsAsHighAsTheViewer() throws {
        for fit in [RemoteImageViewer.Fit.whole, .height] {
            try GtkFixture.run { test in
                let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(fit)
                test.show(viewer.pointer, width: 200, height: 150)
                try test.transfer().succeed(TestImage(TestImage.positions, width: 50, height: 600).bytes)
                test.turn { (try? Place(viewer).height) == 150 }
                test.draw(viewer.pointer)
                let drawing = try Drawing(everywhere: viewer.pointer)
                for y in [4, 145] {
                    XCTAssertEqual(Double(drawing[100, y][1]) / 255, (Double(y) + 0.5) / 150, accuracy: 0.01, "\(y)")
                }
            }
        }
    }

    /// A fit that was set while the whole image was shown used to begin in the middle of the image.
    func testAnotherFitBeginsAtTheTop() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(TestImage.positions, width: 100, height: 600).bytes)
            test.turn { (try? Place(viewer).height) == 150 }
            try XCTUnwrap(ViewerZoom.data[viewer.pointer]).fit = .width
            try test.transfer(2).succeed(TestImage(TestImage.positions, width: 100, height: 600).bytes)
            try test.expect((0.5, 75.0 / 1200), in: viewer, at: (100, 75)) { (try? Place(viewer).width) == 200 }
        }
    }

    /// A viewer of 200 × 150 points with an image of 1000 × 750 whose pixels show their position.
    private nonisolated func withViewer(_ body: @MainActor (GtkFixture, RemoteImageViewer, Hands) throws -> Void) throws
    {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(TestImage.positions, width: 1000, height: 750).bytes)
            test.turn { viewer.view.map { gtk_widget_get_width($0.pointer) == 200 } == true }
            test.turn { viewer.view?.model.phase.kind == .success }
            gtk_widget_grab_focus(viewer.pointer)
            test.draw(viewer.pointer)
            try body(test, viewer, try Hands(over: viewer.pointer))
        }
    }
}

/// The scroll position of a viewer, and the size of its image, in points.
@MainActor
private struct Place {
    let x, y, width, height: Double

    init(_ viewer: RemoteImageViewer) throws {
        let adjustments = Self.adjustments(of: viewer)
        (x, y) = (gtk_adjustment_get_value(adjustments.x), gtk_adjustment_get_value(adjustments.y))
        let view = try XCTUnwrap(viewer.view).pointer
        (width, height) = (Double(gtk_widget_get_width(view)), Double(gtk_widget_get_height(view)))
    }

    static func adjustments(
        of viewer: RemoteImageViewer
    ) -> (x: UnsafeMutablePointer<GtkAdjustment>?, y: UnsafeMutablePointer<GtkAdjustment>?) {
        let window = viewer.content.opaque
        return (gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window))
    }
}

extension GtkFixture {
    /// Waits for the condition and the next frame, and expects the viewer to draw a place of the
    /// image, each coordinate from 0 to 1, at a point.
    fileprivate func expect(
        _ place: (x: Double, y: Double), in viewer: RemoteImageViewer, at point: (x: Int, y: Int),
        accuracy: Double = 0.012, file: StaticString = #filePath, line: UInt = #line, once condition: () -> Bool
    ) throws {
        turn(file: file, line: line, until: condition)
        draw(viewer.pointer)
        let pixel = try Drawing(viewer.pointer)[point.x, point.y]
        XCTAssertEqual(Double(pixel[0]) / 255, place.x, accuracy: accuracy, "x", file: file, line: line)
        XCTAssertEqual(Double(pixel[1]) / 255, place.y, accuracy: accuracy, "y", file: file, line: line)
        try expectTheDrawnPart(of: viewer, file: file, line: line)
    }

    /// Expects the viewer to draw the part of the image at which its scroll bars are.
    fileprivate func expectTheDrawnPart(
        of viewer: RemoteImageViewer, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        draw(viewer.pointer)
        let (drawing, place) = (try Drawing(everywhere: viewer.pointer, file: file, line: line), try Place(viewer))
        // Without scroll bars that are beside the image.
        let adjustments = Place.adjustments(of: viewer)
        let page = (
            width: gtk_adjustment_get_page_size(adjustments.x), height: gtk_adjustment_get_page_size(adjustments.y)
        )
        for (x, y) in [(0.1, 0.1), (0.5, 0.5), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)] {
            let point = (x: Int(x * page.width), y: Int(y * page.height))
            let margin = (x: max(0, page.width - place.width) / 2, y: max(0, page.height - place.height) / 2)
            let (across, down) = (
                (place.x + Double(point.x) - margin.x) / place.width,
                (place.y + Double(point.y) - margin.y) / place.height
            )
            guard (0..<1).contains(across), (0..<1).contains(down) else { continue }
            let pixel = drawing[point.x, point.y]
            XCTAssertEqual(Double(pixel[0]) / 255, across, accuracy: 0.012, "x at \(point)", file: file, line: line)
            XCTAssertEqual(Double(pixel[1]) / 255, down, accuracy: 0.012, "y at \(point)", file: file, line: line)
        }
    }
}
