import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var message: String?
    var title = "first"
    var isDark: Bool?
    var height = 2000
    var numbers = Array(0..<200)
    @ObservationIgnored var calls: [String] = []
}

/// What declared windows, applications, scrolled widgets and lists set in GTK.
final class WindowDetailTests: XCTestCase {
    // MARK: Windows

    func testAWindowHasItsInitialSize() {
        GtkFixture.run { test in
            let sizes: [(Int?, Int?, [Int32])] = [
                (300, 200, [300, 200]), (nil, 200, [-1, 200]), (300, nil, [300, -1]), (0, -5, [1, 1]),
            ]
            for (width, height, expected) in sizes {
                let declared = Window("sized", width: width, height: height) { Label("one") }.declaration
                let window = test.watch(WidgetNode.makeWidget(declared), "the window")
                let pointer = UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self)
                var size: (Int32, Int32) = (0, 0)
                gtk_window_get_default_size(pointer, &size.0, &size.1)
                XCTAssertEqual([size.0, size.1], expected)
                XCTAssertEqual(gtk_window_get_title(pointer).map { String(cString: $0) }, "sized")
                gtk_window_destroy(pointer)
            }
        }
    }

    func testAToastIsAnAlertAtTheLowerEdge() throws {
        try GtkFixture.run { test in
            let model = Model()
            let declared = Window("toast", width: 300, height: 100) { Label(model.title) }
                .toast(Binding(model, \.message), duration: .seconds(1000)).declaration
            let window = test.watch(WidgetNode.makeWidget(declared), "the window")
            let pointer = UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self)
            let revealer = try XCTUnwrap(first(gtk_revealer_get_type(), in: window.pointer))
            let widget = try XCTUnwrap(Widget(of: revealer)).pointer
            XCTAssertEqual(
                [gtk_widget_get_halign(widget), gtk_widget_get_valign(widget)], [GTK_ALIGN_CENTER, GTK_ALIGN_END])
            XCTAssertEqual(gtk_widget_get_margin_bottom(widget), 12)
            XCTAssertEqual(gtk_revealer_get_transition_type(revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
            let box = try XCTUnwrap(gtk_revealer_get_child(revealer))
            XCTAssertEqual(gtk_accessible_get_accessible_role(OpaquePointer(box)), GTK_ACCESSIBLE_ROLE_ALERT)
            XCTAssertEqual(gtk_orientable_get_orientation(OpaquePointer(box)), GTK_ORIENTATION_HORIZONTAL)
            XCTAssertEqual(
                ["osd", "toolbar", "remote-image-toast"].map { (name: String) in gtk_widget_has_css_class(box, name) },
                [1, 1, 1])
            let parts = children(of: box)
            XCTAssertEqual(parts.count, 2)
            XCTAssertEqual(gtk_widget_get_hexpand(parts[0]), 1)
            XCTAssertEqual(gtk_widget_has_css_class(parts[1], "flat"), 1)
            XCTAssertEqual(gtk_revealer_get_reveal_child(revealer), 0)
            // The old text stays while it slides away, and another one replaces it.
            for (message, shown): (String?, String) in [
                ("one", "one"), ("two", "two"), (nil, "two"), ("three", "three"),
            ] {
                model.message = message
                test.turn {
                    (gtk_revealer_get_reveal_child(revealer) != 0) == (message != nil) && text(in: box) == shown
                }
            }
            gtk_window_destroy(pointer)
        }
    }

    func testAToastEndsAfterItsTimeAlsoInAWindowThatIsUpdated() {
        GtkFixture.run { test in
            let model = Model()
            model.message = "saved"
            @MainActor func declared() -> DeclaredWidget {
                Window("toast") { Label(model.title) }
                    .toast(Binding(model, \.message), duration: .milliseconds(30)).declaration
            }
            let window = test.watch(WidgetNode.makeWidget(declared()), "the window")
            test.turn {
                WidgetNode.of(window)?.update(to: declared())
                return model.message == nil
            }
            gtk_window_destroy(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
        }
    }

    /// The next window must not show the text again.
    func testAToastEndsWithItsWindow() {
        GtkFixture.run { test in
            let model = Model()
            @MainActor func declared() -> DeclaredWidget {
                Window("toast") { Label("one") }
                    .toast(Binding(model, \.message), duration: .seconds(1000)).declaration
            }
            do {
                let window = test.watch(WidgetNode.makeWidget(declared()), "the window")
                model.message = "saved"
                WidgetNode.of(window)?.update(to: declared())
                test.settle()
                XCTAssertEqual(model.message, "saved")
                gtk_window_destroy(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
            }
            // The window ends with its last reference.
            test.turn { model.message == nil }
        }
    }

    func testTheDarkVariantFollowsItsValue() throws {
        try GtkFixture.run { test in
            let settings = UnsafeMutableRawPointer(try XCTUnwrap(gtk_settings_get_default()))
            let name = "gtk-application-prefer-dark-theme"
            let initial = shim_get_boolean(settings, name)
            let model = Model()
            model.isDark = initial == 0
            let window = test.watch(
                WidgetNode.makeWidget(Window("dark") { Label("one") }.dark(model.isDark).declaration), "the window")
            XCTAssertEqual(shim_get_boolean(settings, name), initial == 0 ? 1 : 0)
            for (isDark, value): (Bool?, gboolean) in [(false, 0), (true, 1), (false, 0), (nil, initial)] {
                model.isDark = isDark
                test.turn { shim_get_boolean(settings, name) == value }
            }
            gtk_window_destroy(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
        }
    }

    // MARK: Applications

    func testTheAppearanceIsSetBeforeTheFirstWindow() {
        GtkFixture.run { test in
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            var directions: [GtkTextDirection] = []
            var widths: [Int32] = []
            for isMirrored: Bool? in [true, nil, false] {
                let application = Application("org.example.Appearance")
                    .styleSheet(".appearance-test { min-width: 77px; }").rightToLeft(isMirrored)
                _ = start(application) {
                    Window("first") { Label("x").align(horizontal: .center).cssClass("appearance-test") }
                } during: {
                    test.turn { windowTitles() == ["first"] }
                    directions.append(gtk_widget_get_default_direction())
                    let label = toplevels(of: gtk_window_get_type())
                        .filter { gtk_widget_get_mapped($0) != 0 }.compactMap { first(gtk_label_get_type(), in: $0) }
                        .first.flatMap { Widget(of: $0) }
                    if let label {
                        test.turn { gtk_widget_get_width(label.pointer) > 0 }
                        widths.append(gtk_widget_get_width(label.pointer))
                    }
                    closeWindow("first")
                }
            }
            XCTAssertEqual(directions, [GTK_TEXT_DIR_RTL, GTK_TEXT_DIR_RTL, GTK_TEXT_DIR_LTR])
            XCTAssertEqual(widths, [77, 77, 77])
        }
    }

    func testAnAcceptedCommandLineShowsTheWindows() {
        GtkFixture.run { test in
            let received = Lock<[[String]]>([])
            let application = Application("org.example.Accepted").onCommandLine { arguments in
                received.withLock { $0.append(arguments) }
                return 0
            }
            let status = start(application, ["program"]) {
                Window("first") { Label("one") }
            } during: {
                test.turn { windowTitles() == ["first"] }
                closeWindow("first")
            }
            XCTAssertEqual(status, 0)
            XCTAssertEqual(received.withLock(\.self), [[]])
        }
    }

    // MARK: Scrolled content

    func testTheEndIsNearAtItsDistanceExactly() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ScrollView { Column {}.frame(height: model.height) }
                    .onEndReached(within: 2) { model.calls.append("two") }
                    .onEndReached(within: -3) { model.calls.append("end") })
            test.draw(widget.pointer)
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            let (page, upper) = (gtk_adjustment_get_page_size(adjustment), gtk_adjustment_get_upper(adjustment))
            @MainActor func scroll(to place: Double) {
                gtk_adjustment_set_value(adjustment, place)
                test.draw(widget.pointer)
            }
            scroll(to: upper - 3 * page - 1)
            XCTAssertEqual(model.calls, [])
            scroll(to: upper - 3 * page)
            XCTAssertEqual(model.calls, ["two"])
            scroll(to: upper - page - 1)
            XCTAssertEqual(model.calls, ["two"])
            scroll(to: upper - page)
            XCTAssertEqual(model.calls, ["two", "end"])
            // More content while the end stays near, then less.
            model.height += 10
            test.turn { model.calls == ["two", "end", "two"] }
            model.height -= 5
            test.turn { gtk_adjustment_get_upper(adjustment) == upper + 5 }
            for _ in 0..<2 { test.draw(widget.pointer) }
            XCTAssertEqual(model.calls, ["two", "end", "two"])
        }
    }

    // MARK: Lists

    func testAGridHasAtLeastOneColumn() throws {
        try GtkFixture.run { test in
            for (columns, expected): (ClosedRange<Int>, [guint]) in [
                (1...7, [1, 7]), (2...20, [2, 20]), (-4...0, [1, 1]), (0...3, [1, 3]),
            ] {
                let widget = test.shown(ImageGrid(Array(0..<9), id: \.self, columns: columns) { Label("\($0)") })
                let view = try XCTUnwrap(first(gtk_grid_view_get_type(), in: widget.pointer))
                XCTAssertEqual([gtk_grid_view_get_min_columns(view), gtk_grid_view_get_max_columns(view)], expected)
            }
        }
    }

    func testAListScrollsVerticallyAndTakesTheSpaceOfItsContainer() throws {
        try GtkFixture.run { test in
            let selection = Binding<Int?> {
                nil
            } set: { _ in
            }
            let lists: [(any WidgetDeclaration, singleClick: gboolean)] = [
                (ImageList([1], id: \.self) { Label("\($0)") }, 0),
                (
                    ImageList([1], id: \.self) {
                        Label("\($0)")
                    } onActivate: { _ in
                    }, 1
                ),
                (
                    ImageList([1], id: \.self, selection: selection) {
                        Label("\($0)")
                    } onActivate: { _ in
                    }, 0
                ),
                (
                    ImageGrid([1], id: \.self) {
                        Label("\($0)")
                    } onActivate: { _ in
                    }, 1
                ),
                (ImageGrid([1], id: \.self, selection: selection) { Label("\($0)") }, 0),
            ]
            for (number, (list, singleClick)) in lists.enumerated() {
                let widget = test.watch(WidgetNode.makeWidget(list.declared), "the list")
                var (across, along) = (GTK_POLICY_ALWAYS, GTK_POLICY_ALWAYS)
                gtk_scrolled_window_get_policy(widget.opaque, &across, &along)
                XCTAssertEqual([across, along], [GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC])
                XCTAssertEqual(
                    [gtk_widget_get_hexpand(widget.pointer), gtk_widget_get_vexpand(widget.pointer)], [1, 1])
                let view = try XCTUnwrap(gtk_scrolled_window_get_child(widget.opaque))
                XCTAssertEqual(shim_get_boolean(view, "single-click-activate"), singleClick, "\(number)")
            }
        }
    }

    func testTheRowsOfAFactoryHaveTheirSize() throws {
        try GtkFixture.run { test in
            let rows = ImageListFactory(
                items: [1, 2], source: { ImageSource("http://test/\($0).png") }, pipeline: test.pipeline
            ) {
                NetworkImage(nil) { Picture($0) }
            }
            XCTAssertNil(rows.itemSize)
            rows.itemSize = (60, 40)
            XCTAssertEqual([rows.itemSize?.width, rows.itemSize?.height], [60, 40])
            XCTAssertNil(rows.source(ofRow: -1))
            XCTAssertEqual(rows.source(ofRow: 0)?.identity, "http://test/1.png")
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            test.show(list.pointer)
            let view = try XCTUnwrap(Widget(of: first(RemoteImageViewState.type, in: list.pointer)))
            var (width, height): (Int32, Int32) = (0, 0)
            gtk_widget_get_size_request(view.pointer, &width, &height)
            XCTAssertEqual([width, height], [60, 40])
        }
    }

}
