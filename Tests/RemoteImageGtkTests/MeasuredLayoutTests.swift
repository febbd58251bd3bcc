import CRemoteImageGtk
import Observation
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

@Observable
private final class Model {
    var isShown = true
}

/// The minimum and natural lengths of containers, and the places that they give their children.
final class MeasuredLayoutTests: XCTestCase {
    // MARK: Rows and columns

    func testChildrenOfARowAndAColumnHaveTheSpacingBetweenThem() {
        GtkFixture.run { test in
            let row = test.watch(Row(spacing: 7) { pair() }.content, "the row")
            XCTAssertEqual(lengths(of: row), [57, 57, 40, 40])
            let column = test.watch(Column(spacing: 5) { pair() }.content, "the column")
            XCTAssertEqual(lengths(of: column), [30, 30, 55, 55])
            let negative = test.watch(Row(spacing: -4) { pair() }.content, "the row")
            XCTAssertEqual(lengths(of: negative), [50, 50, 40, 40])
        }
    }

    func testTheChildrenOfAHomogeneousRowHaveTheSameWidth() {
        GtkFixture.run { test in
            let equal = test.watch(Row(homogeneous: true) { pair() }.content, "the row")
            XCTAssertEqual(lengths(of: equal), [60, 60, 40, 40])
            let other = test.watch(Row { pair() }.content, "the row")
            XCTAssertEqual(lengths(of: other), [50, 50, 40, 40])
        }
    }

    func testASpacerExpandsAlongItsContainerAlone() {
        GtkFixture.run { test in
            let row = test.watch(Row { Spacer() }.content, "the row")
            let column = test.watch(Column { Spacer() }.content, "the column")
            let expansions = [row, column].map { container in
                children(of: container.pointer).map { [gtk_widget_get_hexpand($0), gtk_widget_get_vexpand($0)] }
            }
            XCTAssertEqual(expansions, [[[1, 0]], [[0, 1]]])
        }
    }

    // MARK: Flow boxes

    func testTheLengthsOfAFlowBoxFollowFromItsLines() {
        GtkFixture.run { test in
            let box = test.watch(flow(columns: 1...7, spacing: 4), "the box")
            XCTAssertEqual(extent(box, GTK_ORIENTATION_HORIZONTAL), [60, 188])
            // Two columns fit into 124 points, and one into less.
            for (width, height) in [(-1, 68), (60, 68), (123, 68), (124, 54), (187, 54), (188, 30), (500, 30)] {
                XCTAssertEqual(
                    extent(box, GTK_ORIENTATION_VERTICAL, Int32(width)), [Int32(height), Int32(height)], "\(width)")
            }
        }
    }

    func testTheLimitsOfTheColumnsAreLimitsOfTheWidth() {
        GtkFixture.run { test in
            let cases: [(ClosedRange<Int>, widths: [Int32], height: Int32)] = [
                (2...7, [124, 188], 54), (1...2, [60, 124], 68), (5...9, [316, 316], 30), (-3...0, [60, 60], 68),
            ]
            for (columns, widths, height) in cases {
                let box = test.watch(flow(columns: columns, spacing: 4), "the box")
                XCTAssertEqual(extent(box, GTK_ORIENTATION_HORIZONTAL), widths, "\(columns)")
                // Without a width, it is as high as with its fewest columns.
                XCTAssertEqual(extent(box, GTK_ORIENTATION_VERTICAL), [height, height], "\(columns)")
            }
            let negative = test.watch(flow(columns: 1...7, spacing: -4), "the box")
            XCTAssertEqual(extent(negative, GTK_ORIENTATION_HORIZONTAL), [60, 180])
        }
    }

    func testAFlowBoxWithoutChildrenHasNoSize() {
        GtkFixture.run { test in
            let box = test.watch(FlowBox(spacing: 4) {}.content, "the box")
            XCTAssertEqual(lengths(of: box), [0, 0, 0, 0])
            XCTAssertEqual(extent(box, GTK_ORIENTATION_VERTICAL, 100), [0, 0])
        }
    }

