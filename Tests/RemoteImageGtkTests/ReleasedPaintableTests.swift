import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A paintable that is bound to widgets releases its image while none of them is visible.
final class ReleasedPaintableTests: XCTestCase {
    // MARK: Release

    /// Each paintable kept its texture, whatever the limit of the memory cache.
    func testPaintablesWhoseWidgetsWereScrolledPastReleaseTheirImages() throws {
        try Self.run { scene in
            XCTAssertEqual(Set(scene.server.addresses).count, 40, "a paintable loads at once")
            scene.clearMemory()
            // Those of the visible widgets, and of one that touches the edge.
            scene.test.turn { TextureStore.count <= 5 }
            scene.scroll(to: 100_000)
            scene.test.turn { scene.contents(39) == [200] && scene.paintables[0].isReleased }
            XCTAssertEqual(scene.contents(0), [])
        }
    }

    func testLowMemoryReleasesTheImagesOfBoundPaintablesAtOnce() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.contents(39) == [200] }
            XCTAssertFalse(scene.paintables[0].isReleased)
            scene.runLowOnMemory()
            XCTAssertTrue(scene.paintables[0].isReleased)
            XCTAssertFalse(scene.paintables[39].isReleased, "its widget is visible")
        }
    }

    func testAPaintableWithoutAReleaseDelayKeepsItsImage() throws {
        try Self.run(releaseDelay: nil) { scene in
            scene.scroll(to: 100_000)
            scene.runLowOnMemory()
            scene.test.settle()
            XCTAssertFalse(scene.paintables[0].isReleased)
        }
    }

    func testAPaintableWithAVisibleWidgetKeepsItsImage() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            XCTAssertTrue(PaintableBinding.bind(scene.paintables[0].object, to: scene.other.pointer, "paintable"))
            scene.scroll(to: 100_000)
            scene.runLowOnMemory()
            XCTAssertEqual(drawnContents(of: scene.other.pointer), [200])
            PaintableBinding.unbind(scene.paintables[0].object, from: scene.other.pointer, "paintable")
            scene.runLowOnMemory()
            XCTAssertTrue(scene.paintables[0].isReleased)
        }
    }

    func testAPaintableThatAWidgetDrawsDirectlyKeepsItsImage() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            gtk_picture_set_paintable(scene.other.opaque, OpaquePointer(scene.paintables[0].object))
            scene.scroll(to: 100_000)
            scene.runLowOnMemory()
            XCTAssertFalse(scene.paintables[0].isReleased)
            XCTAssertEqual(drawnContents(of: scene.other.pointer), [200])
            gtk_picture_set_paintable(scene.other.opaque, nil)
        }
    }

    func testAPaintableWhoseWidgetSharesItsPaintableKeepsItsImage() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            gtk_picture_set_paintable(scene.other.opaque, gtk_picture_get_paintable(scene.pictures[0].opaque))
            scene.scroll(to: 100_000)
            scene.runLowOnMemory()
            XCTAssertEqual(drawnContents(of: scene.other.pointer), [200])
            gtk_picture_set_paintable(scene.other.opaque, nil)
        }
    }

    /// It cannot know where it is drawn.
    func testAPaintableThatIsNoLongerBoundKeepsItsImage() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scroll(to: 100_000)
            PaintableBinding.unbind(scene.paintables[0].object, from: scene.pictures[0].pointer, "paintable")
            XCTAssertNil(gtk_picture_get_paintable(scene.pictures[0].opaque))
            scene.runLowOnMemory()
            XCTAssertFalse(scene.paintables[0].isReleased)
            XCTAssertTrue(scene.paintables[1].isReleased)
        }
    }

    func testAPaintableWithinTheMarginOfItsOptionsKeepsItsImage() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            for (margin, isReleased) in [(10_000.0, false), (0, true)] {
                var options = ImageOptions()
                (options.viewportMargin, options.releaseDelay) = (margin, .seconds(600))
                scene.scroll(to: 0)
                scene.paintables[0].show(
                    "http://test/0.png", options: options, pipeline: scene.pipeline, scale: 1)
                // A binding has the margin of a paintable that loads before.
                let picture = scene.pictures[0].pointer
                PaintableBinding.unbind(scene.paintables[0].object, from: picture, "paintable")
                XCTAssertTrue(PaintableBinding.bind(scene.paintables[0].object, to: picture, "paintable"))
                scene.test.draw(scene.window.pointer)
                scene.scroll(to: 100_000)
                scene.runLowOnMemory()
                XCTAssertEqual(scene.paintables[0].isReleased, isReleased, "\(margin)")
            }
        }
    }

    func testAPaintableFollowsAnotherMarginOfItsOptions() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scroll(to: 100_000)
            var options = ImageOptions()
            (options.viewportMargin, options.releaseDelay) = (10_000, .seconds(600))
            scene.paintables[0].show("http://test/0.png", options: options, pipeline: scene.pipeline, scale: 1)
            scene.test.draw(scene.window.pointer)
            scene.runLowOnMemory()
            XCTAssertFalse(scene.paintables[0].isReleased)
            XCTAssertTrue(scene.paintables[1].isReleased)
        }
    }

    // MARK: Return

    func testAReleasedPaintableThatIsNoLongerBoundHasItsImageAgain() throws {
        try Self.run { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.paintables[0].isReleased }
            PaintableBinding.unbind(scene.paintables[0].object, from: scene.pictures[0].pointer, "paintable")
            scene.test.turn { scene.paintables[0].texturePointer != nil }
            XCTAssertEqual(scene.server.addresses.filter { $0 == "http://test/0.png" }.count, 1, "it was in memory")
        }
    }

    func testAWidgetThatReturnsIsDrawnInTheFrameInWhichItAppears() throws {
        try Self.run { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.paintables[0].isReleased }
            var first: [UInt8]?
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(scene.pictures[0].pointer))
            let frame = SignalConnections()
            frame.connect("after-paint", of: UnsafeMutableRawPointer(clock)) {
                if first == nil { first = scene.contents(0) }
            }
            defer { frame.end() }
            scene.scroll(to: 0)
            XCTAssertEqual(first, [200])
            XCTAssertEqual(scene.server.addresses.filter { $0 == "http://test/0.png" }.count, 1)
        }
    }

    func testAWidgetKeepsItsSizeWhileItsImageIsLoadedAgain() throws {
        try Self.run { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.paintables[0].isReleased }
            scene.clearMemory()
            scene.server.isHeld = true
            scene.scroll(to: 0)
            scene.test.turn { scene.paintables[0].phaseNumber == NetworkImagePhase.Kind.loading.number }
            scene.test.draw(scene.pictures[0].pointer)
            XCTAssertEqual(scene.heights, Array(repeating: 90, count: 40))
            XCTAssertEqual(scene.paintables[0].imageSize, PixelSize(width: 120, height: 90))
            let paintable = gtk_picture_get_paintable(scene.pictures[0].opaque)
            scene.server.isHeld = false
            scene.test.turn { scene.contents(0) == [200] }
            XCTAssertEqual(gtk_picture_get_paintable(scene.pictures[0].opaque), paintable)
            XCTAssertEqual(scene.heights, Array(repeating: 90, count: 40))
        }
    }

    /// It stayed blank until one of its bound widgets became visible.
    func testAReleasedPaintableThatAWidgetDrawsDirectlyLoadsItsImageAgain() throws {
        try Self.run { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.paintables[0].isReleased }
            scene.clearMemory()
            gtk_picture_set_paintable(scene.other.opaque, OpaquePointer(scene.paintables[0].object))
            scene.test.turn { drawnContents(of: scene.other.pointer) == [200] }
            gtk_picture_set_paintable(scene.other.opaque, nil)
        }
    }

    func testAReleasedPaintableShowsAnotherAddress() throws {
        try Self.run { scene in
            scene.scroll(to: 100_000)
            scene.test.turn { scene.paintables[0].isReleased }
            scene.server.isHeld = true
            scene.paintables[0].show("http://test/new.png", options: ImageOptions(), pipeline: scene.pipeline, scale: 1)
            XCTAssertNil(gtk_picture_get_paintable(scene.pictures[0].opaque), "the placeholder of the widget")
            scene.server.isHeld = false
            scene.test.turn { scene.paintables[0].phaseNumber == NetworkImagePhase.Kind.success.number }
        }
    }

    func testAPaintableNotifiesOfItsTextureWhenItsImageIsReleasedAndDrawnAgain() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            var textures: [Bool] = []
            let connections = SignalConnections()
            connections.connect(property: "texture", of: scene.paintables[0].object) {
                textures.append(scene.paintables[0].texturePointer != nil)
            }
            defer { connections.end() }
            scene.scroll(to: 100_000)
            scene.runLowOnMemory()
            XCTAssertEqual(textures, [false])
            scene.scroll(to: 0)
            scene.test.turn { textures.count > 1 }
            XCTAssertEqual(textures, [false, true])
        }
    }

    func testADeclaredPictureOfAPaintableReleasesItsImageWhileItIsHidden() {
        GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            var options = ImageOptions()
            options.releaseDelay = .zero
            let paintable = RemoteImagePaintable("http://test/0.png", options: options, pipeline: pipeline)
            let picture = test.shown(paintable.picture(contentFit: .cover))
            test.turn { drawnContents(of: picture.pointer) == [200] }
            gtk_widget_set_visible(picture.pointer, 0)
            pipeline.configuration.memoryCache?.removeAll()
            test.turn { TextureStore.count == 0 }
            gtk_widget_set_visible(picture.pointer, 1)
            test.turn { drawnContents(of: picture.pointer) == [200] }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

// MARK: The scene

@MainActor
private struct Scene {
    let test: GtkFixture
    let server: AnsweringServer
    let pipeline: ImagePipeline
    let window: Widget
    let pictures: [Widget]
    let paintables: [PaintableObject]
    /// A picture that is always visible.
    let other: Widget

    var heights: [Int32] { pictures.map { gtk_widget_get_height($0.pointer) } }

    func contents(_ number: Int) -> [UInt8] { drawnContents(of: pictures[number].pointer) }

    func scroll(to position: Double) {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), position)
        test.draw(window.pointer)
    }

    func clearMemory() { pipeline.configuration.memoryCache?.removeAll() }

    func runLowOnMemory() {
        let desktop = FakeDesktop()
        let follower = DesktopFollower(desktop, network: NetworkConditions())
        follower.start()
        desktop.needMemory(.critical)
    }
}

