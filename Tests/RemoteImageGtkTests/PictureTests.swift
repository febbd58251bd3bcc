import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

private let address = "http://test/a.png"

final class PictureTests: XCTestCase {
    func testPixelsAreDrawnOnTheScreen() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0, contentFit: .fill) })
            test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(150, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(everywhere: view.pointer)
            for point in [(0, 0), (59, 0), (30, 20), (0, 39), (59, 39)] {
                XCTAssertEqual(drawing[point.0, point.1], [150, 150, 150, 255])
            }
        }
    }

    /// The view would draw the image itself, beside the widget that the program has changed.
    func testAPictureWhoseWidgetTheProgramHasRequestedIsThatWidget() throws {
        try GtkFixture.run { test in
            var requested: UnsafeMutablePointer<GtkWidget>?
            @MainActor func content(_ image: LoadedImage) -> Widget {
                let content = Picture(image).content
                requested = content.pointer
                return content
            }
            let view = test.view(NetworkImage(address) { content($0) })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(150).bytes)
            test.turn { requested != nil && children(of: view.pointer) == [requested] }
        }
    }

    func testTransparencyIsKept() throws {
        try GtkFixture.run { test in
            let pixels = PixelBuffer(size: PixelSize(width: 2, height: 1), format: .rgba8Premultiplied) { memory in
                // Half-transparent red, and a fully transparent pixel.
                for (index, byte) in [128, 0, 0, 128, 0, 0, 0, 0].enumerated() { memory[index] = UInt8(byte) }
            }
            let view = test.view(
                NetworkImage(ImageSource.pixels(identity: "half red") { pixels }) { Picture($0, contentFit: .fill) })
            test.show(view.pointer, width: 60, height: 40)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(everywhere: view.pointer)
            XCTAssertEqual(drawing[2, 20], [128, 0, 0, 128])
            XCTAssertEqual(drawing[57, 20], [0, 0, 0, 0])
        }
    }

    func testAContainedImageLeavesSpaceAndACoveringImageLeavesNone() throws {
        try GtkFixture.run { test in
            for (number, (fit, isCovered)) in [(ContentFit.contain, false), (.cover, true)].enumerated() {
                let view = test.view(NetworkImage("http://test/\(fit).png") { Picture($0, contentFit: fit) })
                let window = test.show(view.pointer, width: 120, height: 60)
                try test.transfer(number + 1).succeed(TestImage(90, width: 60, height: 60).bytes)
                test.turn { view.model.phase.kind == .success }
                test.draw(view.pointer)
                let drawing = try Drawing(everywhere: view.pointer)
                XCTAssertEqual(drawing.middle, [90, 90, 90, 255])
                XCTAssertEqual(drawing[5, 30][3], isCovered ? 255 : 0)
                window.destroy()
            }
        }
    }

    func testTheNaturalSizeIsTheImageSizeInPoints() throws {
        try GtkFixture.run { test in
            for (number, (scale, expected)) in [(1.0, (400, 300)), (2.0, (200, 150))].enumerated() {
                let view = test.view(
                    NetworkImage("http://test/\(scale).png", scale: scale) { Picture($0) })
                let window = test.show(view.pointer, width: 40, height: 30)
                try test.transfer(number + 1).succeed(TestImage(width: 400, height: 300).bytes)
                test.turn { view.model.phase.kind == .success }
                // The image is decoded for its small view, but measured by its own size.
                XCTAssertLessThan(view.model.image?.info.decodedSize.width ?? 400, 400)
                var (width, height): (Int32, Int32) = (0, 0)
                gtk_widget_measure(view.pointer, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
                gtk_widget_measure(view.pointer, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
                XCTAssertEqual([Int(width), Int(height)], [expected.0, expected.1])
                window.destroy()
            }
        }
    }

    /// The conversion of its size in points to whole numbers used to end the process.
    func testAnImageWithATinyScaleIsShown() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address, scale: 1e-300) { Picture($0) })
            test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(150, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [150, 150, 150, 255])
        }
    }

    func testAnImageFadesInUnlessItComesFromMemory() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.transition = .crossFade(.milliseconds(100))
            let view = test.view(
                NetworkImage(address, options: options) { image in
                    Picture(image, contentFit: .fill)
                } placeholder: {
                    test.watch(Label("before").content, "label")
                })
            let window = test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(200, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            // The label is visible until the end of the transition.
            XCTAssertNotEqual(gtk_widget_get_mapped(gtk_widget_get_first_child(view.pointer)), 0)
            test.turn { test.aliveCount(of: "label") == 0 }
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(view.pointer).middle, [200, 200, 200, 255])
            window.destroy()

            let again = test.view(NetworkImage(address, options: options) { Picture($0) })
            test.show(again.pointer)
            XCTAssertEqual(again.model.phase.kind, .success)
            XCTAssertEqual(try Drawing(everywhere: again.pointer).middle, [200, 200, 200, 255])
        }
    }

    func testAClosureDrawsTheTransition() throws {
        try GtkFixture.run { test in
            let recorder = TransitionRecorder()
            var options = ImageOptions()
            options.transition = .crossFade(.seconds(60))
            options.transitionEffect = TransitionEffect { frame in
                recorder.progress.append(frame.progress)
                frame.drawOld()
                frame.drawNew(clippedTo: frame.width / 2)
            }
            let view = test.view(
                NetworkImage(address, options: options) { image in
                    Picture(image, contentFit: .fill)
                } placeholder: {
                    Label("")
                })
            test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(200, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(everywhere: view.pointer)
            XCTAssertEqual(drawing[5, 20], [200, 200, 200, 255])
            XCTAssertEqual(drawing[55, 20], [0, 0, 0, 0])
            XCTAssertGreaterThan(recorder.progress.count, 1)
            XCTAssertEqual(recorder.progress, recorder.progress.sorted())
        }
    }

    func testAViewThatIsDestroyedDuringAFadeLeavesNothing() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.transition = .crossFade(.seconds(60))
            let view = test.view(
                NetworkImage(address, options: options) { image in
                    Picture(image)
                } placeholder: {
                    test.watch(Label("before").content, "label")
                })
            let window = test.show(view.pointer)
            try test.transfer().succeed(TestImage(200).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(test.aliveCount(of: "label"), 1)
            window.destroy()
            test.turn { test.aliveCount(of: "label") == 0 }
        }
    }

    func testManyViewsOfOneImageShareOneTexture() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let views = (0..<5).map { _ in test.view(NetworkImage(address) { Picture($0) }) }
            for view in views {
                gtk_widget_set_size_request(view.pointer, 40, 30)
                gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, view.pointer)
            }
            test.show(box.pointer)
            try test.transfer().succeed(TestImage(width: 40, height: 30).bytes)
            test.turn { views.allSatisfy { $0.model.phase.kind == .success } }
            XCTAssertEqual(TextureStore.count, 1)
            XCTAssertEqual(test.decoder.decodeCount, 1)
        }
    }

    func testTheTextureEndsWithTheLastViewAndThePixelsWithTheCacheEntry() throws {
        try GtkFixture.run { test in
            weak var pixels: PixelBuffer?
            do {
                let view = test.view(NetworkImage(address) { Picture($0) })
                let window = test.show(view.pointer)
                try test.transfer().succeed(TestImage().bytes)
                test.turn { view.model.phase.kind == .success }
                pixels = view.model.image?.pixels
                XCTAssertEqual(TextureStore.count, 1)
                window.destroy()
            }
            test.turn { TextureStore.count == 0 }
            XCTAssertNotNil(pixels)
            test.pipeline.configuration.memoryCache?.removeAll()
            // The decode thread may still be releasing its reference.
            test.turn { pixels == nil }
        }
    }
}

/// The progress of a transition each time it was drawn.
@MainActor
private final class TransitionRecorder {
    var progress: [Double] = []
}