    func testAHiddenChildTakesNoPlaceInAFlowBox() {
        GtkFixture.run { test in
            let box = test.watch(flow(columns: 1...7, spacing: 4), "the box")
            gtk_widget_set_visible(children(of: box.pointer)[1], 0)
            XCTAssertEqual(extent(box, GTK_ORIENTATION_HORIZONTAL), [60, 124])
            XCTAssertEqual(extent(box, GTK_ORIENTATION_VERTICAL), [44, 44])
        }
    }

    func testTheFirstColumnsAreAPointWiderIfTheWidthIsNotDivisible() {
        GtkFixture.run { test in
            let box = test.watch(flow(columns: 3...3, spacing: 1, count: 4), "the box")
            allocate(box, 205, 71)
            XCTAssertEqual(
                areas(in: box), [[0, 0, 68, 30], [69, 0, 68, 30], [138, 0, 67, 30], [0, 31, 68, 40]])
        }
    }

    /// Lines share the height that is left above their minimum, the lowest line first.
    func testTheLinesOfAFlowBoxGrowToTheirNaturalHeights() {
        GtkFixture.run { test in
            let box = test.watch(
                FlowBox(columns: 1...1, spacing: 4) {
                    picture(60, 40)
                    picture(60, 20).id(2)
                }
                .content, "the box")
            XCTAssertEqual(lengths(of: box, forWidth: 60), [0, 60, 4, 64])
            allocate(box, 60, 64)
            XCTAssertEqual(areas(in: box), [[0, 0, 60, 40], [0, 44, 60, 20]])
            allocate(box, 60, 56)
            XCTAssertEqual(areas(in: box), [[0, 0, 60, 32], [0, 36, 60, 20]])
            allocate(box, 60, 90)
            XCTAssertEqual(areas(in: box), [[0, 0, 60, 40], [0, 44, 60, 20]])
        }
    }

    // MARK: Maximum sizes

    func testAMaximumLimitsTheNaturalSizeAndIncludesNoPadding() {
        GtkFixture.run { test in
            let wide = picture(300, 200)
            @MainActor func limited(_ declaration: some WidgetDeclaration) -> [Int32] {
                let column = test.watch(Column { declaration }.content, "the column")
                let widget = Widget(children(of: column.pointer)[0])
                return extent(widget, GTK_ORIENTATION_HORIZONTAL) + extent(widget, GTK_ORIENTATION_VERTICAL)
            }
            XCTAssertEqual(limited(wide.frame(maxWidth: 60)), [0, 60, 0, 40], "the height follows from the width")
            XCTAssertEqual(limited(wide.frame(maxHeight: 50)), [0, 300, 0, 50])
            XCTAssertEqual(limited(wide.frame(maxWidth: 400, maxHeight: 500)), [0, 300, 0, 200])
            let padded = wide.frame(maxWidth: 60, maxHeight: 30)
                .padding(.leading, 7).padding(.trailing, 4).padding(.top, 1).padding(.bottom, 9)
            XCTAssertEqual(limited(padded), [11, 71, 10, 40])
            XCTAssertEqual(limited(wide.frame(maxWidth: 60).frame(maxWidth: 90)), [0, 90, 0, 60], "the last one")
            XCTAssertEqual(limited(fixed(25, 15, 1).frame(maxWidth: -5, maxHeight: -6)), [25, 25, 15, 15])
        }
    }

    func testALimitedWidgetIsInTheMiddleOfItsArea() {
        GtkFixture.run { test in
            let column = test.watch(
                Column { picture(300, 200).frame(maxWidth: 60, maxHeight: 30) }.content, "the column")
            let frame = Widget(children(of: column.pointer)[0])
            allocate(frame, 101, 75)
            XCTAssertEqual(areas(in: frame), [[20, 22, 60, 30]])
            allocate(frame, 40, 20)
            XCTAssertEqual(areas(in: frame), [[0, 0, 40, 20]])
        }
    }

    // MARK: The first that fits