extension PaintableObject {
    fileprivate var isReleased: Bool { texturePointer == nil && phaseNumber == NetworkImagePhase.Kind.success.number }
}

extension ReleasedPaintableTests {
    /// Forty pictures with bound paintables in a scrolled window that shows two of them.
    private static func run(releaseDelay: Duration? = .zero, _ body: @MainActor (Scene) throws -> Void) throws {
        try GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            var options = ImageOptions()
            (options.viewportMargin, options.releaseDelay) = (0, releaseDelay)
            let (outer, box) = (
                Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)), Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            )
            let pictures = (0..<40).map { _ in
                let picture = test.watch(Widget(gtk_picture_new()), "picture")
                gtk_picture_set_can_shrink(picture.opaque, 0)
                append(picture.pointer, to: box)
                return picture
            }
            let references = (0..<40).map { _ in ObjectReference(owned: shim_object_new(PaintableObject.type)) }
            let paintables = references.map { PaintableObject.of($0.pointer) }
            let (window, other) = (Widget(gtk_scrolled_window_new()), Widget(gtk_picture_new()))
            gtk_scrolled_window_set_child(window.opaque, box.pointer)
            gtk_widget_set_vexpand(window.pointer, 1)
            gtk_widget_set_size_request(other.pointer, 50, 50)
            append(window.pointer, to: outer)
            append(other.pointer, to: outer)
            for number in 0..<40 {
                XCTAssertTrue(
                    PaintableBinding.bind(references[number].pointer, to: pictures[number].pointer, "paintable"))
                paintables[number].show(
                    ImageSource("http://test/\(number).png"), options: options, pipeline: pipeline, scale: 1)
            }
            test.show(outer.pointer, width: 140, height: 230)
            test.turn { pictures.allSatisfy { gtk_widget_get_height($0.pointer) == 90 } }
            test.turn { drawnContents(of: pictures[0].pointer) == [200] }
            test.draw(window.pointer)
            try withExtendedLifetime(references) {
                try body(
                    Scene(
                        test: test, server: server, pipeline: pipeline, window: window, pictures: pictures,
                        paintables: paintables, other: other))
            }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}
