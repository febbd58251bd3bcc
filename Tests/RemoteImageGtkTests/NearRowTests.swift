import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// The distances of the rows around the visible ones of a list, and the sizes of their content.
final class NearRowTests: XCTestCase {
    func testTheDistanceOfARowIsThatFromTheVisiblePart() throws {
        for kind in RowList.Kind.allCases {
            try GtkFixture.run { test in
                let list = RowList(kind, test)
                let length = list.length
                // 20 points of a row are above the visible part, and 30 of another one below it.
                let (start, end) = (20 * length + 20, 24 * length - 30)
                list.scroll(to: start, page: end - start)
                test.draw(list.view.pointer)
                try list.expectNear(from: start, to: end, margin: 2 * length + 30, "\(kind)")
                try list.expectNear(from: start, to: end, margin: 2 * length + 29, "\(kind)")
                try list.expectNear(from: start, to: end, margin: 2 * length + 20, "\(kind)")
                try list.expectNear(from: start, to: end, margin: 2 * length + 19, "\(kind)")
                try list.expectNear(from: start, to: end, margin: 0, "\(kind)")
            }
        }
    }

    func testTheFirstAndTheLastRowsHaveRowsOnOneSideAlone() throws {
        for kind in RowList.Kind.allCases {
            try GtkFixture.run { test in
                let list = RowList(kind, test)
                for isEnd in [false, true] {
                    let start = isEnd ? list.whole - list.page : 0
                    list.scroll(to: start)
                    test.draw(list.view.pointer)
                    try list.expectNear(from: start, to: start + list.page, margin: 3 * list.length, "\(kind)")
                }
            }
        }
    }

    /// The last line of the grid has one row, and GTK rounds the places of lines.
    func testBothRowsOfALineOfAGridHaveTheDistanceOfTheLine() throws {
        try GtkFixture.run { test in
            let list = RowList(.list, columns: 2, count: 15, test)
            list.scroll(to: list.whole - list.page)
            test.draw(list.view.pointer)
            let rows = try XCTUnwrap(VisibleRows(of: list.view.pointer, isGrid: true))
            let found = rows.nearRows(within: 2.5 * list.length)
            XCTAssertEqual(Set(found.map { list.number(of: $0.row) / 2 }).count, found.count / 2)
            XCTAssertGreaterThanOrEqual(found.count, 4)
            for (row, distance) in found {
                let end = Double(list.number(of: row) / 2 + 1) * list.length
                XCTAssertEqual(distance, list.whole - list.page - end, accuracy: 2, "row \(list.number(of: row))")
            }
        }
    }

    /// The second child of a row is larger than the first, and those of odd rows are of another
    /// class.
    func testTheContentOfANearRowHasTheSizeOfThatInAVisibleRow() throws {
        try GtkFixture.run { test in
            let list = RowList(.list, test)
            list.scroll(to: 20 * list.length)
            test.draw(list.view.pointer)
            let rows = try XCTUnwrap(VisibleRows(of: list.view.pointer, isGrid: false))
            let near = rows.nearRows(within: 3 * list.length).map(\.row)
            XCTAssertGreaterThan(near.count, 4)
            for row in near {
                let box = try XCTUnwrap(gtk_widget_get_first_child(row))
                let sizes = ([row, box] + children(of: box)).map { rows.expectedSize(of: $0, in: row) }
                    .map { size in size.map { [$0.width, $0.height] } ?? [] }
                let visible = try XCTUnwrap(list.mappedRow(isOdd: list.number(of: row) % 2 == 1))
                let visibleBox = try XCTUnwrap(gtk_widget_get_first_child(visible))
                let expected = ([visible, visibleBox] + children(of: visibleBox)).map {
                    [gtk_widget_get_width($0), gtk_widget_get_height($0)]
                }
                XCTAssertEqual(sizes, expected, "row \(list.number(of: row))")
                XCTAssertGreaterThan(Set(expected).count, 2)
            }
        }
    }
}

/// A list or grid of rows, which are boxes of two widgets.
@MainActor
private final class RowList {
    enum Kind: CaseIterable { case list, horizontalList, mirroredList }

