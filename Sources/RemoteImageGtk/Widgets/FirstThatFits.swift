import CRemoteImageGtk

extension DeclaredWidget {
    /// Shows the first of several widgets that fits into the size, else the last one, and has the
    /// accessible role of an alert, which screen readers announce at once.
    ///
    /// Its minimum size is that of the smallest widget, its natural size that of the first one. In
    /// a `GtkButton` it shows the last widget, since the others contain buttons.
    static func alertThatFits(@WidgetBuilder _ content: @escaping @MainActor () -> [DeclaredWidget]) -> DeclaredWidget {
        DeclaredWidget("AlertThatFits") {
            let box = Widget(shim_alert_box_new(0))
            let layout = gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, size, minimum, natural, _, _ in
                    guard let widget else { return }
                    nonisolated(unsafe) let box = widget  // Never leaves this call, which is on the main thread.
                    let length = MainLoop.assumeIsolated { FirstThatFits(in: box).measure(orientation, size) }
                    minimum?.pointee = length.minimum
                    natural?.pointee = length.natural
                },
                { widget, width, height, _ in
                    guard let widget else { return }
                    nonisolated(unsafe) let box = widget  // Never leaves this call, which is on the main thread.
                    MainLoop.assumeIsolated { FirstThatFits(in: box).allocate(width, height) }
                })
            gtk_widget_set_layout_manager(box.pointer, layout)
            return box
        }
        .containing(content)
        .observing(content) { node, content in
            node.updateChildren(to: content) { widget, previous in
                gtk_widget_insert_after(widget.pointer, node.pointer, previous?.pointer)
                // The size is not known yet.
                FirstThatFits.show(widget.pointer, previous == nil)
            } remove: { widget in
                gtk_widget_unparent(widget.pointer)
            }
        }
    }
}

/// The layout of widgets of which one is shown.
@MainActor
private struct FirstThatFits {
    private let all: [UnsafeMutablePointer<GtkWidget>]
    private let widgets: [UnsafeMutablePointer<GtkWidget>]

    init(in box: UnsafeMutablePointer<GtkWidget>) {
        all = sequence(first: gtk_widget_get_first_child(box)) { gtk_widget_get_next_sibling($0) }
            .prefix { $0 != nil }.compactMap { $0 }
        widgets = gtk_widget_get_ancestor(box, gtk_button_get_type()) == nil ? all : all.suffix(1)
    }

    func measure(_ orientation: GtkOrientation, _ size: Int32) -> (minimum: Int32, natural: Int32) {
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        // GTK measures no widget below its minimum width.
        let fitting = widgets.filter { isWidth || size < 0 || Self.length(of: $0).minimum <= size }
        let lengths = fitting.map { Self.length(of: $0, orientation, isWidth ? -1 : size) }
        return (lengths.map(\.minimum).min() ?? 0, lengths.first?.natural ?? 0)
    }

    func allocate(_ width: Int32, _ height: Int32) {
        guard let shown = widgets.first(where: { fits($0, width, height) }) ?? widgets.last else { return }
        let losesFocus = all.contains { $0 != shown && $0.containsFocus }
        for widget in all { Self.show(widget, widget == shown) }
        let smallest = Self.length(of: shown).minimum
        gtk_widget_allocate(
            shown, max(width, smallest), max(height, Self.height(of: shown, max(width, smallest))), -1, nil)
        // GTK would move the focus to the first widget of the window.
        if losesFocus { gtk_widget_child_focus(shown, GTK_DIR_TAB_FORWARD) }
    }

    static func show(_ widget: UnsafeMutablePointer<GtkWidget>, _ isShown: Bool) {
        guard (gtk_widget_get_child_visible(widget) != 0) != isShown else { return }
        gtk_widget_set_child_visible(widget, isShown ? 1 : 0)
        shim_update_hidden(widget, isShown ? 0 : 1)
    }

    private func fits(_ widget: UnsafeMutablePointer<GtkWidget>, _ width: Int32, _ height: Int32) -> Bool {
        Self.length(of: widget).minimum <= width && Self.height(of: widget, width) <= height
    }

    private static func height(of widget: UnsafeMutablePointer<GtkWidget>, _ width: Int32) -> Int32 {
        length(of: widget, GTK_ORIENTATION_VERTICAL, width).minimum
    }

    private static func length(
        of widget: UnsafeMutablePointer<GtkWidget>, _ orientation: GtkOrientation = GTK_ORIENTATION_HORIZONTAL,
        _ size: Int32 = -1
    ) -> (minimum: Int32, natural: Int32) {
        var (minimum, natural): (Int32, Int32) = (0, 0)
        gtk_widget_measure(widget, orientation, size, &minimum, &natural, nil, nil)
        return (minimum, natural)
    }
}
