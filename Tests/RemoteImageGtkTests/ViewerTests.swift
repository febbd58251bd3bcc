import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class ViewerModel {
    var caption = "first"
    var address = "http://test/a.png"
    var factor: Double?
    var limit = 8.0
}

final class ViewerTests: XCTestCase {
    func testAViewerShowsTheWholeImageAndZoomsToItsPixels() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            let window = test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 200 && view.model.phase.kind == .success }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 150)
            XCTAssertNil(viewer.zoom)
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            test.turn { view.model.image?.info.decodedSize.width == 200 * scale }

            // Zooming in loads more pixels and keeps the centre.
            viewer.zoom = 1
            test.turn { gtk_widget_get_width(view.pointer) == 1000 }
            // The pipeline has no store: the bytes are requested again.
            try test.transfer(2).succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { view.model.image?.info.decodedSize.width == 1000 }
            let adjustment = gtk_scrolled_window_get_hadjustment(viewer.content.opaque)
            test.turn { abs(gtk_adjustment_get_value(adjustment) - 400) < 2 }

            viewer.zoom = 100
            XCTAssertEqual(viewer.zoom, 8)
            viewer.zoom = nil
            test.turn { gtk_widget_get_width(view.pointer) == 200 }
            // The whole image stays visible when the window is resized.
            window.resize(width: 100, height: 150)
            test.turn { gtk_widget_get_width(view.pointer) == 100 }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 75)
        }
    }

    /// The viewer has the focus in place of its view, whose style is another one.
    func testAViewerShowsItsFocus() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer(nil as ImageSource?, pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            let window = test.show(viewer.pointer, width: 200, height: 150)
            test.draw(viewer.pointer)
            let before = try Drawing(window.widget)[1, 75]
            gtk_widget_grab_focus(viewer.pointer)
            gtk_window_set_focus_visible(window.window, 1)
            test.draw(viewer.pointer)
            XCTAssertNotEqual(try Drawing(window.widget)[1, 75], before)
        }
    }

    /// The conversion of the size to whole points used to end the process.
    func testTheZoomFactorMayBeInfiniteOrNotANumber() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 100, height: 80).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 100 }
            viewer.maxZoom = .infinity
            viewer.zoom = .infinity
            XCTAssertEqual(view.state.reservedSize, .points(width: 1_000_000, height: 1_000_000))
            viewer.zoom = .nan
            XCTAssertEqual(viewer.zoom, 1)
            XCTAssertEqual(view.state.reservedSize, .points(width: 100, height: 80))
        }
    }

    /// The viewer used to observe the model that its view had before it had a parent.
    func testAViewerWithThePipelineOfItsParentFollowsEachImage() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png")
            test.watch(viewer.content, "the viewer")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            box.imagePipeline = test.pipeline
            gtk_widget_set_vexpand(viewer.pointer, 1)
            append(viewer.pointer, to: box)
            test.show(box.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 100, height: 80).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 100 }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 80)
            view.source = "http://test/b.png"
            try test.transfer(2).succeed(TestImage(91, width: 60, height: 50).bytes)
            test.turn { gtk_widget_get_width(view.pointer) == 60 }
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 50)
        }
    }

    func testADeclaredViewerKeepsItsWidgetAndShowsAnotherImageAsAWhole() throws {
        try GtkFixture.run { test in
            let model = ViewerModel()
            let column = test.shown(
                Column {
                    Label(model.caption)
                    let _ = model.caption
                    RemoteImageViewer(model.address).expand()
                }
                .imagePipeline(test.pipeline))
            let viewer = try XCTUnwrap(
                RemoteImageViewer(of: children(of: column.pointer).last.map { OpaquePointer($0) }))
            let view = try XCTUnwrap(viewer.view)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { view.model.phase.kind == .success }
            viewer.zoom = 1
            model.caption = "again"
            test.turn { texts(in: column.pointer) == ["again"] }
            XCTAssertEqual(viewer.zoom, 1)
            model.address = "http://test/b.png"
            test.turn { view.source == "http://test/b.png" }
            XCTAssertEqual(children(of: column.pointer).last, viewer.pointer)
            XCTAssertNil(viewer.zoom)
        }
    }

    func testAnEarlierViewerShowsItsImageAgain() throws {
        try GtkFixture.run { test in
            let model = ViewerModel()
            let viewers = [
                "first": RemoteImageViewer("http://test/a.png"), "again": RemoteImageViewer("http://test/b.png"),
            ]
            let column = test.shown(Column { viewers[model.caption]! }.imagePipeline(test.pipeline))
            let viewer = try XCTUnwrap(
                RemoteImageViewer(of: children(of: column.pointer).first.map { OpaquePointer($0) }))
            for (caption, address) in [("again", "b"), ("first", "a"), ("again", "b")] {
                model.caption = caption
                test.turn { viewer.view?.source == ImageSource("http://test/\(address).png") }
            }
        }
    }

    func testAFactorOutOfRangeIsCorrectedInTheBinding() throws {
        try GtkFixture.run { test in
            let model = ViewerModel()
            model.factor = 2
            let column = test.shown(
                Column { RemoteImageViewer(model.address, pipeline: test.pipeline).zoom(Binding(model, \.factor)) })
            let viewer = try XCTUnwrap(
                RemoteImageViewer(of: children(of: column.pointer).first.map { OpaquePointer($0) }))
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            XCTAssertEqual(viewer.zoom, 2)
            model.factor = 12
            test.turn { model.factor == 8 }
            model.factor = 20
            test.turn { model.factor == 8 }
            // The factor of another image, which is set together with it.
            (model.address, model.factor) = ("http://test/b.png", 3)
            test.turn { viewer.zoom == 3 }
            XCTAssertEqual(model.factor, 3)
        }
    }

    func testALowerMaximumIsReportedAndKeepsAFactorThatIsSetWithIt() throws {
        try GtkFixture.run { test in
            let model = ViewerModel()
            model.factor = 6
            let column = test.shown(
                Column {
                    RemoteImageViewer(model.address, pipeline: test.pipeline).maxZoom(model.limit)
                        .zoom(Binding(model, \.factor))
                })
            let viewer = try XCTUnwrap(
                RemoteImageViewer(of: children(of: column.pointer).first.map { OpaquePointer($0) }))
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success && viewer.zoom == 6 }
            model.limit = 4
            test.turn { viewer.zoom == 4 && model.factor == 4 }
            (model.limit, model.factor) = (2, 1.5)
            test.turn { viewer.maxZoom == 2 && viewer.zoom == 1.5 }
            XCTAssertEqual(model.factor, 1.5)
        }
    }

    func testAViewerShowsAViewWithItsClosuresAndModifiers() throws {
        try GtkFixture.run { test in
            let model = ViewerModel()
            var failures: [ImageError] = []
            let column = test.shown(
                Column {
                    Label(model.caption)
                    RemoteImageViewer(
                        NetworkImage("http://test/a.png") { image in
                            Picture(image)
                        } failure: { error, _ in
                            Label(error.message)
                        }
                        .pipeline(test.pipeline).accessibleLabel("A map").onFailure { failures.append($0) }
                    )
                    .maxZoom(4)
                })
            let viewer = try XCTUnwrap(
                RemoteImageViewer(of: children(of: column.pointer).last.map { OpaquePointer($0) }))
            try test.transfer().fail(.httpStatus(404))
            test.turn { texts(in: viewer.pointer) == ["The image was not found (404)"] }
            model.caption = "again"
            test.turn { texts(in: column.pointer).first == "again" }
            XCTAssertEqual(failures.map(\.status), [404])
            XCTAssertEqual(viewer.maxZoom, 4)
            XCTAssertEqual(viewer.view?.accessibleLabel, "A map")
        }
    }

    func testAViewerThatTheProgramHoldsIsTheWidgetThatIsShown() {
        GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            let column = test.shown(Column { viewer })
            viewer.maxZoom = 4
            XCTAssertEqual(children(of: column.pointer), [viewer.pointer])
            XCTAssertEqual(RemoteImageViewer(of: OpaquePointer(viewer.pointer))?.maxZoom, 4)
        }
    }

    func testKeysAndTheDoubleClickZoom() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            let zoom = try XCTUnwrap(ViewerZoom.data[viewer.pointer])
            @MainActor func press(_ key: Int32) {
                XCTAssertTrue(ViewerInput.press(UInt32(key), GdkModifierType(0), zoom))
            }
            press(GDK_KEY_plus)
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 0.25, accuracy: 0.01)
            press(GDK_KEY_1)
            XCTAssertEqual(viewer.zoom, 1)
            press(GDK_KEY_minus)
            XCTAssertEqual(viewer.zoom, 0.8)
            press(GDK_KEY_0)
            XCTAssertNil(viewer.zoom)
            XCTAssertFalse(ViewerInput.press(UInt32(GDK_KEY_a), GdkModifierType(0), zoom))
            zoom.toggle(around: (10, 10))
            XCTAssertEqual(viewer.zoom, 1)
            zoom.toggle(around: nil)
            XCTAssertNil(viewer.zoom)
        }
    }

    func testKeysWithModifiersAreLeftToTheProgramButForCtrlWithTheKeysOfTheZoom() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            let zoom = try XCTUnwrap(ViewerZoom.data[viewer.pointer])
            viewer.zoom = 2
            let keys = [GDK_KEY_plus, GDK_KEY_minus, GDK_KEY_0, GDK_KEY_1, GDK_KEY_Left, GDK_KEY_Right]
            let altAndControl = GdkModifierType(GDK_ALT_MASK.rawValue | GDK_CONTROL_MASK.rawValue)
            for modifier in [GDK_ALT_MASK, GDK_SUPER_MASK, altAndControl] {
                for key in keys { XCTAssertFalse(ViewerInput.press(UInt32(key), modifier, zoom)) }
            }
            for key in [GDK_KEY_1, GDK_KEY_Left] {
                XCTAssertFalse(ViewerInput.press(UInt32(key), GDK_CONTROL_MASK, zoom))
            }
            XCTAssertEqual(viewer.zoom, 2)
            XCTAssertTrue(ViewerInput.press(UInt32(GDK_KEY_0), GDK_CONTROL_MASK, zoom))
            XCTAssertNil(viewer.zoom)
        }
    }

    func testTheZoomFollowsTheDistanceOfAScrollEvent() {
        XCTAssertEqual(ViewerInput.factor(of: -1, GDK_SCROLL_UNIT_WHEEL), 1.25)
        XCTAssertEqual(ViewerInput.factor(of: 1, GDK_SCROLL_UNIT_WHEEL), 0.8)
        XCTAssertEqual(ViewerInput.factor(of: 0, GDK_SCROLL_UNIT_WHEEL), 1)
        // A wheel of high resolution divides a step into many events.
        XCTAssertEqual(pow(ViewerInput.factor(of: -0.125, GDK_SCROLL_UNIT_WHEEL), 8), 1.25, accuracy: 1e-9)
        // A touchpad sends points.
        XCTAssertEqual(pow(ViewerInput.factor(of: -5, GDK_SCROLL_UNIT_SURFACE), 10), 1.25, accuracy: 1e-9)
    }

    /// Further steps used to start from the position before the last one was laid out.
    func testStepsInQuickSuccessionKeepTheCentre() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            let view = try XCTUnwrap(viewer.view)
            test.turn { gtk_widget_get_width(view.pointer) == 200 && view.model.phase.kind == .success }
            for pauseCount in 0..<6 {
                viewer.zoom = nil
                test.turn { gtk_widget_get_width(view.pointer) == 200 }
                for factor in [0.5, 1, 2] {
                    viewer.zoom = factor
                    // Ends in each part of a frame in turn.
                    for _ in 0..<pauseCount { g_main_context_iteration(nil, 1) }
                }
                test.turn { gtk_widget_get_width(view.pointer) == 2000 }
                test.draw(view.pointer)
                for adjustment in [
                    gtk_scrolled_window_get_hadjustment(viewer.content.opaque),
                    gtk_scrolled_window_get_vadjustment(viewer.content.opaque),
                ] {
                    let middle = gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment) / 2
                    XCTAssertEqual(middle / gtk_adjustment_get_upper(adjustment), 0.5, accuracy: 0.01)
                }
            }
        }
    }

    func testRealInputOfWheelDoubleClickAndKeysZooms() throws {
        try withViewer { test, viewer, hands in
            hands.move(to: (150, 75))
            hands.hold(GDK_KEY_Control_L)
            hands.click(.wheelUp)
            test.turn { viewer.zoom.map { abs($0 - 0.25) < 0.01 } == true }
            hands.click(.wheelDown)
            test.turn { viewer.zoom == nil }
            hands.letGo(GDK_KEY_Control_L)

            hands.click()
            hands.click()
            test.turn { viewer.zoom == 1 }
            hands.type(GDK_KEY_0)
            test.turn { viewer.zoom == nil }
            hands.type(GDK_KEY_1)
            test.turn { viewer.zoom == 1 }
        }
    }

    func testDraggingAndTheArrowKeysScroll() throws {
        try withViewer { test, viewer, hands in
            viewer.zoom = 1
            let window = viewer.content.opaque
            let (across, down) = (
                gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)
            )
            // The centre stays in the centre.
            test.turn { abs(gtk_adjustment_get_value(across) - 400) < 2 }
            hands.move(to: (120, 100))
            hands.press(.primary)
            test.draw(viewer.pointer)
            hands.move(to: (90, 80))
            test.draw(viewer.pointer)
            hands.move(to: (60, 60))
            test.turn {
                abs(gtk_adjustment_get_value(across) - 460) < 3 && abs(gtk_adjustment_get_value(down) - 340) < 3
            }
            hands.release(.primary)

            gtk_widget_grab_focus(viewer.pointer)
            let place = gtk_adjustment_get_value(across)
            hands.type(GDK_KEY_Right)
            test.turn { abs(gtk_adjustment_get_value(across) - place - 40) < 3 }
            hands.type(GDK_KEY_Left)
            test.turn { abs(gtk_adjustment_get_value(across) - place) < 3 }
        }
    }

    /// The keys of the zoom did nothing after a click on the image.
    func testAClickGivesAViewerTheKeyboardFocus() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let button = Widget(gtk_button_new_with_label("other"))
            for child in [viewer.pointer, button.pointer] { append(child, to: box) }
            test.show(box.pointer)
            test.draw(box.pointer)
            gtk_widget_grab_focus(button.pointer)
            XCTAssertEqual(test.focus(in: box), button.pointer)
            let hands = try Hands(over: viewer.pointer)
            hands.move(to: (50, 20))
            hands.click()
            test.turn { test.focus(in: box) == viewer.pointer }
        }
    }

    func testAPinchZoomsByTheSpreadOfTheFingers() throws {
        try withViewer { test, viewer, _ in
            let pinch = ViewerInput.Pinch(try XCTUnwrap(ViewerZoom.data[viewer.pointer]))
            pinch.begin()
            pinch.spread(by: 2, around: (100, 75))
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 0.4, accuracy: 0.01)
            pinch.spread(by: 5, around: (100, 75))
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 1, accuracy: 0.01)
            // The next pinch begins at the zoom of this one.
            pinch.begin()
            pinch.spread(by: 3, around: nil)
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 3, accuracy: 0.01)
            pinch.spread(by: 0.01, around: nil)
            XCTAssertNil(viewer.zoom, "no smaller than the whole image")
        }
    }

    /// There is no touch screen: the test emits the signal of the gesture.
    func testTheTwoFingerGestureIsAPinch() throws {
        try withViewer { test, viewer, _ in
            let gesture = try XCTUnwrap(Emission.controllers(gtk_gesture_zoom_get_type(), of: viewer.pointer).first)
            Emission.emit("scale-changed", of: gesture, 0.5)
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 0.5, accuracy: 0.01)
            // Another gesture begins at the zoom of the last one.
            Emission.emit("begin", of: gesture)
            Emission.emit("scale-changed", of: gesture, 3)
            XCTAssertEqual(try XCTUnwrap(viewer.zoom), 1.5, accuracy: 0.01)
        }
    }

    /// A viewer of 200 × 150 points with an image of 1000 × 750.
    private nonisolated func withViewer(_ body: @MainActor (GtkFixture, RemoteImageViewer, Hands) throws -> Void) throws
    {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view.map { gtk_widget_get_width($0.pointer) == 200 } == true }
            test.turn { viewer.view?.model.phase.kind == .success }
            gtk_widget_grab_focus(viewer.pointer)
            test.draw(viewer.pointer)
            try body(test, viewer, try Hands(over: viewer.pointer))
        }
    }
}
