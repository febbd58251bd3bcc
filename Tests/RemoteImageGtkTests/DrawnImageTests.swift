// An image that is the whole content of a view has no widget: the view draws it.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

private let address = "http://test/cat.png"

final class DrawnImageTests: XCTestCase {
    func testAnImageThatIsTheWholeContentCreatesNoWidget() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0, contentFit: .fill) })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(200).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertNil(gtk_widget_get_first_child(view.pointer))
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [200, 200, 200, 255])
        }
    }

    /// Cairo draws no image with a side above 32,767 pixels.
    func testTheTextureOfAnImageThatIsLongerThanCairoAllowsIsReduced() throws {
        try GtkFixture.run { _ in
            for (height, width) in [(32_767, 400), (40_000, 328)] as [(Int, Int32)] {
                let image = TestImage(200, width: 400, height: height).decoded
                let texture = try XCTUnwrap(ImageTexture(image))
                XCTAssertEqual(gdk_texture_get_height(texture.pointer), 32_767)
                XCTAssertEqual(gdk_texture_get_width(texture.pointer), width)
            }
        }
    }

    func testAPictureAmongOtherWidgetsIsAGtkPicture() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) { image in
                    Column {
                        Picture(image)
                        Label("cat")
                    }
                })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { first(gtk_picture_get_type(), in: view.pointer) != nil }
        }
    }

    func testAnImageWithAnAlternativeTextIsAWidgetWithThatText() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0).accessibleLabel("A cat") })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { first(gtk_picture_get_type(), in: view.pointer) != nil }
            let picture = try XCTUnwrap(first(gtk_picture_get_type(), in: view.pointer))
            XCTAssertEqual(String(cString: gtk_picture_get_alternative_text(picture)), "A cat")
        }
    }

    func testAViewRequestsTheSizeThatAGtkPictureRequests() throws {
        try GtkFixture.run { test in
            for (number, fit) in [ContentFit.contain, .cover, .fill, .scaleDown].enumerated() {
                let pictures: [@MainActor (LoadedImage) -> Widget] = [
                    { Picture($0, contentFit: fit).content },
                    {
                        let widget = Picture($0, contentFit: fit).content
                        return Widget(widget.pointer)
                    },
                ]
                let views = try pictures.map { picture in
                    let view = test.view(NetworkImage("http://test/\(fit).png") { picture($0) })
                    test.show(view.pointer, width: 50, height: 50)
                    // The second view finds the image in memory.
                    if view.model.phase.kind != .success {
                        try test.transfer(number + 1).succeed(TestImage(width: 40, height: 30).bytes)
                    }
                    test.turn { view.model.phase.kind == .success }
                    return view
                }
                XCTAssertNil(gtk_widget_get_first_child(views[0].pointer))
                XCTAssertNotNil(gtk_widget_get_first_child(views[1].pointer))
                // GtkPicture did not limit scale-down before GTK 4.18.
                if fit == .scaleDown, gtk_get_minor_version() < 18 { continue }
                XCTAssertEqual(sizes(of: views[0]), sizes(of: views[1]), "\(fit)")
            }
        }
    }

    func testAViewThatScalesDownIsNeverLargerThanItsImage() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0, contentFit: .scaleDown) })
            test.show(view.pointer, width: 50, height: 50)
            try test.transfer().succeed(TestImage(width: 40, height: 30).bytes)
            test.turn { view.model.phase.kind == .success }
            let mode = Int32(GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH.rawValue)
            let widths: [Int32] = [0, 40, 0, 0, 0, 2, 0, 10, 0, 40, 0, 40]
            let heights: [Int32] = [0, 30, 0, 0, 0, 1, 0, 6, 0, 30, 0, 30]
            XCTAssertEqual(sizes(of: view), [mode] + widths + heights)
        }
    }

    // MARK: Layout

    func testAnImageThatFillsItsReservedSizeCausesNoLayout() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.reservedSize = .points(width: 60, height: 40)
            let view = test.view(
                NetworkImage(address, options: options) { image in
                    Picture(image, contentFit: .fill)
                } placeholder: {
                    test.watch(Label("before").content, "label")
                })
            test.show(CountingBox.make(view).pointer, width: 60, height: 40)
            let transfer = try test.transfer()
            // A window may be laid out again when it gets its final state and the focus.
            var (count, quietCount) = (CountingBox.layoutCount, 0)
            while quietCount < 10 {
                test.draw(view.pointer)
                quietCount = CountingBox.layoutCount == count ? quietCount + 1 : 0
                count = CountingBox.layoutCount
            }
            // A removal that an earlier test has started would include this placeholder.
            test.turn { DeferredRemoval.shared.isEmpty }
            transfer.succeed(TestImage(200, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            // The placeholder is no longer visible, and is removed later.
            XCTAssertEqual(gtk_widget_get_mapped(gtk_widget_get_first_child(view.pointer)), 0)
            XCTAssertEqual(test.aliveCount(of: "label"), 1)
            test.turn { test.aliveCount(of: "label") == 0 || CountingBox.layoutCount != count }
            XCTAssertEqual(test.aliveCount(of: "label"), 0, "its removal causes the first layout")
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [200, 200, 200, 255])
        }
    }

    func testAnImageOfAnotherSizeCausesALayout() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) {
                    Picture($0)
                } placeholder: {
                    Label("before")
                })
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            append(view.pointer, to: box)
            test.show(box.pointer, width: 300, height: 300)
            try test.transfer().succeed(TestImage(width: 120, height: 90).bytes)
            // The height that its width requires.
            test.turn { gtk_widget_get_height(view.pointer) == 225 }
        }
    }

    func testAPlaceholderThatReturnsIsShown() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.reservedSize = .points(width: 60, height: 40)
            let label = Label("before").content
            let view = test.view(
                NetworkImage(address, options: options) {
                    Picture($0)
                } placeholder: {
                    label
                })
            test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            view.source = ImageSource("http://test/dog.png")
            test.draw(view.pointer)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), label.pointer)
            XCTAssertNotEqual(gtk_widget_get_mapped(label.pointer), 0)
        }
    }

    // MARK: Drawing

    func testAViewThatIsMovedIntoSightLoadsAndIsDrawn() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            var options = ImageOptions()
            options.reservedSize = .points(width: 60, height: 100)
            options.viewportMargin = 0
            let views = (0..<20).map { number in
                test.view(
                    NetworkImage("http://test/\(number).png", options: options) { Picture($0, contentFit: .fill) })
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            test.show(column.widget.pointer, width: 60, height: 250)
            for number in 1...3 { try test.transfer(number).succeed(TestImage(200).bytes) }
            test.turn { views[0...2].allSatisfy { $0.model.phase.kind == .success } }
            test.draw(column.widget.pointer)
            // Neither its size nor the size of the column changes.
            let box = gtk_widget_get_parent(views[0].pointer)
            box?.withMemoryRebound(to: GtkBox.self, capacity: 1) {
                gtk_box_reorder_child_after($0, views[19].pointer, nil)
                gtk_box_reorder_child_after($0, views[0].pointer, views[18].pointer)
            }
            try test.transfer(4).succeed(TestImage(200).bytes)
            test.turn { views[19].model.phase.kind == .success }
            test.draw(column.widget.pointer)
            XCTAssertEqual(drawn(views), [1, 2, 19])
            column.scroll(to: 1000)
            test.draw(column.widget.pointer)
            // Moved and scrolled in one frame.
            box?.withMemoryRebound(to: GtkBox.self, capacity: 1) {
                gtk_box_reorder_child_after($0, views[0].pointer, nil)
            }
            column.scroll(to: 0)
            test.turn {
                test.draw(column.widget.pointer)
                return drawn(views) == [0, 1, 19]
            }
        }
    }

    func testAViewOutsideTheViewportIsNotDrawn() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            var options = ImageOptions()
            options.reservedSize = .points(width: 60, height: 100)
            options.viewportMargin = 10_000
            let views = (0..<20).map { number in
                test.view(
                    NetworkImage("http://test/\(number).png", options: options) { Picture($0, contentFit: .fill) })
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            test.show(column.widget.pointer, width: 60, height: 250)
            for (number, _) in views.enumerated() { try test.transfer(number + 1).succeed(TestImage(200).bytes) }
            test.turn { views.allSatisfy { $0.model.phase.kind == .success } }
            test.draw(column.widget.pointer)
            XCTAssertEqual(drawn(views), Array(0...2))
            // A view that becomes visible is drawn in the frame that shows it.
            var seen: [Int] = []
            let frame = ClockSignal("after-paint", column.widget.pointer) {
                if seen.isEmpty { seen = drawn(views) }
            }
            column.scroll(to: 1000)
            test.turn { !seen.isEmpty }
            frame.end()
            XCTAssertTrue(Set(seen).isSuperset(of: [10, 11, 12]), "\(seen)")
            test.draw(column.widget.pointer)
            // A view that only touches the edge counts as visible.
            XCTAssertEqual(drawn(views), Array(9...12))
        }
    }
}

