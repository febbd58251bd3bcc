import CRemoteImageGtk

/// The keyboard focus of a view.
///
/// A view is not focusable by itself. It becomes focusable while it has a context menu, and while
/// it keeps the focus of replaced content, such as that of a retry button: GTK would move the focus
/// to another widget of the window. The state of the view owns this object.
@MainActor
final class ViewFocus {
    /// Why the view is focusable.
    enum Reason {
        case menu
        /// The view has the focus in place of its content.
        case content
    }

    // Not owned: the view owns its state, which owns this object.
    private let view: UnsafeMutablePointer<GtkWidget>
    private var reasons: Set<Reason> = []
    /// The value of the program, while there are reasons.
    private var wasFocusable = false
    private let connections = SignalConnections()

    init(_ view: UnsafeMutablePointer<GtkWidget>) {
        self.view = view
    }

    func add(_ reason: Reason) {
        if reasons.isEmpty { wasFocusable = gtk_widget_get_focusable(view) != 0 }
        reasons.insert(reason)
        gtk_widget_set_focusable(view, 1)
    }

    func remove(_ reason: Reason) {
        guard reasons.remove(reason) != nil, reasons.isEmpty else { return }
        gtk_widget_set_focusable(view, wasFocusable ? 1 : 0)
    }

    /// Call before the content is removed. If it has the focus, the view takes the focus.
    func keep(from content: UnsafeMutablePointer<GtkWidget>?) {
        guard let content, content.containsFocus, let window = gtk_widget_get_root(view) else { return }
        add(.content)
        guard gtk_widget_grab_focus(view) != 0 else { return end() }
        connections.end()
        connections.connect(property: "focus-widget", of: UnsafeMutableRawPointer(window)) { [weak self] in
            if let self, gtk_widget_is_focus(view) == 0 { end() }
        }
    }

    /// Call when the view has new content. Moves the kept focus to its first focusable widget.
    func pass(to content: UnsafeMutablePointer<GtkWidget>?) {
        guard reasons.contains(.content), let content else { return }
        guard gtk_widget_is_focus(view) != 0 else { return end() }
        gtk_widget_child_focus(content, GTK_DIR_TAB_FORWARD)
    }

    /// Stops keeping the focus.
    func end() {
        connections.end()
        remove(.content)
    }
}
