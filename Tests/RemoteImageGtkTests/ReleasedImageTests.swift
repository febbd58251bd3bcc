import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Views out of sight release their images; the memory cache alone decides which of them stay.
final class ReleasedImageTests: XCTestCase {
    // MARK: Release

    /// Each view kept its texture, whatever the limit of the memory cache.
    func testViewsThatWereScrolledPastReleaseTheirImages() throws {
        try Self.run { scene in
            scene.scrollThroughAllViews()
            XCTAssertEqual(Set(scene.server.addresses).count, 40)
            scene.clearMemory()
            // The visible views, one that touches the edge, and no other.
            scene.test.turn { TextureStore.count <= 7 && scene.imageCount <= 7 }
        }
    }

    func testAViewKeepsItsImageDuringTheReleaseDelay() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scrollAway()
            scene.clearMemory()
            scene.test.settle()
            XCTAssertEqual(scene.views[0].model.image?.content, 200)
        }
    }

    func testAViewWithoutAReleaseDelayKeepsItsImageAlsoWhileMemoryIsLow() throws {
        try Self.run(releaseDelay: nil) { scene in
            scene.scrollAway()
            scene.runLowOnMemory()
            scene.test.settle()
            XCTAssertEqual(scene.views[0].model.image?.content, 200)
        }
    }

    func testLowMemoryReleasesImagesOutOfSightAtOnce() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scrollAway()
            scene.clearMemory()
            scene.runLowOnMemory()
            XCTAssertNil(scene.views[0].model.image)
            XCTAssertNotNil(scene.views[39].model.image, "it is visible")
        }
    }

    func testAnImageThatTheProgramHoldsKeepsItsPixels() throws {
        try Self.run { scene in
            let held = try XCTUnwrap(scene.views[0].model.image)
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.views[1].model.image == nil }
            XCTAssertEqual(held.content, 200)
            XCTAssertEqual(scene.views[0].model.image?.content, 200, "it is in use")
        }
    }

    func testPicturesAmongOtherWidgetsAreReleasedAndDrawnAgain() throws {
        try Self.run(content: { image in
            Column { Picture(image, contentFit: .fill).frame(width: 50, height: 50) }.content
        }) {
            scene in
            let child = try XCTUnwrap(gtk_widget_get_first_child(scene.views[0].pointer))
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            XCTAssertEqual(drawnContents(of: child), [])
            scene.scroll(to: 0)
            scene.test.turn { drawnContents(of: child) == [200] }
            XCTAssertEqual(gtk_widget_get_first_child(scene.views[0].pointer), child, "it is not built again")
        }
    }

    func testAViewOfAHiddenPageReleasesItsImageAndDrawsItAgain() throws {
        try Self.run { scene in
            let page = scene.column.widget.pointer
            gtk_widget_set_visible(page, 0)
            scene.test.turn { scene.isReleased(0) }
            gtk_widget_set_visible(page, 1)
            scene.test.turn { !scene.isReleased(0) }
            scene.test.draw(page)
            XCTAssertEqual(try Drawing(everywhere: scene.views[0].pointer).middle, [200, 200, 200, 255])
        }
    }

    // MARK: Return

    func testAViewThatReturnsIsDrawnInTheFrameInWhichItAppears() throws {
        try Self.run { scene in
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            var first: [UInt8]?
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(scene.column.widget.pointer))
            let frame = SignalConnections()
            frame.connect("after-paint", of: UnsafeMutableRawPointer(clock)) {
                // The first of all handlers; the viewport reports visible views in a later one.
                if first == nil { first = try? Drawing(scene.views[0].pointer).middle }
            }
            defer { frame.end() }
            let before = scene.phases
            scene.scroll(to: 0)
            scene.test.turn { first != nil }
            XCTAssertEqual(first, [200, 200, 200, 255])
            scene.test.turn { !scene.isReleased(0) }
            XCTAssertEqual(scene.phases, before, "the program sees no change")
            XCTAssertEqual(scene.server.addresses.filter { $0 == "http://test/0.png" }.count, 1)
        }
    }

    func testAViewKeepsItsSizeWhileItsImageIsLoadedAgain() throws {
        try Self.run(requestsSize: false) { scene in
            scene.loadAllViews()
            let heights = scene.heights
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.isReleased(0) && scene.views[0].model.image == nil }
            scene.server.isHeld = true
            scene.scroll(to: 0)
            scene.test.turn { scene.views[0].model.isLoading }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(scene.heights, heights)
            scene.server.isHeld = false
            scene.test.turn { scene.views[0].model.image != nil }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(scene.heights, heights)
            XCTAssertEqual(try Drawing(everywhere: scene.views[0].pointer).middle, [200, 200, 200, 255])
        }
    }

    /// It was loaded again, although the view had its pixels.
    func testAnImageThatIsDrawnAtTheEdgeOfAViewportStaysWhenItsViewAppears() throws {
        try Self.run(releaseDelay: .seconds(600), requestsSize: false) { scene in
            scene.loadAllViews()
            let heights = scene.heights
            scene.scrollAway()
            scene.runLowOnMemory()
            XCTAssertTrue(scene.isReleased(0))
            scene.scroll(to: Double(heights[0]) + 5)
            XCTAssertEqual(scene.views[0].state.phase.image?.isReleased, false, "it is drawn")
            XCTAssertTrue(scene.isReleased(0), "it is not visible")
            scene.clearMemory()
            scene.server.isHeld = true
            scene.scroll(to: 0)
            scene.test.turn { !scene.isReleased(0) }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(scene.heights, heights)
            XCTAssertEqual(try Drawing(scene.views[0].pointer).middle, [200, 200, 200, 255])
            XCTAssertEqual(scene.server.addresses.filter { $0 == "http://test/0.png" }.count, 1)
            scene.server.isHeld = false
        }
    }

    /// It kept its pixels for as long as the view existed.
    func testAnImageThatIsDrawnAtTheEdgeOfAViewportIsReleasedAgain() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scrollAway()
            scene.runLowOnMemory()
            scene.scroll(to: 55)
            XCTAssertEqual(scene.views[0].state.phase.image?.isReleased, false, "it is drawn")
            XCTAssertTrue(scene.isReleased(0), "it is not visible")
            scene.scroll(to: 100_000)
            XCTAssertEqual(scene.views[0].state.phase.image?.isReleased, false, "the delay has not ended")
            scene.runLowOnMemory()
            XCTAssertEqual(scene.views[0].state.phase.image?.isReleased, true)
        }
    }

    /// The view kept its size only while its image had no pixels. It took the size of its loading
    /// indicator if it had been drawn with an image of another size, which then left the cache.
    func testAViewThatIsDrawnWithFewerPixelsKeepsItsSizeWhileItsImageIsLoadedAgain() throws {
        try Self.run(releaseDelay: .seconds(600), requestsSize: false) { scene in
            scene.loadAllViews()
            let heights = scene.heights
            var smaller = try XCTUnwrap(scene.views[0].model.image)
            smaller.pixels = TestImage(200, width: 60, height: 45).decoded.pixels
            scene.scrollAway()
            scene.runLowOnMemory()
            XCTAssertTrue(scene.views[0].state.drawAgain(smaller))
            scene.clearMemory()
            scene.server.isHeld = true
            scene.scroll(to: 0)
            scene.test.turn { scene.views[0].model.isLoading }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(scene.heights, heights)
            scene.server.isHeld = false
        }
    }

    func testAViewNotifiesOfItsTextureWhenItsImageIsReleasedAndDrawnAgain() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            let state = scene.views[0].state
            XCTAssertNotNil(state.texturePointer)
            var textures: [Bool] = []
            let connections = SignalConnections()
            connections.connect(property: "texture", of: UnsafeMutableRawPointer(scene.views[0].pointer)) {
                textures.append(state.texturePointer != nil)
            }
            defer { connections.end() }
            scene.scrollAway()
            scene.runLowOnMemory()
            XCTAssertEqual(textures, [false])
            scene.scroll(to: 0)
            scene.test.turn { textures == [false, true] }
            scene.test.turn { !scene.isReleased(0) }
            XCTAssertEqual(textures, [false, true], "once for each change")
        }
    }

    /// Each return left a delay behind, which lasted as long as the release delay.
    func testAWidgetThatLeavesAndComesBackManyTimesWaitsForOneDelay() {
        GtkFixture.run { _ in
            let holder = CountingHolder()
            let before = DelayQueue.shared.count
            for _ in 0..<100 {
                UnseenImages.shared.add(holder, after: .seconds(600))
                UnseenImages.shared.remove(holder)
            }
            XCTAssertEqual(DelayQueue.shared.count, before + 1)
        }
    }

    func testALaterLeaveWaitsForTheWholeDelay() {
        GtkFixture.run { test in
            let (holder, other) = (CountingHolder(), CountingHolder())
            UnseenImages.shared.add(holder, after: .milliseconds(20))
            UnseenImages.shared.remove(holder)
            UnseenImages.shared.add(holder, after: .seconds(600))
            UnseenImages.shared.add(other, after: .milliseconds(40))
            test.turn { other.count == 1 }
            XCTAssertEqual(holder.count, 0)
            UnseenImages.shared.add(holder, after: .zero)
            test.turn { holder.count == 1 }
        }
    }

    func testLowMemoryReturnsTheMemoryOfReleasedImagesToTheSystem() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scrollAway()
            let before = FreedMemory.returnCount.withLock { $0 }
            scene.runLowOnMemory()
            scene.test.turn { FreedMemory.returnCount.withLock { $0 } > before }
        }
    }

    func testAReleasedViewShowsAnotherSourceThatItGets() throws {
        try Self.run { scene in
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            scene.views[0].source = "http://test/new.png"
            XCTAssertEqual(scene.views[0].state.phase.kind, .empty)
            scene.scroll(to: 0)
            scene.test.turn { scene.server.addresses.contains("http://test/new.png") }
            scene.test.turn { scene.views[0].model.image != nil }
        }
    }

    func testContentThatChangesWhileItsImageIsReleasedIsDrawnAgain() throws {
        try Self.run { scene in
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            scene.views[0].image = NetworkImage("http://test/0.png", options: scene.views[0].image.options) {
                Picture($0, contentFit: .cover)
            }
            scene.scroll(to: 0)
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(try Drawing(everywhere: scene.views[0].pointer).middle, [200, 200, 200, 255])
        }
    }

    /// A view that the program told to load, without `loadOnAppear`, stayed empty.
    func testAViewThatDoesNotLoadOnAppearGetsItsReleasedImageBack() throws {
        try Self.run(loadOptions: [.loadImmediately]) { scene in
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.isReleased(0) && scene.views[0].model.image == nil }
            scene.scroll(to: 0)
            scene.test.turn { scene.views[0].model.image != nil }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(try Drawing(scene.views[0].pointer).middle, [200, 200, 200, 255])
        }
    }

    /// The view took the size of its empty content, and the widgets below it moved.
    func testAViewKeepsItsSizeAfterALoadWasCancelled() throws {
        try Self.run(requestsSize: false) { scene in
            scene.loadAllViews()
            let heights = scene.heights
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.isReleased(0) && scene.views[0].model.image == nil }
            scene.server.isHeld = true
            scene.scroll(to: 0)
            scene.test.turn { scene.views[0].model.isLoading }
            scene.column.scroll(to: 100_000)
            scene.test.turn { !scene.views[0].model.isLoading }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(scene.heights, heights)
            scene.server.isHeld = false
        }
    }

    /// It was removed from the view when the image was loaded again.
    func testAWidgetThatTheProgramHoldsStaysInItsView() throws {
        let held = MainActor.assumeIsolated { Widget(gtk_label_new("held")) }
        try Self.run { scene in
            scene.views[0].image = NetworkImage(
                "http://test/0.png", options: scene.views[0].image.options, phase: { _ in held })
            scene.test.draw(scene.column.widget.pointer)
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.isReleased(0) && scene.views[0].model.image == nil }
            scene.scroll(to: 0)
            scene.test.turn { scene.views[0].model.image != nil }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(gtk_widget_get_parent(held.pointer), scene.views[0].pointer)
            XCTAssertNotEqual(gtk_widget_get_child_visible(held.pointer), 0)
        }
    }

    /// Such content had copied the empty pixels.
    func testContentWithATextureThatIsBuiltWhileReleasedIsBuiltAgain() throws {
        try Self.run { scene in
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            scene.views[0].image = NetworkImage("http://test/0.png", options: scene.views[0].image.options) { image in
                let picture = Widget(gtk_picture_new())
                gtk_picture_set_paintable(picture.opaque, ImageTexture(image)?.pointer)
                return picture
            }
            scene.scroll(to: 0)
            scene.test.turn { !scene.isReleased(0) }
            scene.test.draw(scene.column.widget.pointer)
            XCTAssertEqual(try Drawing(everywhere: scene.views[0].pointer).middle, [200, 200, 200, 255])
        }
    }

    func testAFailedReloadOfAReleasedImageKeepsTheImageInMemory() throws {
        try Self.run { scene in
            scene.scrollAway()
            scene.test.turn { scene.isReleased(0) }
            scene.server.isFailing = true
            scene.views[0].model.reload()
            scene.test.turn { !scene.views[0].model.isLoading }
            XCTAssertEqual(scene.views[0].state.phase.kind, .success)
            scene.server.isFailing = false
        }
    }

    /// The content kept the image of the load before.
    func testAnImageIsReleasedAfterAFailedReload() throws {
        try Self.run { scene in
            scene.views[0].image = NetworkImage(
                "http://test/0.png", options: scene.views[0].image.options
            ) { phase in
                switch phase {
                case .success(let image): Picture(image, contentFit: .fill).content
                case .loading(let state):
                    state.preview.map { Picture($0, contentFit: .fill).content } ?? Widget.empty()
                default: Widget.empty()
                }
            }
            scene.test.draw(scene.column.widget.pointer)
            scene.server.isFailing = true
            scene.views[0].model.reload()
            scene.test.turn { !scene.views[0].model.isLoading }
            scene.server.isFailing = false
            scene.scrollAway()
            scene.clearMemory()
            scene.test.turn { scene.isReleased(0) && scene.views[0].model.image == nil }
        }
    }

    func testAnImageWhoseReleaseDelayIsRemovedOutOfSightIsKept() throws {
        try Self.run(releaseDelay: .seconds(600)) { scene in
            scene.scrollAway()
            scene.views[0].image.options.releaseDelay = nil
            scene.runLowOnMemory()
            XCTAssertFalse(scene.isReleased(0))
            XCTAssertTrue(scene.isReleased(1))
        }
    }

    func testAViewerKeepsItsZoomAndPlaceWhileItsImageIsLoadedAgain() {
        GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            var options = ImageOptions()
            options.releaseDelay = .zero
            let viewer = RemoteImageViewer("http://test/0.png", options: options, pipeline: pipeline)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            append(viewer.pointer, to: box)
            test.show(box.pointer, width: 200, height: 150)
            test.turn { viewer.view?.model.image != nil }
            test.draw(box.pointer)
            viewer.zoom = 8
            test.draw(box.pointer)
            let window = OpaquePointer(viewer.pointer)
            let adjustments = [
                gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window),
            ]
            for adjustment in adjustments { gtk_adjustment_set_value(adjustment, 400) }
            test.draw(box.pointer)
            gtk_widget_set_visible(viewer.pointer, 0)
            pipeline.configuration.memoryCache?.removeAll()
            test.turn { viewer.view?.model.isReleased == true && viewer.view?.model.image == nil }
            server.isHeld = true
            gtk_widget_set_visible(viewer.pointer, 1)
            test.turn { viewer.view?.model.isLoading == true }
            test.draw(box.pointer)
            server.isHeld = false
            test.turn { viewer.view?.model.image != nil }
            test.draw(box.pointer)
            XCTAssertEqual(viewer.zoom, 8)
            XCTAssertEqual(adjustments.map { gtk_adjustment_get_value($0) }, [400, 400])
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    // MARK: Existing widgets

    /// A picture with `setImage` in a box, whose image is released as soon as it is hidden.
    private func withPicture(
        _ body: @MainActor (GtkFixture, AnsweringServer, ImagePipeline, Widget, Widget) -> Void
    ) {
        GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            let (picture, box) = (Widget(gtk_picture_new()), Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
            gtk_widget_set_size_request(picture.pointer, 50, 50)
            append(picture.pointer, to: box)
            var options = ImageOptions()
            (options.releaseDelay, options.disappearDelay) = (.zero, .zero)
            // The image is not decoded again for the size of the widget.
            options.maxPixelSize = 50
            picture.opaque.setImage("http://test/0.png", options: options, pipeline: pipeline)
            test.show(box.pointer, width: 100, height: 200)
            test.turn { drawnContents(of: picture.pointer) == [200] }
            body(test, server, pipeline, picture, box)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testAPaintableThatTheProgramShowsElsewhereKeepsItsImage() {
        withPicture { test, _, _, picture, box in
            let large = Widget(gtk_picture_new())
            gtk_widget_set_size_request(large.pointer, 50, 50)
            append(large.pointer, to: box)
            gtk_picture_set_paintable(large.opaque, gtk_picture_get_paintable(picture.opaque))
            gtk_widget_set_visible(picture.pointer, 0)
            test.settle()
            test.draw(box.pointer)
            XCTAssertEqual(drawnContents(of: large.pointer), [200])
        }
    }

    func testSetImageKeepsThePaintableOfAReleasedImage() {
        withPicture { test, server, pipeline, picture, box in
            let paintable = gtk_picture_get_paintable(picture.opaque)
            gtk_widget_set_visible(picture.pointer, 0)
            test.turn { drawnContents(of: picture.pointer) == [] }
            gtk_widget_set_visible(picture.pointer, 1)
            test.turn { drawnContents(of: picture.pointer) == [200] }
            test.draw(box.pointer)
            XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), paintable, "from memory")
            gtk_widget_set_visible(picture.pointer, 0)
            pipeline.configuration.memoryCache?.removeAll()
            test.turn { TextureStore.count == 0 }
            server.isHeld = true
            gtk_widget_set_visible(picture.pointer, 1)
            test.turn { server.addresses.count == 2 }
            gtk_widget_set_visible(picture.pointer, 0)
            test.settle()
            XCTAssertEqual(gtk_picture_get_paintable(picture.opaque), paintable, "a cancelled load")
            server.isHeld = false
        }
    }

    func testSetImageReleasesTheImageOfAWidgetOutOfSight() {
        GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            let pictures = (0..<40).map { number in
                let picture = test.watch(Widget(gtk_picture_new()), "picture")
                gtk_widget_set_size_request(picture.pointer, 50, 50)
                return picture
            }
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for picture in pictures { append(picture.pointer, to: box) }
            let window = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(window.opaque, box.pointer)
            var options = ImageOptions()
            options.viewportMargin = 0
            options.releaseDelay = .zero
            for (number, picture) in pictures.enumerated() {
                picture.opaque.setImage("http://test/\(number).png", options: options, pipeline: pipeline)
            }
            test.show(window.pointer, width: 100, height: 200)
            test.turn { drawnContents(of: pictures[0].pointer) == [200] }
            let adjustment = gtk_scrolled_window_get_vadjustment(window.opaque)
            gtk_adjustment_set_value(adjustment, 1500)
            test.turn { drawnContents(of: pictures[0].pointer) == [] }
            test.turn { drawnContents(of: pictures[31].pointer) == [200] }
            pipeline.configuration.memoryCache?.removeAll()
            test.turn { TextureStore.count <= 6 }
            server.isHeld = true
            gtk_adjustment_set_value(adjustment, 0)
            test.turn { server.addresses.filter { $0 == "http://test/0.png" }.count == 2 }
            XCTAssertNotNil(gtk_picture_get_paintable(pictures[0].opaque), "it keeps its size")
            server.isHeld = false
            test.turn { drawnContents(of: pictures[0].pointer) == [200] }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

@MainActor
private final class CountingHolder: ImageHolder {
    private(set) var count = 0

    func releaseImage() { count += 1 }
}

// MARK: The scene

@MainActor
private struct Scene {
    let test: GtkFixture
    let server: AnsweringServer
    let pipeline: ImagePipeline
    let column: TestColumn

    var views: [RemoteImageView] { column.views }
    /// The number of models that still have an image.
    var imageCount: Int { views.count { $0.model.image != nil } }
    /// The phases that the program sees.
    var phases: [NetworkImagePhase.Kind] { views.map(\.state.phase.kind) }

    func isReleased(_ number: Int) -> Bool { views[number].model.isReleased }

    func scroll(to position: Double) {
        column.scroll(to: position)
        test.draw(column.widget.pointer)
    }

    /// The first views leave, and the last ones load.
    func scrollAway() {
        column.scroll(to: 100_000)
        test.turn { views[39].model.image != nil }
        test.draw(column.widget.pointer)
    }

    var heights: [Int32] { views.map { gtk_widget_get_height($0.pointer) } }

    /// Makes each view load its image and take its size, and shows the first ones.
    func loadAllViews() {
        for (number, view) in views.enumerated() where view.state.phase.kind != .success {
            scroll(to: Double(heights.prefix(number).reduce(0, +)))
            test.turn { view.state.phase.kind == .success }
        }
        scroll(to: 0)
        test.turn { !isReleased(0) && views[0].model.image != nil }
        test.draw(column.widget.pointer)
    }

    func scrollThroughAllViews() {
        for number in stride(from: 0, to: views.count, by: 4) {
            scroll(to: Double(number) * 50)
            test.turn { views[number].model.image != nil }
        }
        scroll(to: 100_000)
        test.turn { views[39].model.image != nil }
    }

    func clearMemory() { pipeline.configuration.memoryCache?.removeAll() }

    func runLowOnMemory() {
        let desktop = FakeDesktop()
        let follower = DesktopFollower(desktop, network: NetworkConditions())
        follower.start()
        desktop.needMemory(.critical)
    }
}

extension ReleasedImageTests {
    /// Forty views in a column that shows four; the first ones have loaded their images.
    private static func run(
        releaseDelay: Duration? = .zero, requestsSize: Bool = true, loadOptions: LoadOptions? = nil,
        content: @escaping @MainActor (LoadedImage) -> Widget = { Picture($0, contentFit: .fill).content },
        _ body: @MainActor (Scene) throws -> Void
    ) throws {
        try GtkFixture.run { test in
            let server = AnsweringServer()
            let pipeline = ImagePipeline.test(server.transport)
            var options = ImageOptions()
            options.viewportMargin = 0
            options.releaseDelay = releaseDelay
            if let loadOptions { options.loadOptions = loadOptions }
            let views = (0..<40).map { number in
                let view = RemoteImageView(
                    NetworkImage("http://test/\(number).png", options: options) { content($0) }, pipeline: pipeline)
                test.watch(view.content, "view \(number)")
                if requestsSize { gtk_widget_set_size_request(view.pointer, 50, 50) }
                return view
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            // Views without a size request would be squeezed into the viewport.
            let viewport = gtk_scrolled_window_get_child(column.widget.opaque)
            if !requestsSize {
                gtk_scrollable_set_vscroll_policy(viewport.map { OpaquePointer($0) }, GTK_SCROLL_NATURAL)
            }
            let scene = Scene(test: test, server: server, pipeline: pipeline, column: column)
            test.show(column.widget.pointer, width: 100, height: 200)
            test.turn { views[0].model.image != nil && views[3].model.image != nil }
            test.draw(column.widget.pointer)
            try body(scene)
            scene.clearMemory()
        }
    }
}
