import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Animations in widgets, observed by their drawn and decoded frames.
final class AnimationPlayingTests: XCTestCase {
    // MARK: Views

    func testAnAnimationPlaysWhileItsViewIsMapped() {
        GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(NetworkImage(source()), pipeline: pipeline)
            test.watch(view.content, "the view")
            let other = RemoteImageView(NetworkImage(source(side: 48)), pipeline: pipeline)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for widget in [view.content, other.content] {
                gtk_widget_set_size_request(widget.pointer, 40, 40)
                gtk_widget_set_vexpand(widget.pointer, 0)
                append(widget.pointer, to: box)
            }
            test.show(box.pointer)
            seeAllFrames(of: view.content, test)

            // The other animation shows that time passes.
            gtk_widget_set_visible(view.content.pointer, 0)
            test.settle()
            let (before, others) = (decoder.count(ofSide: 40), decoder.count(ofSide: 48))
            test.turn { decoder.count(ofSide: 48) >= others + 20 }
            XCTAssertLessThanOrEqual(decoder.count(ofSide: 40) - before, 8, "one exchange may be under way")

            gtk_widget_set_visible(view.content.pointer, 1)
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    func testAnAnimationIsStillWhileDesktopAnimationsAreOff() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(NetworkImage(source()), pipeline: pipeline)
            test.watch(view.content, "the view")
            setAnimations(false)
            defer { setAnimations(true) }
            test.show(view.content.pointer)
            test.turn { view.model.image != nil }
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test), [firstColour])
            setAnimations(true)
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    func testAPausedAnimationStaysAtItsCurrentFrame() throws {
        try checkPause { Picture($0).content }
    }

    func testAPausedAnimationAmongOtherWidgetsStaysAtItsCurrentFrame() throws {
        try checkPause { image in Column { Picture(image).frame(width: 40, height: 40) }.content }
    }

    private func checkPause(_ content: @escaping @MainActor (LoadedImage) -> Widget) throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(NetworkImage(source()) { content($0) }, pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.content.pointer)
            seeAllFrames(of: view.content, test)
            view.isPlaying = false
            test.turn { AnimationPlayback.pausingCount == 1 }
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test).count, 1)
            view.isPlaying = true
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    /// The pause used to end with the pixels of the image.
    func testAPausedAnimationStaysPausedAfterItsImageWasReleased() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            var options = ImageOptions()
            (options.releaseDelay, options.disappearDelay) = (.zero, .zero)
            let view = RemoteImageView(
                NetworkImage(source(), options: options) { image in
                    Column { Picture(image).frame(width: 40, height: 40) }.content
                },
                pipeline: pipeline)
            test.watch(view.content, "the view")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            append(view.pointer, to: box)
            test.show(box.pointer)
            seeAllFrames(of: view.content, test)
            view.isPlaying = false
            gtk_widget_set_visible(view.pointer, 0)
            test.turn { view.model.isReleased }
            gtk_widget_set_visible(view.pointer, 1)
            test.turn { !view.model.isReleased && AnimationPlayback.pausingCount == 1 }
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test).count, 1)
            view.isPlaying = true
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    /// It used to play.
    func testAPictureThatIsDeclaredLaterInAPausedViewPauses() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let model = PlayingModel()
            model.plays = false
            let view = RemoteImageView(
                NetworkImage(source()) { image in
                    Column {
                        if model.plays { Picture(image).frame(width: 40, height: 40) } else { Label("none") }
                    }
                    .content
                },
                pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.content.pointer)
            test.turn { view.model.image != nil && texts(in: view.pointer) == ["none"] }
            view.isPlaying = false
            model.plays = true
            test.turn { first(gtk_picture_get_type(), in: view.pointer) != nil && AnimationPlayback.pausingCount == 1 }
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test).count, 1)
            view.isPlaying = true
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    func testTheOptionToPlayChangesAShownViewAtOnce() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(NetworkImage(source()), pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.content.pointer)
            seeAllFrames(of: view.content, test)
            view.image.options.playsAnimation = false
            XCTAssertNil(view.model.image?.animation)
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test), [firstColour])
            view.image.options.playsAnimation = true
            XCTAssertNotNil(view.model.image?.animation)
            seeAllFrames(of: view.content, test)
            clear(pipeline)
        }
    }

    func testTheOptionToPlayChangesAShownViewerAtOnce() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let model = PlayingModel()
            let animation = source()
            let column = test.shown(
                Column {
                    RemoteImageViewer(
                        animation, options: ImageOptions(playsAnimation: model.plays), pipeline: pipeline)
                })
            let viewer = try XCTUnwrap(children(of: column.pointer).first)
            let view = try XCTUnwrap(RemoteImageViewer(of: OpaquePointer(viewer))?.view)
            seeAllFrames(of: view.content, test)
            model.plays = false
            test.turn { view.model.image.map { $0.animation == nil } == true }
            test.draw(view.pointer)
            XCTAssertEqual(try colours(in: view.content, test), [firstColour])
            model.plays = true
            seeAllFrames(of: view.content, test)
            view.image.options.playsAnimation = false
            XCTAssertNil(view.model.image?.animation)
            clear(pipeline)
        }
    }

    func testAPictureThatDoesNotPlayShowsTheFirstFrame() throws {
        try GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(
                NetworkImage(source()) { image in
                    Picture(image, playsAnimation: false)
                } placeholder: {
                    Label("")
                },
                pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.content.pointer)
            test.turn { view.model.image != nil }
            XCTAssertEqual(view.model.image?.animation?.frameCount, 180)
            test.draw(view.content.pointer)
            XCTAssertEqual(try colours(in: view.content, test), [firstColour])
            XCTAssertEqual(decoder.count(ofSide: 40), 1, "invisible frames are not made")
            clear(pipeline)
        }
    }

    func testADeclaredPictureEndsTheAnimationOfItsOldImage() throws {
        try GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let model = PictureModel()
            let views = [40, 48].map { RemoteImageView(NetworkImage(source(side: $0)), pipeline: pipeline) }
            for view in views { view.model.load() }
            test.turn { views.allSatisfy { $0.model.image != nil } }
            let images = views.compactMap(\.model.image)
            let column = test.shown(
                Column { Picture(images[model.index]).cornerRadius(model.radius).frame(width: 40, height: 40) })
            let picture = try XCTUnwrap(Widget(of: first(gtk_picture_get_type(), in: column.pointer)))
            seeAllFrames(of: picture, test)
            model.radius = 2
            test.settle()
            seeAllFrames(of: picture, test)
            model.index = 1
            test.turn { decoder.count(ofSide: 48) >= 3 }
            let (before, others) = (decoder.count(ofSide: 40), decoder.count(ofSide: 48))
            test.turn { decoder.count(ofSide: 48) >= others + 20 }
            XCTAssertLessThanOrEqual(decoder.count(ofSide: 40) - before, 8, "one exchange may be under way")
            clear(pipeline)
        }
    }

    // MARK: Memory

    func testAnAnimationBeyondTheBudgetShowsItsFirstFrameAndPlaysWhenThereIsRoom() throws {
        try GtkFixture.run { test in
            // Even one animation is larger, and plays alone.
            let byteCount = AnimationBudget.shared.byteCount
            AnimationBudget.shared.byteCount = 1
            defer { AnimationBudget.shared.byteCount = byteCount }
            let (_, pipeline) = CountingDecoder.make()
            let views = [40, 48].map { RemoteImageView(NetworkImage(source(side: $0)), pipeline: pipeline) }
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for view in views {
                test.watch(view.content, "a view")
                gtk_widget_set_size_request(view.pointer, 40, 40)
                append(view.pointer, to: box)
            }
            test.show(box.pointer)
            test.turn { AnimationBudget.shared.waitingCount == 1 }
            // Either may be loaded first.
            test.turn { views.allSatisfy { $0.model.image != nil } }
            var (playing, moves) = (seeChange(in: views, test), [Bool]())
            // The one that was loaded first may have given way to the other.
            for _ in 0..<20 where moves.filter(\.self).count != 1 {
                moves = try views.map { try colours(in: $0.content, test).count > 1 }
                playing = moves.firstIndex(of: true) ?? 0
            }
            let (first, second) = (views[playing], views[1 - playing])
            XCTAssertEqual(try colours(in: second.content, test).count, 1)
            gtk_widget_set_visible(first.pointer, 0)
            seeAllFrames(of: second.content, test)
            // Shown again, the first one waits at the frame that it had.
            gtk_widget_set_visible(first.pointer, 1)
            test.turn { AnimationBudget.shared.waitingCount == 1 }
            test.draw(first.pointer)
            XCTAssertEqual(try colours(in: first.content, test).count, 1)
            // A paused animation gives room, and continues when there is room again.
            second.isPlaying = false
            seeAllFrames(of: first.content, test)
            let still = try colours(in: second.content, test)
            XCTAssertEqual(still.count, 1)
            second.isPlaying = true
            test.turn { AnimationBudget.shared.waitingCount == 1 }
            XCTAssertEqual(try colours(in: second.content, test), still)
            gtk_widget_set_visible(first.pointer, 0)
            seeAllFrames(of: second.content, test)
            clear(pipeline)
        }
    }

    func testViewsOfTheSameAnimationShareItsFrames() throws {
        try GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let views = (0..<4).map { _ in RemoteImageView(NetworkImage(source()), pipeline: pipeline) }
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for view in views {
                test.watch(view.content, "a view")
                gtk_widget_set_size_request(view.pointer, 40, 40)
                append(view.pointer, to: box)
            }
            test.show(box.pointer)
            for view in views { seeAllFrames(of: view.content, test) }
            var different = 0
            for _ in 0..<20 {
                test.draw(box.pointer)
                if Set(try views.map { try Drawing($0.pointer).middle }).count > 1 { different += 1 }
            }
            XCTAssertEqual(different, 0)
            let held = AnimationBudget.shared.heldByteCount
            for view in views.dropFirst() { gtk_widget_set_visible(view.pointer, 0) }
            seeAllFrames(of: views[0].content, test)
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, held)
            gtk_widget_set_visible(views[0].pointer, 0)
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, 0)
            XCTAssertGreaterThan(decoder.count(ofSide: 40), 3)
            clear(pipeline)
        }
    }

    func testTheFramesOfASmallAnimationAreDecodedOnce() throws {
        GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let view = RemoteImageView(NetworkImage(source(frameCount: 6)), pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.content.pointer)
            for _ in 0..<6 { seeAllFrames(of: view.content, test) }
            XCTAssertEqual(decoder.count(ofSide: 40), 7, "the image, and its six frames")
            XCTAssertEqual(AnimationBudget.shared.heldByteCount, 6 * 40 * 40 * 4)
            clear(pipeline)
        }
    }

    // MARK: Existing widgets

    func testSetImagePlaysAnAnimationWhileItsWidgetIsMapped() {
        GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            let other = test.watch(Widget(gtk_picture_new()), "other")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for widget in [picture, other] {
                gtk_widget_set_size_request(widget.pointer, 40, 40)
                append(widget.pointer, to: box)
            }
            picture.opaque.setImage(source(), pipeline: pipeline)
            other.opaque.setImage(source(side: 48), pipeline: pipeline)
            test.show(box.pointer)
            seeAllFrames(of: picture, test)

            gtk_widget_set_visible(picture.pointer, 0)
            test.settle()
            let (before, others) = (decoder.count(ofSide: 40), decoder.count(ofSide: 48))
            test.turn { decoder.count(ofSide: 48) >= others + 20 }
            XCTAssertLessThanOrEqual(decoder.count(ofSide: 40) - before, 8, "one exchange may be under way")
            gtk_widget_set_visible(picture.pointer, 1)
            seeAllFrames(of: picture, test)
            clear(pipeline)
        }
    }

    func testFramesChangeOnlyWithinFramesOfTheClock() throws {
        try GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            gtk_widget_set_size_request(picture.pointer, 40, 40)
            picture.opaque.setImage(source(), pipeline: pipeline)
            test.show(picture.pointer)
            seeAllFrames(of: picture, test)

            let paintable = try XCTUnwrap(gtk_picture_get_paintable(picture.opaque))
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(picture.pointer))
            let seen = Seen()
            let connections = [
                Signal.connect("before-paint", of: UnsafeMutableRawPointer(clock)) { seen.isInFrame = true },
                Signal.connect("after-paint", of: UnsafeMutableRawPointer(clock)) { seen.isInFrame = false },
            ]
            let changes = Signal.connect("invalidate-contents", of: UnsafeMutableRawPointer(paintable)) {
                if seen.isInFrame { seen.within += 1 } else { seen.between += 1 }
            }
            test.turn { seen.within + seen.between >= 10 }
            XCTAssertEqual(seen.between, 0)
            for connection in connections { g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), connection) }
            g_signal_handler_disconnect(UnsafeMutableRawPointer(paintable), changes)
            clear(pipeline)
        }
    }

    func testANewImageEndsTheAnimationOfTheOldImage() {
        GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            gtk_widget_set_size_request(picture.pointer, 40, 40)
            picture.opaque.setImage(source(), pipeline: pipeline)
            test.show(picture.pointer)
            seeAllFrames(of: picture, test)
            picture.opaque.setImage(source(side: 48), pipeline: pipeline)
            test.turn { decoder.count(ofSide: 48) >= 3 }
            let (before, others) = (decoder.count(ofSide: 40), decoder.count(ofSide: 48))
            test.turn { decoder.count(ofSide: 48) >= others + 20 }
            XCTAssertLessThanOrEqual(decoder.count(ofSide: 40) - before, 8, "one exchange may be under way")
            clear(pipeline)
        }
    }

    /// The new widget may have the address of the old one, or the old one may only be hidden.
    func testAPaintablePlaysInTheWidgetThatTakesThePlaceOfAnother() {
        GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let paintable = RemoteImagePaintable(source(), pipeline: pipeline)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            test.show(box.pointer)
            for isRemoved in [false, true, true] {
                let picture = Widget(gtk_picture_new_for_paintable(paintable.pointer))
                gtk_widget_set_size_request(picture.pointer, 40, 40)
                append(picture.pointer, to: box)
                seeAllFrames(of: picture, test)
                if isRemoved {
                    gtk_box_remove(
                        UnsafeMutableRawPointer(box.pointer).assumingMemoryBound(to: GtkBox.self), picture.pointer)
                } else {
                    gtk_widget_set_visible(picture.pointer, 0)
                }
            }
            clear(pipeline)
        }
    }

    /// It used to stay at its first frame.
    func testAPaintablePlaysInManyWidgets() {
        GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let paintable = RemoteImagePaintable(source(), pipeline: pipeline)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let pictures = (0..<6).map { _ in Widget(gtk_picture_new_for_paintable(paintable.pointer)) }
            for picture in pictures {
                gtk_widget_set_size_request(picture.pointer, 40, 40)
                append(picture.pointer, to: box)
            }
            test.show(box.pointer)
            for picture in pictures { seeAllFrames(of: picture, test) }
            clear(pipeline)
        }
    }

    /// A `GtkImage` follows the changes of its paintable by a part of it that is no widget.
    func testAPaintablePlaysInAGtkImage() {
        GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let paintable = RemoteImagePaintable(source(), pipeline: pipeline)
            let image = test.watch(Widget(gtk_image_new_from_paintable(paintable.pointer)), "image")
            gtk_image_set_pixel_size(image.opaque, 40)
            test.show(image.pointer)
            seeAllFrames(of: image, test)
            clear(pipeline)
        }
    }

    func testAPaintableThatNoWidgetDrawsAnyMoreReleasesTheMemoryOfItsAnimation() {
        GtkFixture.run { test in
            let (_, pipeline) = CountingDecoder.make()
            let paintable = RemoteImagePaintable(source(), pipeline: pipeline)
            let picture = test.watch(Widget(gtk_picture_new_for_paintable(paintable.pointer)), "picture")
            gtk_widget_set_size_request(picture.pointer, 40, 40)
            test.show(picture.pointer)
            seeAllFrames(of: picture, test)
            XCTAssertGreaterThan(AnimationBudget.shared.heldByteCount, 0)
            gtk_picture_set_paintable(picture.opaque, nil)
            test.turn { AnimationBudget.shared.heldByteCount == 0 }
            gtk_picture_set_paintable(picture.opaque, paintable.pointer)
            seeAllFrames(of: picture, test)
            gtk_picture_set_paintable(picture.opaque, nil)
            clear(pipeline)
        }
    }

    func testSetImageWithoutPlayingShowsTheFirstFrame() throws {
        try GtkFixture.run { test in
            let (decoder, pipeline) = CountingDecoder.make()
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            gtk_widget_set_size_request(picture.pointer, 40, 40)
            picture.opaque.setImage(source(), pipeline: pipeline, playsAnimation: false)
            test.show(picture.pointer)
            test.turn { gtk_picture_get_paintable(picture.opaque) != nil }
            test.draw(picture.pointer)
            XCTAssertEqual(try colours(in: picture, test), [firstColour])
            XCTAssertEqual(decoder.count(ofSide: 40), 1)
            clear(pipeline)
        }
    }
}

