import CRemoteImageGtk

/// The largest size of a widget in a larger area, in points; `Int32.max` for none.
struct MaxSize: Hashable {
    private var width = Int32.max
    private var height = Int32.max

    /// Replaces the lengths that are given; infinite ones do not limit.
    mutating func limit(_ newWidth: Double?, _ newHeight: Double?) {
        if let newWidth { width = Self.points(newWidth) }
        if let newHeight { height = Self.points(newHeight) }
    }

    private static func points(_ length: Double) -> Int32 {
        length < Double(Int32.max) ? Int32(max(0, length)) : .max
    }

    @MainActor
    fileprivate func measure(
        _ children: [ChildLayout.Child], _ orientation: GtkOrientation, _ size: Int32
    ) -> ChildLayout.Length {
        guard let child = children.first else { return (0, 0) }
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        let length = isWidth ? child.length() : child.length(orientation, width(of: child, in: size))
        return (length.minimum, max(length.minimum, min(length.natural, isWidth ? width : height)))
    }

    @MainActor
    fileprivate func allocate(_ children: [ChildLayout.Child], _ areaWidth: Int32, _ areaHeight: Int32) {
        guard let child = children.first else { return }
        let width = width(of: child, in: areaWidth)
        let minimum = child.length(GTK_ORIENTATION_VERTICAL, width).minimum
        let height = max(minimum, min(areaHeight, height))
        let isMirrored = gtk_widget_get_direction(child) == GTK_TEXT_DIR_RTL
        let x = Self.offset(gtk_widget_get_halign(child), areaWidth - width)
        var area = GtkAllocation(
            x: isMirrored ? areaWidth - width - x : x,
            y: Self.offset(gtk_widget_get_valign(child), areaHeight - height),
            width: width, height: height)
        gtk_widget_size_allocate(child, &area, -1)
    }

    /// The width of the widget in an area; -1 for its natural one.
    @MainActor
    private func width(of child: ChildLayout.Child, in area: Int32) -> Int32 {
        let length = child.length()
        return max(length.minimum, min(area < 0 ? length.natural : area, width))
    }

    private static func offset(_ alignment: GtkAlign, _ space: Int32) -> Int32 {
        switch alignment {
        case GTK_ALIGN_START, GTK_ALIGN_BASELINE: 0
        case GTK_ALIGN_END: space
        default: space / 2
        }
    }
}

extension DeclaredWidget {
    /// The widget, or one around it that limits its size.
    var framed: DeclaredWidget {
        guard maxSize != MaxSize() else { return self }
        var (content, limit) = (self, maxSize)
        content.maxSize = MaxSize()
        var frame = DeclaredWidget.box("MaxSize", { [content] }) {
            Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        }
        .setting { ChildLayout.set(on: $0.pointer, measure: limit.measure, allocate: limit.allocate) }
        (frame.key.id, frame.key.path, frame.menuItem) = (key.id, key.path, menuItem)
        return frame
    }
}