    func testTheFirstWidgetThatFitsDeterminesTheNaturalSize() {
        GtkFixture.run { test in
            let box = test.watch(alert(), "the box")
            XCTAssertEqual(extent(box, GTK_ORIENTATION_HORIZONTAL), [20, 100])
            let heights: [Int32: [Int32]] = [
                -1: [10, 50], 100: [10, 50], 99: [10, 30], 40: [10, 30], 39: [10, 10], 20: [10, 10],
            ]
            for (width, expected) in heights {
                XCTAssertEqual(extent(box, GTK_ORIENTATION_VERTICAL, width), expected, "\(width)")
            }
            XCTAssertEqual(gtk_accessible_get_accessible_role(box.opaque), GTK_ACCESSIBLE_ROLE_ALERT)
        }
    }

    func testTheFirstWidgetThatFitsIsShownAlone() {
        GtkFixture.run { test in
            let box = test.watch(alert(), "the box")
            // In GTK 4.18, widgets that were never mapped are hidden.
            test.show(box.pointer)
            let places: [(width: Int32, height: Int32, shown: Int, size: [Int])] = [
                (100, 50, 0, [100, 50]), (99, 50, 1, [99, 50]), (100, 49, 1, [100, 49]), (40, 30, 1, [40, 30]),
                (39, 30, 2, [39, 30]), (40, 29, 2, [40, 29]), (150, 70, 0, [150, 70]),
            ]
            for place in places {
                allocate(box, place.width, place.height)
                let all = children(of: box.pointer)
                XCTAssertEqual(
                    all.map { gtk_widget_get_child_visible($0) != 0 }, (0..<3).map { $0 == place.shown }, "\(place)")
                XCTAssertEqual(areas(in: box)[place.shown].suffix(2), place.size[...], "\(place)")
                for (index, widget) in all.enumerated() {
                    XCTAssertNil(unmet(shim_check_hidden(widget, index == place.shown ? 0 : 1)), "\(place), \(index)")
                }
            }
        }
    }

    func testAButtonHoldsTheLastWidgetAlone() {
        GtkFixture.run { test in
            let button = Widget(gtk_button_new())
            let box = test.watch(alert(), "the box")
            gtk_button_set_child(
                UnsafeMutableRawPointer(button.pointer).assumingMemoryBound(to: GtkButton.self), box.pointer)
            XCTAssertEqual(extent(box, GTK_ORIENTATION_HORIZONTAL), [20, 20])
            XCTAssertEqual(extent(box, GTK_ORIENTATION_VERTICAL), [10, 10])
            allocate(box, 150, 70)
            XCTAssertEqual(
                children(of: box.pointer).map { gtk_widget_get_child_visible($0) != 0 }, [false, false, true])
        }
    }