@Observable @MainActor
private final class PictureModel {
    var index = 0
    var radius = 1.0
}

/// How often an image changed within frames of its clock, and how often between them.
@MainActor
private final class Seen {
    var isInFrame = false
    var within = 0
    var between = 0
}

/// Frames of one colour each, in three colours: too many to be kept.
private func gif(side: Int = 40, frameCount: Int = 180) -> [UInt8] {
    let frames = [10, 20, 30].map { (entry: UInt8) -> GIFFile in
        GIFFile(width: side, height: side, pixels: [UInt8](repeating: entry, count: side * side))
    }
    return GIFFile.animation((0..<frameCount).map { frames[$0 % 3] }, delay: .milliseconds(20))
}

@Observable
private final class PlayingModel {
    var plays = true
}

private let firstColour = GIFFile.colour(10) + [255]
private let allColours = Set([10, 20, 30].map { GIFFile.colour($0) + [255] })

private func source(side: Int = 40, frameCount: Int = 180) -> ImageSource {
    .bytes(gif(side: side, frameCount: frameCount), identity: "animation of \(frameCount) frames of \(side)")
}

/// Runs the main loop until all frames were drawn in `widget`.
@MainActor
private func seeAllFrames(of widget: Widget, _ test: GtkFixture) {
    var seen: Set<[UInt8]> = []
    test.turn {
        // A widget that has just been shown has no size yet.
        if gtk_widget_get_width(widget.pointer) > 0, let drawing = try? Drawing(widget.pointer) {
            seen.insert(drawing.middle)
        }
        return seen.isSuperset(of: allColours)
    }
}