    let view: Widget
    private let scroller = Widget(gtk_scrolled_window_new())
    private let (isHorizontal, isMirrored): (Bool, Bool)
    private let window: TestWindow
    private let test: GtkFixture
    private let lineCount: Int

    init(_ kind: Kind, columns: Int = 1, count: Int = 101, _ test: GtkFixture) {
        (isHorizontal, isMirrored) = (kind != .list, kind == .mirroredList)
        self.test = test
        lineCount = (count + columns - 1) / columns
        let names = gtk_string_list_new(nil)
        for row in 0..<count { gtk_string_list_append(names, "\(row)") }
        let factory = gtk_signal_list_item_factory_new()
        let reference = ObjectReference(borrowing: UnsafeMutableRawPointer(factory!))
        let model = gtk_no_selection_new(names)
        view = Widget(columns > 1 ? gtk_grid_view_new(model, factory) : gtk_list_view_new(model, factory))
        if columns > 1 {
            gtk_grid_view_set_min_columns(view.opaque, UInt32(columns))
            gtk_grid_view_set_max_columns(view.opaque, UInt32(columns))
        }
        Signal.connect(row: "bind", of: reference) { row in
            let position = Int(gtk_list_item_get_position(row))
            let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            let label = Widget(gtk_label_new("\(position)"))
            gtk_widget_set_size_request(label.pointer, 34, 50)
            let second = Widget(position % 2 == 0 ? gtk_picture_new() : gtk_level_bar_new())
            gtk_widget_set_size_request(second.pointer, 28, 50)
            append(label.pointer, to: box)
            append(second.pointer, to: box)
            gtk_list_item_set_child(row, box.pointer)
        }
        if isHorizontal { gtk_orientable_set_orientation(view.opaque, GTK_ORIENTATION_HORIZONTAL) }
        if isMirrored { gtk_widget_set_direction(view.pointer, GTK_TEXT_DIR_RTL) }
        gtk_scrolled_window_set_child(scroller.opaque, view.pointer)
        window = test.show(scroller.pointer, width: 180, height: 180)
        test.draw(view.pointer)
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        isHorizontal
            ? gtk_scrolled_window_get_hadjustment(scroller.opaque)
            : gtk_scrolled_window_get_vadjustment(scroller.opaque)
    }

    var whole: Double { gtk_adjustment_get_upper(adjustment) }
    var page: Double { gtk_adjustment_get_page_size(adjustment) }
    /// The length of a row.
    var length: Double { whole / Double(lineCount) }

    func scroll(to place: Double, page: Double? = nil) {
        if let page, page != self.page {
            let (width, height) = isHorizontal ? (Int(page), 180) : (180, Int(page))
            window.resize(width: width, height: height)
            test.turn { self.page == page }
        }
        gtk_adjustment_set_value(adjustment, isMirrored ? whole - self.page - place : place)
    }

    func number(of row: UnsafeMutablePointer<GtkWidget>) -> Int { text(in: row).flatMap { Int($0) } ?? -1 }

    func mappedRow(isOdd: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        children(of: view.pointer).first { gtk_widget_get_mapped($0) != 0 && (number(of: $0) % 2 == 1) == isOdd }
    }

    /// Checks the rows that are at most `margin` away from a part of the content.
    func expectNear(from start: Double, to end: Double, margin: Double, _ message: String) throws {
        let found = try XCTUnwrap(VisibleRows(of: view.pointer, isGrid: false)).nearRows(within: margin)
        var expected: [Int: Double] = [:]
        for row in children(of: view.pointer) where gtk_widget_get_mapped(row) == 0 && number(of: row) >= 0 {
            let line = Double(number(of: row))
            let distance = max(0, line * length - end, start - (line + 1) * length)
            if distance <= margin { expected[number(of: row)] = distance }
        }
        XCTAssertEqual(
            Dictionary(found.map { (number(of: $0.row), $0.distance) }, uniquingKeysWith: { first, _ in first }),
            expected, message)
        XCTAssertEqual(found.map(\.distance), found.map(\.distance).sorted(), message)
        if margin >= length { XCTAssertFalse(expected.isEmpty, message) }
    }
}
