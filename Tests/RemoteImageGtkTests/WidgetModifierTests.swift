import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var speed = 2
    var position = 0.0
    var isGray = false
    var address: String? = "http://test/a.png"
    var title = "first"
    var factor: Double?
    var isBound = true
    var numbers: [Int] = []
}

/// Modifiers, references and small widgets of the vocabulary.
final class WidgetModifierTests: XCTestCase {
    func testAPickerAndItsBindingFollowEachOther() throws {
        try GtkFixture.run { test in
            let model = Model()
            let picker = test.shown(
                Column {
                    Picker(
                        "Speed", selection: Binding(model, \.speed), choices: [("one", 1), ("two", 2), ("three", 3)])
                })
            let list = try XCTUnwrap(first(gtk_drop_down_get_type(), in: picker.pointer))
            XCTAssertEqual(gtk_drop_down_get_selected(list), 1)
            XCTAssertNil(shim_check_label(UnsafeMutableRawPointer(list), "Speed"))
            gtk_drop_down_set_selected(list, 2)
            XCTAssertEqual(model.speed, 3)
            model.speed = 1
            test.turn { gtk_drop_down_get_selected(list) == 0 }
            model.speed = 9
            test.settle()
            XCTAssertEqual(model.speed, 9, "a value without a choice stays")
            XCTAssertEqual(gtk_drop_down_get_selected(list), 0)
        }
    }

