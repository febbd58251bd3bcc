import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class PhaseLooksTests: XCTestCase {
    func testTheSpinnerAppearsAfterADelayAndTheBarWhenTheLengthIsKnown() throws {
        try GtkFixture.run { test in
            let start = ContinuousClock.now
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            let transfer = try test.transfer()
            test.turn { indicatorPage(in: view) == "spinner" }
            XCTAssertGreaterThan(ContinuousClock.now - start, .milliseconds(240))
            transfer.respond(expected: 100)
            transfer.send([UInt8](repeating: 1, count: 40))
            test.turn { indicatorPage(in: view) == "bar" }
            let bar = first(gtk_progress_bar_get_type(), in: view.pointer)
            test.turn { abs(gtk_progress_bar_get_fraction(bar) - 0.4) < 0.01 }
        }
    }

    func testAViewDeclaredByPropertiesShowsItsSpinnerAfterADelay() throws {
        try GtkFixture.run { test in
            let start = ContinuousClock.now
            let view = test.watch(Widget(RemoteImageViewState.make()), "the view")
            view.imagePipeline = test.pipeline
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            test.show(view.pointer)
            _ = try test.transfer()
            let declared = try XCTUnwrap(RemoteImageView(of: view.pointer))
            test.turn { indicatorPage(in: declared) == "spinner" }
            XCTAssertGreaterThan(ContinuousClock.now - start, .milliseconds(240))
        }
    }

    func testAPreviewIsShownUntilTheImageArrives() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
            let view = test.view(NetworkImage("http://test/a.png", options: options))
            test.show(view.pointer, width: 100, height: 100)
            let transfer = try test.transfer()
            test.turn { (try? Drawing(view.pointer).middle[3]) == 255 }
            XCTAssertEqual(view.model.phase.kind, .loading)
            transfer.succeed(TestImage(9, width: 100, height: 100).bytes)
            test.turn { (try? Drawing(view.pointer).middle) == [9, 9, 9, 255] }
        }
    }

    func testTheSpinnerAppearsWhenThePreviewIsRemoved() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
            let view = test.view(NetworkImage("http://test/a.png", options: options) { Picture($0) })
            test.show(view.pointer, width: 100, height: 100)
            let transfer = try test.transfer()
            test.turn { (try? Drawing(view.pointer).middle[3]) == 255 }
            view.model.options.previewHash = nil
            test.turn { indicatorPage(in: view) == "spinner" }
            view.model.options.previewHash = options.previewHash
            test.turn { (try? Drawing(view.pointer).middle[3]) == 255 }
            transfer.succeed(TestImage(9, width: 100, height: 100).bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testImagesDoNotFadeInWhileDesktopAnimationsAreOff() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.transition = .crossFade(.seconds(60))
            let view = test.view(
                NetworkImage("http://test/a.png", options: options) { Picture($0, contentFit: .fill) })
            test.show(view.pointer, width: 100, height: 100)
            DesktopAnimations.set(false, for: view)
            defer { DesktopAnimations.set(true, for: view) }
            try test.transfer().succeed(TestImage(200, width: 100, height: 100).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [200, 200, 200, 255])
        }
    }

    func testTheOldImageStaysWhenARefreshFails() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { view.model.phase.kind == .success }
            view.model.reload()
            XCTAssertEqual(view.model.phase.kind, .loading)
            try test.transfer(2).succeed([], status: 500)
            test.turn { view.model.phase.kind != .loading }
            XCTAssertEqual(view.model.image?.content, 9)
            XCTAssertEqual(view.model.refreshError?.code, .httpStatus)
        }
    }

    /// The image, the CSS class and the property `phase` used to stay until the new model loaded.
    func testAViewWhoseNewPipelineLoadsNothingIsEmpty() throws {
        let changes: [@MainActor (RemoteImageView, Widget, ImagePipeline) -> Void] = [
            { _, box, pipeline in box.imagePipeline = pipeline },
            { view, _, pipeline in view.image = view.image.pipeline(pipeline) },
        ]
        for change in changes {
            try GtkFixture.run { test in
                let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
                box.imagePipeline = test.pipeline
                var options = ImageOptions()
                options.loadOptions = []
                let view = RemoteImageView(
                    NetworkImage("http://test/a.png", options: options) { Picture($0, contentFit: .fill) })
                test.watch(view.content, "the view")
                gtk_widget_set_size_request(view.pointer, 100, 80)
                append(view.pointer, to: box)
                test.show(box.pointer)
                view.model.load()
                try test.transfer().succeed(TestImage(200).bytes)
                test.turn { view.model.phase.kind == .success }
                test.draw(view.pointer)
                XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [200, 200, 200, 255])
                var notifyCount = 0
                Signal.connect(property: "phase", of: view.pointer) { notifyCount += 1 }
                change(view, box, .test(FakeTransport()))
                XCTAssertEqual(view.model.phase.kind, .empty)
                XCTAssertEqual(notifyCount, 1)
                XCTAssertEqual(view.state.phaseNumber, NetworkImagePhase.Kind.empty.number)
                XCTAssertNotEqual(gtk_widget_has_css_class(view.pointer, "empty"), 0)
                test.draw(view.pointer)
                XCTAssertEqual(try Drawing(view.pointer).middle, [0, 0, 0, 0])
            }
        }
    }

    func testAReservedSizeStaysInEveryPhase() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.reservedSize = .points(width: 90, height: 60)
            let fixed = test.view(NetworkImage("http://test/a.png", options: options))
            options.reservedSize = .aspectRatio(2)
            let shaped = test.view(NetworkImage("http://test/b.png", options: options))
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for view in [fixed, shaped] { append(view.pointer, to: box) }
            test.show(box.pointer, width: 200, height: 300)
            @MainActor func check() {
                XCTAssertEqual(gtk_widget_get_height(fixed.pointer), 60)
                XCTAssertEqual(gtk_widget_get_width(shaped.pointer), 200)
                XCTAssertEqual(gtk_widget_get_height(shaped.pointer), 100)
            }
            check()
            try test.transfer().succeed(TestImage(1, width: 500, height: 500).bytes)
            try test.transfer(2).succeed([], status: 404)
            test.turn { fixed.model.phase.kind == .success && shaped.model.phase.kind == .failure }
            test.draw(box.pointer)
            check()
        }
    }

    func testAnImageIsPositionedAndItsCornersAreRounded() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a.png") { image in
                    Picture(image, contentFit: .contain).position(x: 0, y: 0).cornerRadius(10)
                })
            test.show(view.pointer, width: 200, height: 100)
            try test.transfer().succeed(TestImage(250, width: 400, height: 400).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(everywhere: view.pointer)
            XCTAssertEqual(drawing[50, 50], [250, 250, 250, 255])
            XCTAssertEqual(drawing[150, 50], [0, 0, 0, 0], "the image is at the left")
            XCTAssertEqual(drawing[1, 1], [0, 0, 0, 0], "its corner is round")
        }
    }

    /// The image had square corners while it was loaded again.
    func testAPreviewHasTheCornersOfTheImage() throws {
        let makers: [@MainActor () -> Widget] = [
            { NetworkImage("http://test/a.png").cornerRadius(20).content },
            {
                let widget = Widget(RemoteImageViewState.make())
                shim_set_number(widget.pointer, "corner-radius", 20)
                shim_set_pointer(widget.pointer, "uri", "http://test/a.png")
                return widget
            },
        ]
        for make in makers {
            try GtkFixture.run { test in
                let widget = test.watch(make(), "the view")
                widget.imagePipeline = test.pipeline
                test.show(widget.pointer, width: 120, height: 60)
                let view = try XCTUnwrap(RemoteImageView(of: widget.pointer))
                try test.transfer().succeed(TestImage(200, width: 60, height: 40).bytes)
                test.turn { view.model.phase.kind == .success }
                view.model.reload()
                test.draw(view.pointer)
                XCTAssertEqual(view.model.phase.kind, .loading)
                let drawing = try Drawing(everywhere: view.pointer)
                XCTAssertEqual(drawing.middle, [200, 200, 200, 255])
                XCTAssertEqual(drawing[60, 1], [200, 200, 200, 255])
                // The image is 90 points wide, in the middle of the view.
                XCTAssertEqual(drawing[16, 30], [200, 200, 200, 255])
                XCTAssertEqual(drawing[16, 1], [0, 0, 0, 0], "its corner is round")
            }
        }
    }

    /// A BlurHash was square where the image is round.
    func testAPreviewHasTheShapeThatProcessorsGiveTheImage() throws {
        let corners: [(processor: ImageProcessor, isMiddleClear: Bool)] = [
            (.circle(), true), (.roundedCorners(radius: 20), false), (.composition([.circle(), .grayscale]), true),
        ]
        for (processor, isMiddleClear) in corners {
            try GtkFixture.run { test in
                let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2)
                let options = ImageOptions(previewHash: hash, processors: [.grayscale, processor])
                let widget = test.shown(
                    NetworkImage("http://test/a.png", options: options).pipeline(test.pipeline))
                test.turn { drawnContents(of: widget.pointer).count == 1 }
                test.draw(widget.pointer)
                let drawing = try Drawing(everywhere: widget.pointer)
                // The view has 200 × 150 points. A circle has its whole height, the other image its
                // whole width.
                XCTAssertEqual(drawing.middle[3], 255)
                let top = isMiddleClear ? 1 : 26
                XCTAssertEqual(drawing[100, top][3], 255)
                XCTAssertEqual(drawing[isMiddleClear ? 30 : 1, top][3], 0, "its corner is round")
            }
        }
    }

    /// It was square, and had another fit.
    func testAPreviewHasTheShapeOfThePictureThatAClosureDeclares() throws {
        try GtkFixture.run { test in
            let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2)
            let widget = test.shown(
                NetworkImage("http://test/a.png", options: ImageOptions(previewHash: hash)) { image in
                    Picture(image, contentFit: .cover).cornerRadius(75)
                }
                .pipeline(test.pipeline))
            test.turn { drawnContents(of: widget.pointer).count == 1 }
            test.draw(widget.pointer)
            let drawing = try Drawing(everywhere: widget.pointer)
            XCTAssertEqual(drawing[100, 1][3], 255, "it fills the view")
            XCTAssertEqual(drawing[5, 5][3], 0, "its corner is round")
        }
    }

    func testTheAccessibleStateFollowsThePhases() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            view.accessibleLabel = "A cat"
            test.show(view.pointer)
            let accessible = OpaquePointer(view.pointer)
            XCTAssertEqual(gtk_accessible_get_accessible_role(accessible), GTK_ACCESSIBLE_ROLE_IMG)
            XCTAssertNotEqual(gtk_test_accessible_has_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL), 0)
            XCTAssertNotEqual(gtk_test_accessible_has_state(accessible, GTK_ACCESSIBLE_STATE_BUSY), 0)
            try test.transfer().succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            XCTAssertNotEqual(gtk_test_accessible_has_property(accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION), 0)
            let button = try XCTUnwrap(first(gtk_button_get_type(), in: view.pointer))
            XCTAssertNotEqual(gtk_widget_get_focusable(Widget(of: button)?.pointer), 0)
            let alerts = descendants(of: view.pointer).filter {
                gtk_accessible_get_accessible_role(OpaquePointer($0)) == GTK_ACCESSIBLE_ROLE_ALERT
            }
            XCTAssertEqual(alerts.count, 1)
            view.isDecorative = true
            XCTAssertNotEqual(gtk_test_accessible_has_state(accessible, GTK_ACCESSIBLE_STATE_HIDDEN), 0)
        }
    }
}
