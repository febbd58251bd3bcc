import CRemoteImageGtk

extension DeclaredWidget {
    /// Shows the first of several widgets that fits into the size, else the last one, and has the
    /// accessible role of an alert, which screen readers announce at once.
    ///
    /// Its minimum size is that of the smallest widget, its natural size that of the first one. In
    /// a `GtkButton` it shows the last widget, since the others contain buttons.
    package static func alertThatFits(
        @WidgetBuilder _ content: @escaping @MainActor () -> [DeclaredWidget]
    ) -> DeclaredWidget {
        DeclaredWidget("AlertThatFits") {
            let box = Widget(shim_alert_box_new(0))
            ChildLayout.set(on: box.pointer) {
                FirstThatFits($0).measure($1, $2)
            } allocate: {
                FirstThatFits($0).allocate($1, $2)
            }
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
    private let all: [ChildLayout.Child]
    private let widgets: [ChildLayout.Child]

    init(_ all: [ChildLayout.Child]) {
        self.all = all
        let isInButton = all.first.map { gtk_widget_get_ancestor($0, gtk_button_get_type()) != nil } ?? false
        widgets = isInButton ? all.suffix(1) : all
    }

    func measure(_ orientation: GtkOrientation, _ size: Int32) -> ChildLayout.Length {
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        // GTK measures no widget below its minimum width.
        let fitting = widgets.filter { isWidth || size < 0 || $0.length().minimum <= size }
        let lengths = fitting.map { $0.length(orientation, isWidth ? -1 : size) }
        return (lengths.map(\.minimum).min() ?? 0, lengths.first?.natural ?? 0)
    }

    func allocate(_ width: Int32, _ height: Int32) {
        guard let shown = widgets.first(where: { fits($0, width, height) }) ?? widgets.last else { return }
        let losesFocus = all.contains { $0 != shown && $0.containsFocus }
        for widget in all { Self.show(widget, widget == shown) }
        let smallest = shown.length().minimum
        gtk_widget_allocate(
            shown, max(width, smallest), max(height, Self.height(of: shown, max(width, smallest))), -1, nil)
        // GTK would move the focus to the first widget of the window.
        if losesFocus { gtk_widget_child_focus(shown, GTK_DIR_TAB_FORWARD) }
    }

    static func show(_ widget: ChildLayout.Child, _ isShown: Bool) {
        guard (gtk_widget_get_child_visible(widget) != 0) != isShown else { return }
        gtk_widget_set_child_visible(widget, isShown ? 1 : 0)
        shim_update_hidden(widget, isShown ? 0 : 1)
    }

    private func fits(_ widget: ChildLayout.Child, _ width: Int32, _ height: Int32) -> Bool {
        widget.length().minimum <= width && Self.height(of: widget, width) <= height
    }

    private static func height(of widget: ChildLayout.Child, _ width: Int32) -> Int32 {
        widget.length(GTK_ORIENTATION_VERTICAL, width).minimum
    }
}
