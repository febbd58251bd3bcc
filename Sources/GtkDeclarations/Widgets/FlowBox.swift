import CRemoteImageGtk

/// A box whose children stand in lines, in columns of equal width. As many columns are shown as
/// fit with the natural width of the widest child; they share the whole width. For many children
/// use a list, which makes only the visible ones.
///
/// Unlike a `GtkFlowBox`, it adds no widgets around its children, so that the Tab key stops only
/// at them, and the arrow keys move the focus among them.
public struct FlowBox: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - columns: The minimum and the maximum number of children in a line, at least 1. Default:
    ///     1 to 7.
    ///   - spacing: The space between the children, in points. Default: 0.
    ///   - content: The children, in order. It runs again when an observable value that it read has
    ///     changed.
    public init(
        columns: ClosedRange<Int> = 1...7, spacing: Int = 0,
        @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        let layout = FlowLayout(
            minColumns: Int32(clamping: max(1, columns.lowerBound)),
            maxColumns: Int32(clamping: max(1, columns.upperBound)),
            spacing: Int32(clamping: min(10_000, max(0, spacing))))
        body = .box("FlowBox", content) {
            let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            gtk_widget_set_valign(box.pointer, GTK_ALIGN_START)
            return box
        }
        .setting { node in
            ChildLayout.set(on: node.pointer, measure: layout.measure, allocate: layout.allocate)
        }
    }
}

/// The layout of a ``FlowBox``.
@MainActor
private struct FlowLayout {
    let minColumns: Int32
    let maxColumns: Int32
    let spacing: Int32

    func measure(
        _ children: [ChildLayout.Child], _ orientation: GtkOrientation, _ size: Int32
    ) -> ChildLayout.Length {
        let widest = ChildLayout.largest(children.map { $0.length() })
        guard orientation == GTK_ORIENTATION_VERTICAL else {
            let natural = max(minColumns, min(maxColumns, Int32(clamping: children.count)))
            return (total(of: widest.minimum, minColumns), total(of: widest.natural, natural))
        }
        let width = size < 0 ? total(of: widest.natural, minColumns) : size
        let heights = lines(of: children, width).map { $0.height }
        let gaps = spacing * Int32(clamping: max(0, heights.count - 1))
        return (heights.map(\.minimum).reduce(gaps, +), heights.map(\.natural).reduce(gaps, +))
    }

    func allocate(_ children: [ChildLayout.Child], _ width: Int32, _ height: Int32) {
        let lines = lines(of: children, width)
        var sizes = lines.map {
            GtkRequestedSize(data: nil, minimum_size: $0.height.minimum, natural_size: $0.height.natural)
        }
        let gaps = spacing * Int32(clamping: max(0, lines.count - 1))
        let extra = height - sizes.map(\.minimum_size).reduce(gaps, +)
        gtk_distribute_natural_allocation(max(0, extra), guint(sizes.count), &sizes)
        var y: Int32 = 0
        for (line, size) in zip(lines, sizes) {
            for (child, x, columnWidth) in line.cells {
                let isMirrored = gtk_widget_get_direction(gtk_widget_get_parent(child)) == GTK_TEXT_DIR_RTL
                var area = GtkAllocation(
                    x: isMirrored ? width - x - columnWidth : x, y: y, width: columnWidth, height: size.minimum_size)
                gtk_widget_size_allocate(child, &area, -1)
            }
            y += size.minimum_size + spacing
        }
    }

    private func total(of width: Int32, _ columns: Int32) -> Int32 {
        Int32(clamping: Int(columns) * Int(width + spacing) - Int(spacing))
    }

    private typealias Cell = (child: ChildLayout.Child, x: Int32, width: Int32)
    private typealias Line = (cells: [Cell], height: ChildLayout.Length)

    private func lines(of children: [ChildLayout.Child], _ width: Int32) -> [Line] {
        let widest = ChildLayout.largest(children.map { $0.length() })
        let fitting = (width + spacing) / max(1, widest.natural + spacing)
        let columns = max(minColumns, min(maxColumns, fitting))
        // The first columns are a point wider if the width is not divisible.
        let (share, rest) = (width - spacing * (columns - 1)).quotientAndRemainder(dividingBy: columns)
        return stride(from: 0, to: children.count, by: Int(columns)).map { first -> Line in
            let cells = children[first...].prefix(Int(columns)).enumerated().map { index, child -> Cell in
                let index = Int32(index)
                let x = (share + spacing) * index + min(index, rest)
                return (child, x, max(share + (index < rest ? 1 : 0), child.length().minimum))
            }
            return (cells, ChildLayout.largest(cells.map { $0.child.length(GTK_ORIENTATION_VERTICAL, $0.width) }))
        }
    }
}