    func testTheScrollPositionAndItsBindingFollowEachOther() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ScrollView { Column {}.frame(height: 2000) }.scrollPosition(Binding(model, \.position)))
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            test.draw(widget.pointer)
            model.position = 300
            test.turn { gtk_adjustment_get_value(adjustment) == 300 }
            gtk_adjustment_set_value(adjustment, 120)
            XCTAssertEqual(model.position, 120)
            model.position = 1e9
            test.turn { model.position < 2000 }
            XCTAssertEqual(model.position, gtk_adjustment_get_value(adjustment))
            model.position += 60
            test.turn { model.position == gtk_adjustment_get_value(adjustment) }
        }
    }

    func testAScrollPositionIsKeptWhenItsWidgetIsMadeAnew() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.position = 300
            let widget = test.shown(
                Column {
                    if model.speed == 2 {
                        ScrollView { Column {}.frame(height: 2000) }.scrollPosition(Binding(model, \.position))
                    }
                })
            for _ in 0..<2 {
                let scroller = try XCTUnwrap(first(gtk_scrolled_window_get_type(), in: widget.pointer))
                let adjustment = gtk_scrolled_window_get_vadjustment(scroller)
                test.turn { gtk_adjustment_get_value(adjustment) == 300 }
                XCTAssertEqual(model.position, 300)
                model.speed = 1
                test.turn { first(gtk_scrolled_window_get_type(), in: widget.pointer) == nil }
                model.speed = 2
                test.turn { first(gtk_scrolled_window_get_type(), in: widget.pointer) != nil }
            }
        }
    }

    func testFramesAreReportedWhileTheWidgetIsShown() {
        GtkFixture.run { test in
            var times: [Duration] = []
            let widget = test.shown(Label("one").onFrame { times.append($0) })
            test.turn { times.count > 2 }
            XCTAssertEqual(times, times.sorted())
            _ = widget
        }
    }

    func testFramesAreReportedOnlyWhileTheHandlerIsDeclared() {
        GtkFixture.run { test in
            var count = 0
            let counting = NetworkImage(nil as String?).onFrame { _ in count += 1 }
            let view = test.view(counting)
            test.show(view.pointer)
            test.turn { count > 0 }
            view.image = NetworkImage(nil as String?)
            let last = count
            test.draw(view.pointer)
            XCTAssertEqual(count, last)
            view.image = counting
            test.turn { count > last }
        }
    }

    func testOptionsOfAContainerApplyToTheViewsInIt() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Column { NetworkImage("http://test/a.png").frame(width: 40, height: 30) }
                        .imageOptions(ImageOptions(processors: model.isGray ? [.grayscale] : []))
                }
                .imagePipeline(test.pipeline))
            let view = try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
            try test.transfer().succeed(TestImage(90, width: 40, height: 30).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(view.model.pipeline === test.pipeline, true)
            XCTAssertTrue(view.content.effectiveImageOptions.processors.isEmpty)
            model.isGray = true
            test.turn { view.content.effectiveImageOptions.processors.count == 1 }
        }
    }

    /// A height alone was a minimum: a larger image made the view higher.
    func testAViewWithAHeightKeepsItWhenItsImageArrives() throws {
        try GtkFixture.run { test in
            let widget = test.shownOverNetwork(
                Column { Row { NetworkImage("http://test/a.png").frame(height: 30) } })
            let view = try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.phase.kind == .success }
            var (least, best): (Int32, Int32) = (0, 0)
            gtk_widget_measure(view.pointer, GTK_ORIENTATION_VERTICAL, -1, &least, &best, nil, nil)
            XCTAssertEqual([least, best], [30, 30])
            gtk_widget_measure(view.pointer, GTK_ORIENTATION_HORIZONTAL, -1, nil, &best, nil, nil)
            XCTAssertEqual(best, 45, "the width follows from the shape of the image")
        }
    }

    func testAMinimumSizeOfAViewIsNotItsSize() throws {
        try GtkFixture.run { test in
            let image = NetworkImage("http://test/a.png").frame(minWidth: 20, minHeight: 30)
            let view = RemoteImageView(image.pipeline(test.pipeline))
            test.show(test.watch(view.content, "the view").pointer)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.phase.kind == .success }
            var (least, best): (Int32, Int32) = (0, 0)
            gtk_widget_measure(view.pointer, GTK_ORIENTATION_VERTICAL, -1, &least, &best, nil, nil)
            XCTAssertEqual([least, best], [30, 200])
        }
    }

    func testAFrameWithAnInfiniteMaximumTakesTheRestOfItsContainer() {
        GtkFixture.run { test in
            let widget = test.shown(
                Row {
                    Label("a").frame(maxWidth: .infinity)
                    Label("b").frame(maxHeight: .infinity)
                })
            let expanding = children(of: widget.pointer).map {
                [gtk_widget_get_hexpand($0), gtk_widget_get_vexpand($0)]
            }
            XCTAssertEqual(expanding, [[1, 0], [0, 1]])
        }
    }

    func testAFrameLimitsAWidgetInALargerArea() {
        GtkFixture.run { test in
            @MainActor func shown(_ label: some WidgetDeclaration) -> Widget {
                test.shown(Column { label }.frame(width: 200, height: 150))
            }
            let text = Label("text").expand()
            XCTAssertEqual(limitedPlace(in: shown(text.frame(maxWidth: 80, maxHeight: 30))), [60, 60, 80, 30])
            XCTAssertEqual(limitedPlace(in: shown(text.frame(maxWidth: 80).frame(maxHeight: 30))), [60, 60, 80, 30])
            XCTAssertEqual(limitedPlace(in: shown(text.frame(maxWidth: 80))), [60, 0, 80, 150])
            XCTAssertEqual(limitedPlace(in: shown(text.frame(maxWidth: 500))), [0, 0, 200, 150])
            // The right edge and the lower one.
            func end(_ place: [Int32]) -> [Int32] { [place[0] + place[2], place[1] + place[3]] }
            let limited = text.frame(maxWidth: 80, maxHeight: 30)
            let lower = limitedPlace(in: shown(limited.align(horizontal: .end, vertical: .end)))
            XCTAssertEqual(end(lower), [200, 150])
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let upper = limitedPlace(in: shown(limited.align(horizontal: .start, vertical: .start)))
            XCTAssertEqual([end(upper)[0], upper[1]], [200, 0])
        }
    }

    func testALimitedTextWrapsAndNothingIsSmallerThanItsContent() {
        GtkFixture.run { test in
            let text = Label(String(repeating: "word ", count: 10))
            let high = test.shown(Column { text.frame(maxWidth: 60) }.frame(width: 200))
            let low = test.shown(Column { text.frame(maxWidth: 180) }.frame(width: 200))
            XCTAssertGreaterThan(gtk_widget_get_height(high.pointer), gtk_widget_get_height(low.pointer))
            let wide = test.shown(Column { Label("").frame(width: 90, height: 40).frame(maxWidth: 10, maxHeight: 0) })
            XCTAssertEqual(limitedPlace(in: wide).suffix(2), [90, 40])
            let unlimited = test.shown(Column { Label("").frame(maxWidth: .nan) })
            XCTAssertEqual(children(of: unlimited.pointer).first.map { children(of: $0) }, [])
        }
    }

    func testAnImageWithAMaximumWidthKeepsItsOwnModifiers() throws {
        try GtkFixture.run { test in
            let widget = test.shownOverNetwork(
                Column { NetworkImage("http://test/a.png").frame(maxWidth: 80).contentFit(.cover).expand() }
                    .frame(width: 200, height: 150))
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { drawnContents(of: widget.pointer) == [90] }
            XCTAssertEqual(limitedPlace(in: widget), [60, 0, 80, 150])
        }
    }

    func testAMaximumDoesNotIncludeThePadding() {
        GtkFixture.run { test in
            let widget = test.shown(
                Column { Label("").expand().frame(maxWidth: 80, maxHeight: 30).padding(10) }
                    .frame(width: 200, height: 150))
            XCTAssertEqual(limitedPlace(in: widget), [60, 60, 80, 30])
        }
    }

    /// The box of the limit must not take the pointer from the widget below.
    func testALimitedOverlayIsNoLargerThanItsWidget() {
        GtkFixture.run { test in
            let widget = test.shown(
                Overlay {
                    Button("main") {}
                } overlays: {
                    Label("new").frame(maxWidth: 90).align(horizontal: .end, vertical: .start)
                })
            let picked = gtk_widget_pick(widget.pointer, 75, 100, GTK_PICK_DEFAULT)
            XCTAssertNotNil(picked.flatMap { gtk_widget_get_ancestor($0, gtk_button_get_type()) })
        }
    }

    func testALimitHoldsInArraysAndAroundStates() {
        struct Card: WidgetDeclaration {
            @State private var text = "text"
            var body: some WidgetDeclaration { Label(text).expand().frame(maxWidth: 80) }
        }
        GtkFixture.run { test in
            let labels = ["a", "b"].map { Label($0).expand().frame(maxWidth: 80) }
            XCTAssertEqual(limitedPlace(in: test.shown(Column { labels }.frame(width: 200)))[2], 80)
            let states = test.shown(Column { Card() }.frame(width: 200))
            XCTAssertEqual(children(of: states.pointer).first.map { limitedPlace(in: Widget($0)) }?[2], 80)
        }
    }

    func testAHiddenWidgetWithALimitHasNoPlace() throws {
        try GtkFixture.run { test in
            let reference = WidgetReference()
            let column = test.shown(
                Column(spacing: 40) {
                    Label("a").frame(maxWidth: 80).reference(reference)
                    Label("b").frame(height: 20).id("b")
                }
                .align(vertical: .start))
            gtk_widget_set_visible(try XCTUnwrap(reference.widget).pointer, 0)
            test.draw(column.pointer)
            XCTAssertLessThan(gtk_widget_get_height(column.pointer), 40)
        }
    }

    /// The box stayed bound to the widget that it no longer contained.
    func testALimitedWidgetIsNotHiddenWithTheOneThatItReplaced() throws {
        try GtkFixture.run { test in
            let (model, old, new) = (Model(), Widget(gtk_level_bar_new()), Widget(gtk_level_bar_new()))
            let column = test.shown(
                Column {
                    let shown = model.isGray ? new : old
                    shown.frame(maxWidth: 80)
                })
            model.isGray = true
            test.turn { gtk_widget_get_mapped(new.pointer) != 0 }
            let frame = try XCTUnwrap(children(of: column.pointer).first)
            gtk_widget_set_visible(old.pointer, 0)
            XCTAssertEqual(gtk_widget_get_visible(frame), 1)
            gtk_widget_set_visible(new.pointer, 0)
            XCTAssertEqual(gtk_widget_get_visible(frame), 0)
        }
    }

    func testAViewForPointersHasNoMaximum() throws {
        try GtkFixture.run { test in
            let view = RemoteImageView(NetworkImage("http://test/a.png").frame(maxWidth: 80))
            test.shownOverNetwork(view)
            try test.transfer().succeed(TestImage(90).bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testWidgetsOfTheProgramReportTheirOwnChanges() {
        GtkFixture.run { test in
            let model = Model()
            var changes: [String] = []
            let view = RemoteImageView(
                NetworkImage(nil as String?).onChange(of: model.speed) { old, new in changes.append("\(old), \(new)") })
            test.shown(Column { view.onChange(of: model.speed * 10) { old, new in changes.append("\(old), \(new)") } })
            test.settle()
            XCTAssertEqual(changes, [])
            model.speed = 3
            test.turn { Set(changes) == ["2, 3", "20, 30"] }
        }
    }

    func testAChangeIsReportedWithItsValues() {
        GtkFixture.run { test in
            let model = Model()
            var changes: [String] = []
            test.shown(
                Label("text")
                    .onChange(of: model.speed) { old, new in changes.append("\(old) to \(new)") }
                    .onChange(of: model.title) { changes.append(model.title) })
            test.settle()
            XCTAssertEqual(changes, [])
            model.speed = 3
            model.speed = 5
            test.turn { changes == ["2 to 5"] }
            model.title = "second"
            test.turn { changes == ["2 to 5", "second"] }
            // Not the same value again.
            model.title = "second"
            test.settle()
            XCTAssertEqual(changes.count, 2)
        }
    }

    func testARowOfAnotherItemReportsNoChange() {
        GtkFixture.run { test in
            let model = Model()
            model.numbers = Array(0..<300)
            var changes: [Int] = []
            let list = test.shown(
                ImageList(model.numbers, id: \.self) { number in
                    Label("\(number)").frame(height: 40).onChange(of: number * model.speed) { _, new in
                        changes.append(new)
                    }
                })
            @MainActor func labels() -> Set<UnsafeMutablePointer<GtkWidget>> {
                Set(descendants(of: list.pointer).filter { shim_is_a($0, gtk_label_get_type()) != 0 })
            }
            test.turn { texts(in: list.pointer).contains("1") }
            let old = labels()
            let adjustment = gtk_scrolled_window_get_vadjustment(list.opaque)
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            test.turn { texts(in: list.pointer).contains("299") }
            XCTAssertFalse(old.isDisjoint(with: labels()), "rows are recycled")
            test.settle()
            XCTAssertEqual(changes, [])
            model.speed = 3
            test.turn { changes.contains(299 * 3) }
        }
    }

    func testPaddingOfSomeSides() {
        GtkFixture.run { test in
            let widget = test.watch(
                Label("a").padding().padding(.horizontal, 8).padding([.top, .leading], 2).content, "the label")
            let margins = [
                gtk_widget_get_margin_start, gtk_widget_get_margin_end, gtk_widget_get_margin_top,
                gtk_widget_get_margin_bottom,
            ].map { $0(widget.pointer) }
            XCTAssertEqual(margins, [2, 8, 2, 12])
        }
    }

    /// The natural size of a view is otherwise that of its image.
    func testAViewWithAFrameKeepsItsSizeWhenItsImageArrives() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                Row { NetworkImage("http://test/a.png").frame(width: 40, height: 30) }.imagePipeline(test.pipeline))
            let view = try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
            XCTAssertEqual(gtk_widget_get_width(view.pointer), 40)
            try test.transfer().succeed(TestImage(90, width: 300, height: 200).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(widget.pointer)
            XCTAssertEqual(gtk_widget_get_width(view.pointer), 40)
        }
    }

    func testAnIconShowsItsImageOnceItIsLoaded() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    let _ = model.title
                    Icon("image-missing-symbolic", size: 48, image: model.address)
                }
                .imagePipeline(test.pipeline))
            let icon = try XCTUnwrap(first(gtk_image_get_type(), in: widget.pointer))
            XCTAssertEqual(gtk_image_get_icon_name(icon).map { String(cString: $0) }, "image-missing-symbolic")
            XCTAssertEqual(gtk_image_get_pixel_size(icon), 48)
            try test.transfer().succeed(TestImage(90, width: 40, height: 30).bytes)
            test.turn { gtk_image_get_paintable(icon) != nil }
            // Declared again with the same source, it is not loaded again.
            model.title = "second"
            test.settle()
            XCTAssertNotNil(gtk_image_get_paintable(icon))
            XCTAssertEqual(test.transport.transfers.count, 1)
            model.address = nil
            test.turn { gtk_image_get_icon_name(icon) != nil }
        }
    }

    func testAReferenceFindsItsWidgetWhileItExists() {
        GtkFixture.run { test in
            let (model, reference) = (Model(), WidgetReference())
            XCTAssertNil(reference.widget)
            let widget = test.shown(
                Column {
                    if model.speed == 2 { SearchField(text: Binding(model, \.title)).reference(reference) }
                    Button("one") {}
                })
            XCTAssertEqual(reference.widget?.pointer, children(of: widget.pointer).first)
            XCTAssertTrue(reference.focus())
            model.speed = 1
            test.turn { reference.widget == nil }
            XCTAssertFalse(reference.focus())
        }
    }

    func testAWidgetIsRendered() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0, contentFit: .fill) })
            let window = test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(100, width: 60, height: 40).bytes)
            test.turn { drawnContents(of: view.pointer) == [100] }
            var results: [PixelBuffer?] = []
            Task { results.append(await view.content.rendered()) }
            test.turn { results.count == 1 }
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            let pixels = try XCTUnwrap(results[0])
            XCTAssertEqual(pixels.size, PixelSize(width: 60 * scale, height: 40 * scale))
            pixels.withUnsafeBytes { bytes in
                XCTAssertEqual(Array(bytes[0..<4]), try? Drawing(view.pointer)[0, 0])
            }
            // A widget that is not visible, a window that is closed before its next frame, and a
            // widget without a window.
            gtk_widget_set_visible(view.pointer, 0)
            Task { results.append(await view.content.rendered()) }
            test.turn { results.count == 2 }
            gtk_widget_set_visible(view.pointer, 1)
            Task {
                async let rendered = view.content.rendered()
                window.destroy()
                results.append(await rendered)
                results.append(await Widget(gtk_label_new("one")).rendered())
            }
            test.turn { results.count == 4 }
            XCTAssertTrue(results[1...].allSatisfy { $0 == nil })
        }
    }

    func testAViewerOfAnImageWithOtherModifiersForgetsTheOldOnes() throws {
        try GtkFixture.run { test in
            let state = Model()
            var successCount = 0
            let widget = test.shown(
                Column {
                    let image = NetworkImage(state.address).imagePipeline(test.pipeline)
                    RemoteImageViewer(state.isGray ? image : image.onSuccess { _ in successCount += 1 }).expand()
                })
            try test.transfer().succeed(TestImage(90).bytes)
            test.turn { successCount == 1 }
            (state.address, state.isGray) = ("http://test/b.png", true)
            try test.transfer(2).succeed(TestImage(91).bytes)
            test.turn {
                let viewer = RemoteImageViewer(of: children(of: widget.pointer).first.map { OpaquePointer($0) })
                return viewer?.view?.model.phase.kind == .success
            }
            test.settle()
            XCTAssertEqual(successCount, 1)
        }
    }

    func testADeclaredViewerKeepsItsWidgetAndFollowsItsZoom() throws {
        try GtkFixture.run { test in
            let state = Model()
            let widget = test.shown(
                Column {
                    RemoteImageViewer(state.address, pipeline: test.pipeline).zoom(Binding(state, \.factor)).expand()
                })
            let pointer = try XCTUnwrap(children(of: widget.pointer).first)
            let viewer = try XCTUnwrap(RemoteImageViewer(of: OpaquePointer(pointer)))
            try test.transfer().succeed(TestImage(90, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            state.factor = 2
            test.turn { viewer.zoom == 2 }
            viewer.zoom = 3
            XCTAssertEqual(state.factor, 3)
            state.address = "http://test/b.png"
            test.turn { viewer.zoom == nil }
            XCTAssertNil(state.factor)
            XCTAssertEqual(children(of: widget.pointer).first, pointer)
        }
    }

    func testAViewerDeclaredAgainWithoutAZoomLeavesTheOldValueUnchanged() throws {
        try GtkFixture.run { test in
            let state = Model()
            let widget = test.shown(
                Column {
                    let viewer = RemoteImageViewer(state.address, pipeline: test.pipeline)
                    state.isBound ? viewer.zoom(Binding(state, \.factor)) : viewer
                })
            let pointer = try XCTUnwrap(children(of: widget.pointer).first)
            let viewer = try XCTUnwrap(RemoteImageViewer(of: OpaquePointer(pointer)))
            viewer.zoom = 3
            XCTAssertEqual(state.factor, 3)
            state.isBound = false
            test.settle()
            XCTAssertEqual(children(of: widget.pointer).first, pointer)
            viewer.zoom = 2
            XCTAssertEqual(state.factor, 3)
        }
    }
}

/// The place of a limited widget, the only child of another, in points: x, y, width, height.
@MainActor
private func limitedPlace(in widget: Widget) -> [Int32] {
    guard let frame = children(of: widget.pointer).first, let child = children(of: frame).first else { return [] }
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(child, widget.pointer, &bounds) != 0 else { return [] }
    return [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height].map { Int32($0) }
}
