import CRemoteImageGtk

/// The rows of a list in their order, some of which are visible: from these follow the distances of
/// the others and the sizes of their content.
///
/// Valid until the next layout.
@MainActor
struct VisibleRows {
    typealias Row = UnsafeMutablePointer<GtkWidget>

    private let list: UnsafeMutablePointer<GtkWidget>
    private let orientation: GtkOrientation
    private let rows: [Row]
    /// From the first to the last mapped row.
    private let visible: ClosedRange<Int>
    /// The rows of one line, side by side: 1, or the columns of a grid.
    private var lineCount = 1

    /// `nil` if no row is visible.
    init?(of list: UnsafeMutablePointer<GtkWidget>, isGrid: Bool) {
        let rows = Array(list.children)
        guard let first = rows.firstIndex(where: { gtk_widget_get_mapped($0) != 0 }),
            let last = rows.lastIndex(where: { gtk_widget_get_mapped($0) != 0 })
        else { return nil }
        (self.list, self.rows, visible) = (list, rows, first...last)
        orientation = gtk_orientable_get_orientation(OpaquePointer(list))
        if isGrid {
            // The last line of a grid may not be full.
            let starts = rows[visible].map { span(of: $0).start }
            lineCount = max(
                1, starts.count { $0 == starts.first }, starts.count { $0 == starts.last })
        }
    }

    // MARK: Distances

    /// The unmapped rows at most `margin` points outside of the list, the nearest first.
    func nearRows(within margin: Double) -> [(row: Row, distance: Double)] {
        var near = rows[visible].filter { gtk_widget_get_mapped($0) == 0 }.map { (row: $0, distance: 0.0) }
        let (first, last) = (rows[visible.lowerBound], rows[visible.upperBound])
        let page = Double(isHorizontal ? gtk_widget_get_width(list) : gtk_widget_get_height(list))
        var distance = max(0, span(of: last).end - page)
        var line = rows[(visible.upperBound + 1)...].prefix(lineCount)
        while distance <= margin, !line.isEmpty {
            near += line.map { ($0, distance) }
            distance += length(of: line)
            line = rows[line.endIndex...].prefix(lineCount)
        }
        distance = max(0, -span(of: first).start)
        line = rows[..<visible.lowerBound].suffix(lineCount)
        while distance <= margin, !line.isEmpty {
            near += line.map { ($0, distance) }
            distance += length(of: line)
            line = rows[..<line.startIndex].suffix(lineCount)
        }
        return near.sorted { $0.distance < $1.distance }
    }

    private var isHorizontal: Bool { orientation == GTK_ORIENTATION_HORIZONTAL }

    /// The place of a visible row along the list, in points from the start of the list.
    private func span(of row: Row) -> (start: Double, end: Double) {
        let bounds = bounds(of: row)
        let (x, y) = (Double(bounds.origin.x), Double(bounds.origin.y))
        let (width, height) = (Double(bounds.size.width), Double(bounds.size.height))
        guard isHorizontal else { return (y, y + height) }
        guard gtk_widget_get_direction(list) == GTK_TEXT_DIR_RTL else { return (x, x + width) }
        let end = Double(gtk_widget_get_width(list)) - x
        return (end - width, end)
    }

    private func bounds(of row: Row) -> graphene_rect_t {
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(row, list, &bounds)
        return bounds
    }

    /// The length of a line that is not allocated. GTK has measured its rows, and keeps the result.
    private func length(of line: ArraySlice<Row>) -> Double {
        let size = bounds(of: rows[visible.lowerBound]).size
        let breadth = Int32(saturating: Double(isHorizontal ? size.height : size.width))
        let scrollable = OpaquePointer(list)
        let policy =
            isHorizontal ? gtk_scrollable_get_hscroll_policy(scrollable) : gtk_scrollable_get_vscroll_policy(scrollable)
        return line.reduce(0) { longest, row in
            var (minimum, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(row, orientation, breadth, &minimum, &natural, nil, nil)
            return max(longest, Double(policy == GTK_SCROLL_MINIMUM ? minimum : natural))
        }
    }

    // MARK: Sizes

    /// The size of a widget in an unmapped row: that of the widget at the same place of a visible
    /// row, else that of its own last allocation. `nil` if there is neither.
    func expectedSize(of widget: UnsafeMutablePointer<GtkWidget>, in row: Row) -> (width: Int32, height: Int32)? {
        let path = Self.path(from: row, to: widget)
        let equals = rows[visible].lazy.filter { gtk_widget_get_mapped($0) != 0 }
            .compactMap { Self.widget(at: path, in: $0) }
            .filter { shim_type_of($0) == shim_type_of(widget) }
        for other in [equals.first { Self.size(of: $0) != nil }, widget].compactMap({ $0 }) {
            if let size = Self.size(of: other) { return size }
        }
        return nil
    }

    private static func size(of widget: UnsafeMutablePointer<GtkWidget>) -> (width: Int32, height: Int32)? {
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        return width > 0 && height > 0 ? (width, height) : nil
    }

    /// The number of siblings before each widget on the way from `row` to `widget`.
    private static func path(from row: Row, to widget: UnsafeMutablePointer<GtkWidget>) -> [Int] {
        var path: [Int] = []
        var current = widget
        while current != row, let parent = gtk_widget_get_parent(current) {
            var position = 0
            while let previous = gtk_widget_get_prev_sibling(current) {
                position += 1
                current = previous
            }
            path.append(position)
            current = parent
        }
        return path.reversed()
    }

    private static func widget(at path: [Int], in row: Row) -> UnsafeMutablePointer<GtkWidget>? {
        var current: UnsafeMutablePointer<GtkWidget>? = row
        for position in path {
            current = current.flatMap { gtk_widget_get_first_child($0) }
            for _ in 0..<position { current = current.flatMap { gtk_widget_get_next_sibling($0) } }
        }
        return current
    }
}