@MainActor
private func sizes(of view: RemoteImageView) -> [Int32] {
    var sizes = [Int32(gtk_widget_get_request_mode(view.pointer).rawValue)]
    for orientation in [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL] {
        for length in [-1, 0, 1, 7, 40, 1000] as [Int32] {
            var (least, best): (Int32, Int32) = (0, 0)
            gtk_widget_measure(view.pointer, orientation, length, &least, &best, nil, nil)
            sizes += [least, best]
        }
    }
    return sizes
}

/// The numbers of the views that draw their images.
@MainActor
private func drawn(_ views: [RemoteImageView]) -> [Int] {
    views.indices.filter { (try? Drawing(views[$0].pointer).middle) == [200, 200, 200, 255] }
}

/// A box with one child that counts its layouts.
@MainActor
private enum CountingBox {
    // Unsafe: GTK uses it on the main thread only.
    nonisolated(unsafe) private(set) static var layoutCount = 0

    static func make(_ child: RemoteImageView) -> Widget {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        append(child.pointer, to: box)
        let layout = gtk_custom_layout_new(
            nil,
            { widget, orientation, size, least, best, _, _ in
                gtk_widget_measure(gtk_widget_get_first_child(widget), orientation, size, least, best, nil, nil)
            },
            { widget, width, height, _ in
                CountingBox.layoutCount += 1
                gtk_widget_allocate(gtk_widget_get_first_child(widget), width, height, -1, nil)
            })
        gtk_widget_set_layout_manager(box.pointer, layout)
        layoutCount = 0
        return box
    }
}

/// Calls back for each emission of a signal of a widget's frame clock.
@MainActor
private final class ClockSignal {
    private let clock: UnsafeMutableRawPointer?
    private var id: gulong = 0
    private let body: () -> Void

    init(_ signal: String, _ widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping () -> Void) {
        self.body = body
        clock = gtk_widget_get_frame_clock(widget).map { UnsafeMutableRawPointer($0) }
        id = shim_connect(
            clock, signal,
            { _, data in
                guard let data else { return }
                let signal = Unmanaged<ClockSignal>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { signal.body() }
            }, Unmanaged.passRetained(self).toOpaque(),
            { data, _ in
                if let data { Unmanaged<ClockSignal>.fromOpaque(data).release() }
            })
    }

    func end() {
        if id != 0 { g_signal_handler_disconnect(clock, id) }
        id = 0
    }
}
