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

    /// The limits of a widget with its margins.
    @MainActor
    private func withMargins(of child: ChildLayout.Child) -> (width: Int32, height: Int32) {
        let horizontal = Int(gtk_widget_get_margin_start(child)) + Int(gtk_widget_get_margin_end(child))
        let vertical = Int(gtk_widget_get_margin_top(child)) + Int(gtk_widget_get_margin_bottom(child))
        return (Int32(clamping: Int(width) + horizontal), Int32(clamping: Int(height) + vertical))
    }

    @MainActor
    fileprivate func measure(
        _ children: [ChildLayout.Child], _ orientation: GtkOrientation, _ size: Int32
    ) -> ChildLayout.Length {
        guard let child = children.first else { return (0, 0) }
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        let length = isWidth ? child.length() : child.length(orientation, width(of: child, in: size))
        let limit = withMargins(of: child)
        return (length.minimum, max(length.minimum, min(length.natural, isWidth ? limit.width : limit.height)))
    }

    /// Puts the widget into the middle.
    @MainActor
    fileprivate func allocate(_ children: [ChildLayout.Child], _ areaWidth: Int32, _ areaHeight: Int32) {
        guard let child = children.first else { return }
        let width = width(of: child, in: areaWidth)
        let minimum = child.length(GTK_ORIENTATION_VERTICAL, width).minimum
        let height = max(minimum, min(areaHeight, withMargins(of: child).height))
        var area = GtkAllocation(
            x: (areaWidth - width) / 2, y: (areaHeight - height) / 2, width: width, height: height)
        gtk_widget_size_allocate(child, &area, -1)
    }

    /// The width of the widget in an area; -1 for its natural one.
    @MainActor
    private func width(of child: ChildLayout.Child, in area: Int32) -> Int32 {
        let length = child.length()
        return max(length.minimum, min(area < 0 ? length.natural : area, withMargins(of: child).width))
    }
}

extension DeclaredWidget {
    /// The kind of the box around a widget with a maximum size.
    static let frameKind = "MaxSize"
    /// The bindings that make these boxes as visible as their widgets.
    private static let bindings = ObjectData<WeakObject>("remote-image-frame-binding")

    /// The widget, or a box around it that limits its size and takes its place.
    var framed: DeclaredWidget {
        guard maxSize != MaxSize() else { return self }
        var (content, limit) = (self, maxSize)
        content.maxSize = MaxSize()
        var frame = DeclaredWidget(Self.frameKind) { Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)) }
            .containing { [content] }
            .setting { node in
                ChildLayout.set(on: node.pointer, measure: limit.measure, allocate: limit.allocate)
                let (widget, box) = (node.pointer, node.typed(GtkBox.self))
                node.setChild([content]) { child in
                    if let binding = Self.bindings[widget]?.strong() {
                        g_binding_unbind(OpaquePointer(binding.pointer))
                    }
                    if let old = gtk_widget_get_first_child(widget) { gtk_box_remove(box, old) }
                    guard let child else { return }
                    gtk_box_append(box, child)
                    Self.bindings[widget] = WeakObject(shim_bind(child, "visible", widget))
                }
                node.standInForChild()
            }
        (frame.key.id, frame.key.path, frame.menuItem) = (key.id, key.path, menuItem)
        return frame
    }
}