    func testTheWidgetsAreInTheOrderOfTheDeclaration() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    DeclaredWidget.alertThatFits {
                        if model.isShown { Label("first") }
                        Label("second")
                        Label("third")
                    }
                })
            XCTAssertEqual(texts(in: widget.pointer), ["first", "second", "third"])
            model.isShown = false
            test.turn { texts(in: widget.pointer) == ["second", "third"] }
            model.isShown = true
            test.turn { texts(in: widget.pointer) == ["first", "second", "third"] }
        }
    }

    // MARK: Containers over each other

    func testLaterOverlaysAreAboveEarlierOnes() throws {
        try GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    Overlay {
                        Label("main")
                    } overlays: {
                        Label("lower")
                        if model.isShown { Label("middle") }
                        Label("upper")
                    }
                })
            let overlay = try XCTUnwrap(children(of: widget.pointer).first)
            XCTAssertEqual(texts(in: overlay), ["main", "lower", "middle", "upper"])
            model.isShown = false
            test.turn { texts(in: overlay) == ["main", "lower", "upper"] }
            model.isShown = true
            test.turn { texts(in: overlay) == ["main", "lower", "middle", "upper"] }
        }
    }

    func testAScrollViewScrollsInItsDirectionAlone() {
        GtkFixture.run { test in
            let views = [ScrollView {}, ScrollView(.horizontal) {}, ScrollView(.vertical) {}, ScrollView(.both) {}]
            let policies = views.map { view -> [GtkPolicyType] in
                let widget = test.watch(view.content, "the view")
                var (across, along) = (GTK_POLICY_ALWAYS, GTK_POLICY_ALWAYS)
                gtk_scrolled_window_get_policy(widget.opaque, &across, &along)
                XCTAssertEqual(
                    [gtk_widget_get_hexpand(widget.pointer), gtk_widget_get_vexpand(widget.pointer)], [1, 1])
                return [across, along]
            }
            let (no, auto) = (GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            XCTAssertEqual(policies, [[no, auto], [auto, no], [no, auto], [auto, auto]])
        }
    }

    func testAStackWithoutTheSelectedPageWarnsAndKeepsItsPage() {
        GtkFixture.run { test in
            let warnings = Warnings()
            let widget = test.shown(
                Stack(selection: "three", pages: [Stack.Page("one") { Label("1") }, Stack.Page("two") { Label("2") }]))
            XCTAssertEqual(warnings.messages, ["a stack has no page \"three\""])
            XCTAssertEqual(gtk_stack_get_visible_child_name(widget.opaque).map { String(cString: $0) }, "one")
            XCTAssertEqual(gtk_stack_get_transition_type(widget.opaque), GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        }
    }

    func testTheWidgetsOfAHeaderBarHaveSpaceBetweenThem() {
        GtkFixture.run { test in
            let bar = test.shown(
                HeaderBar {
                    Label("a")
                    Label("b")
                } end: {
                    Label("c")
                    Label("d")
                })
            XCTAssertEqual(texts(in: bar.pointer).filter { "abcd".contains($0) }, ["a", "b", "c", "d"])
            let rows = descendants(of: bar.pointer).filter { row in
                children(of: row).count == 2 && children(of: row).allSatisfy { text(in: $0) != nil }
                    && shim_is_a(row, gtk_box_get_type()) != 0
            }
            let spacings = rows.map { gtk_box_get_spacing(UnsafeMutablePointer(OpaquePointer($0))) }
            XCTAssertEqual(spacings, [6, 6])
        }
    }
}

/// An empty widget of a fixed size.
@MainActor
private func fixed(_ width: Int, _ height: Int, _ id: Int) -> DeclaredWidget {
    Row {}.frame(width: width, height: height).id(id).body
}

@MainActor
private func pair() -> [DeclaredWidget] { [fixed(20, 10, 1), fixed(30, 40, 2)] }

/// A widget without a minimum size, whose natural height follows from its width.
@MainActor
private func picture(_ width: Int32, _ height: Int32) -> DeclaredWidget {
    DeclaredWidget("Empty picture") {
        let paintable = gdk_paintable_new_empty(width, height)
        defer { g_object_unref(paintable.map { UnsafeMutableRawPointer($0) }) }
        let picture = Widget(gtk_picture_new_for_paintable(paintable))
        gtk_picture_set_can_shrink(picture.opaque, 1)
        return picture
    }
}

/// Children of 60 points, each 10 points higher than the one before.
@MainActor
private func flow(columns: ClosedRange<Int>, spacing: Int, count: Int = 3) -> Widget {
    FlowBox(columns: columns, spacing: spacing) { for index in 0..<count { fixed(60, 10 * (index + 1), index) } }
        .content
}

@MainActor
private func alert() -> Widget {
    WidgetNode.makeWidget(
        DeclaredWidget.alertThatFits {
            fixed(100, 50, 0)
            fixed(40, 30, 1)
            fixed(20, 10, 2)
        })
}

@MainActor
private func extent(_ widget: Widget, _ orientation: GtkOrientation, _ size: Int32 = -1) -> [Int32] {
    var (minimum, natural): (Int32, Int32) = (-1, -1)
    gtk_widget_measure(widget.pointer, orientation, size, &minimum, &natural, nil, nil)
    return [minimum, natural]
}

/// The minimum and the natural width, then the minimum and the natural height.
@MainActor
private func lengths(of widget: Widget, forWidth width: Int32 = -1) -> [Int32] {
    extent(widget, GTK_ORIENTATION_HORIZONTAL) + extent(widget, GTK_ORIENTATION_VERTICAL, width)
}

@MainActor
private func allocate(_ widget: Widget, _ width: Int32, _ height: Int32) {
    _ = extent(widget, GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_allocate(widget.pointer, width, height, -1, nil)
}

/// The position and the size of each child.
@MainActor
private func areas(in box: Widget) -> [[Int]] {
    children(of: box.pointer).map { child in
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(child, box.pointer, &bounds)
        return [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height].map { Int($0) }
    }
}