/// Runs the main loop until one of the views shows another frame than the first, and returns its
/// index.
@MainActor
private func seeChange(in views: [RemoteImageView], _ test: GtkFixture) -> Int {
    var moved: Int?
    test.turn {
        moved = views.firstIndex { view in
            guard gtk_widget_get_width(view.pointer) > 0, let middle = try? Drawing(view.pointer).middle else {
                return false
            }
            return allColours.contains(middle) && middle != firstColour
        }
        return moved != nil
    }
    return moved ?? 0
}

/// Draws for the time of some twenty frames of an animation, and returns the drawn colours.
@MainActor
private func colours(in widget: Widget, _ test: GtkFixture) throws -> Set<[UInt8]> {
    var seen: Set<[UInt8]> = []
    for _ in 0..<10 {
        test.draw(widget.pointer)
        seen.insert(try Drawing(widget.pointer).middle)
    }
    return seen
}

/// Changes the desktop's setting for this process.
@MainActor
private func setAnimations(_ isOn: Bool) {
    var value = GValue()
    // G_TYPE_BOOLEAN, a macro.
    g_value_init(&value, GType(5 << 2))
    g_value_set_boolean(&value, isOn ? 1 : 0)
    gtk_settings_get_default().map { settings in
        g_object_set_property(
            UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), "gtk-enable-animations",
            &value)
    }
    g_value_unset(&value)
}

/// Empties the memory cache, so that no object is left.
@MainActor
private func clear(_ pipeline: ImagePipeline) {
    pipeline.configuration.memoryCache?.removeAll()
}

/// Counts the decoded frames by the side of their images.
private final class CountingDecoder: ImageDecoder {
    let formats: Set<ImageFormat> = [.gif]
    private let counts = Watched<[Int: Int]>([:])

    static func make() -> (CountingDecoder, ImagePipeline) {
        let decoder = CountingDecoder()
        return (decoder, .test(FakeTransport(), decoder: decoder))
    }

    func count(ofSide side: Int) -> Int { counts.value[side] ?? 0 }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        counts.update { $0[request.header.size.width, default: 0] += 1 }
        return try GIFDecoder().decode(bytes, request)
    }
}
