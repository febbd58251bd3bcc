import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let zoom = Page(name: "zoom", title: "Zoom") { context in
        let viewer = RemoteImageViewer(context.address(.map))
        gtk_widget_set_vexpand(viewer.pointer, 1)
        let buttons = Row(spacing: 6) {
            Button("Fit") { viewer.zoom = nil }
            // Left to right in every language, since the bare numbers would be reordered.
            Button("\u{200E}1 : 1\u{200E}") { viewer.zoom = 1 }
            Button("\u{200E}4 : 1\u{200E}") { viewer.zoom = 4 }
        }.content
        let label = Widget(
            gtk_label_new("Zoom with a pinch, Ctrl and the wheel, + and −, or a double click. Drag to move."))
        gtk_widget_add_css_class(label.pointer, "dim-label")
        let column = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 12))
        gtk_widget_add_css_class(column.pointer, "page")
        for child in [viewer.content, buttons, label] { gtk_box_append(column.cast(to: GtkBox.self), child.pointer) }
        return column
    }
}
