import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class WidgetEnvironmentTests: XCTestCase {
    func testAViewUsesThePipelineOfItsParent() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            box.imagePipeline = test.pipeline
            let view = watched(RemoteImageView(NetworkImage("http://test/a.png") { Picture($0) }), test)
            append(view.pointer, to: box)
            test.show(box.pointer)
            try test.transfer().succeed(TestImage(7).bytes)
            test.turn { view.model.image?.content == 7 }
            XCTAssertTrue(view.model.pipeline === test.pipeline)
            XCTAssertTrue(view.content.effectiveImagePipeline === test.pipeline)
        }
    }

    func testTheNearestOptionsWinAndTheViewsOwnOptionsComeFirst() {
        GtkFixture.run { test in
            let outer = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let inner = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            var options = ImageOptions()
            options.maxPixelSize = 100
            options.priority = .high
            options.delay = .milliseconds(1)
            outer.imageOptions = options
            options = ImageOptions()
            options.maxPixelSize = 50
            options.priority = .low
            inner.imageOptions = options
            append(inner.pointer, to: outer)
            options = ImageOptions()
            options.maxPixelSize = 10
            let view = test.view(NetworkImage("http://test/a.png", options: options) { Picture($0) })
            append(view.pointer, to: inner)
            test.show(outer.pointer)
            XCTAssertEqual(view.model.options.maxPixelSize, 10)
            XCTAssertEqual(view.model.options.priority, .low)
            XCTAssertEqual(view.model.options.delay, .milliseconds(1))
            XCTAssertEqual(inner.effectiveImageOptions.maxPixelSize, 50)
            XCTAssertEqual(inner.effectiveImageOptions.delay, .milliseconds(1))
        }
    }

    func testAViewFollowsAPixelLimitAndItsRemoval() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let view = test.view(NetworkImage("http://test/a.png"))
            gtk_widget_set_size_request(view.pointer, 200, 150)
            append(view.pointer, to: box)
            test.show(box.pointer, width: 200, height: 150)
            let picture = TestImage(7, width: 400, height: 300)
            try test.transfer().succeed(picture.bytes)
            let width = 200 * Int(gtk_widget_get_scale_factor(view.pointer))
            test.turn { view.model.image?.info.decodedSize.width == width }
            var options = ImageOptions()
            options.maxPixelSize = 40
            box.imageOptions = options
            try test.transfer(2).succeed(picture.bytes)
            test.turn { view.model.image?.info.decodedSize == PixelSize(width: 40, height: 30) }
            XCTAssertEqual(view.model.image?.pixels.size, PixelSize(width: 40, height: 30))
            box.imageOptions = nil
            // The larger image is still in memory.
            test.turn { view.model.image?.info.decodedSize.width == width }
            XCTAssertEqual(test.transport.transfers.count, 2)
        }
    }

    func testViewsFollowOptionsThatAreSetLater() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            append(view.pointer, to: box)
            test.show(box.pointer)
            _ = try test.transfer()
            var options = ImageOptions()
            options.headers[.accept] = "image/png"
            box.imageOptions = options
            // Another request: it is sent with the current options.
            XCTAssertEqual(try test.transfer(2).request.headers[.accept], "image/png")
            box.imageOptions = nil
            XCTAssertTrue(view.model.options.isEmpty)
        }
    }

    func testAMovedViewUsesThePipelineOfItsNewParent() throws {
        try GtkFixture.run { test in
            let other = FakeTransport()
            let boxes = (0..<2).map { _ in Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }
            boxes[0].imagePipeline = test.pipeline
            boxes[1].imagePipeline = .test(other)
            let window = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for box in boxes { append(box.pointer, to: window) }
            let view = watched(RemoteImageView(NetworkImage("http://test/a.png") { Picture($0) }), test)
            append(view.pointer, to: boxes[0])
            test.show(window.pointer)
            let transfer = try test.transfer()
            gtk_widget_unparent(view.pointer)
            append(view.pointer, to: boxes[1])
            test.turn { transfer.isCancelled && other.transfers.count == 1 }
            XCTAssertTrue(view.model.pipeline === boxes[1].imagePipeline)
        }
    }

    func testAnApplicationsOwnWidgetsAreNotifiedOfChanges() {
        GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let label = Widget(gtk_label_new("mine"))
            append(label.pointer, to: box)
            var count = 0
            var observation: ObservationToken? = label.observeImageEnvironment { count += 1 }
            box.imagePipeline = test.pipeline
            XCTAssertEqual(count, 1)
            test.show(box.pointer)
            XCTAssertEqual(count, 2, "it has moved into a window")
            XCTAssertTrue(label.effectiveImagePipeline === test.pipeline)
            withExtendedLifetime(observation) {}
            observation = nil
            box.imageOptions = ImageOptions()
            XCTAssertEqual(count, 2)
        }
    }

    func testEachObserverBelowAWidgetIsToldOfEachChangeOnce() {
        GtkFixture.run { test in
            let (outer, inner) = (
                Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)), Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            )
            let labels = ["a", "b", "c"].map { (text: String) in Widget(gtk_label_new(text)) }
            append(inner.pointer, to: outer)
            append(labels[0].pointer, to: outer)
            for label in labels.dropFirst() { append(label.pointer, to: inner) }
            var log: [String] = []
            let observations = [
                ("outer", outer), ("a", labels[0]), ("b", labels[1]), ("c", labels[2]), ("c", labels[2]),
            ]
            .map { name, widget in widget.observeImageEnvironment { log.append(name) } }
            test.show(outer.pointer)
            log = []
            var options = ImageOptions()
            options.maxPixelSize = 7
            outer.imageOptions = options
            XCTAssertEqual(log.sorted(), ["a", "b", "c", "c", "outer"])
            XCTAssertEqual(log.first, "outer")
            log = []
            outer.imageOptions = options
            XCTAssertEqual(log, [], "equal options are no change")
            inner.imagePipeline = test.pipeline
            XCTAssertEqual(log, ["b", "c", "c"])
            log = []
            inner.imagePipeline = test.pipeline
            XCTAssertEqual(log, [])
            XCTAssertTrue(labels[2].effectiveImagePipeline === test.pipeline)
            XCTAssertFalse(labels[0].effectiveImagePipeline === test.pipeline)
            XCTAssertEqual(labels.map { $0.effectiveImageOptions.maxPixelSize }, [7, 7, 7])
            XCTAssertTrue(outer.imagePipeline == nil && inner.imageOptions == nil)
            inner.imagePipeline = nil
            XCTAssertEqual(log, ["b", "c", "c"])
            XCTAssertFalse(labels[2].effectiveImagePipeline === test.pipeline)
            withExtendedLifetime(observations) {}
        }
    }

    func testAnObserverIsToldThatItsWidgetHasLeftTheWindow() {
        GtkFixture.run { test in
            let label = test.watch(Widget(gtk_label_new("mine")), "the label")
            let window = test.show(label.pointer)
            var counts = [0, 0]
            let first = label.observeImageEnvironment { counts[0] += 1 }
            var second: ObservationToken? = label.observeImageEnvironment { counts[1] += 1 }
            window.setChild(nil)
            XCTAssertEqual(counts, [1, 1])
            window.setChild(label.pointer)
            XCTAssertEqual(counts, [2, 2])
            withExtendedLifetime(second) {}
            second = nil
            window.setChild(nil)
            XCTAssertEqual(counts, [3, 2])
            withExtendedLifetime(first) {}
        }
    }
}

@MainActor
private func watched(_ view: RemoteImageView, _ test: GtkFixture) -> RemoteImageView {
    test.watch(view.content, "the view")
    return view
}
