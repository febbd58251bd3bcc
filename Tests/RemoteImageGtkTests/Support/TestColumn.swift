import CRemoteImageGtk
import RemoteImageGtk

/// Views in a column or a row of a scrolled window. All of them are mapped.
@MainActor
final class TestColumn {
    let widget = Widget(gtk_scrolled_window_new())
    private(set) var views: [RemoteImageView] = []
    private let orientation: GtkOrientation

    init(_ orientation: GtkOrientation, _ views: [RemoteImageView]) {
        self.orientation = orientation
        self.views = views
        let box = Widget(gtk_box_new(orientation, 0))
        for view in views { append(view.pointer, to: box) }
        gtk_scrolled_window_set_child(widget.opaque, box.pointer)
    }

    func scroll(to position: Double) {
        let adjustment =
            orientation == GTK_ORIENTATION_VERTICAL
            ? gtk_scrolled_window_get_vadjustment(widget.opaque) : gtk_scrolled_window_get_hadjustment(widget.opaque)
        gtk_adjustment_set_value(adjustment, position)
    }

    /// The numbers of the views that are loading or have loaded.
    var begun: [Int] { views.indices.filter { views[$0].model.phase.kind != .empty } }
}

/// Appends a widget to a box.
@MainActor
func append(_ child: UnsafeMutablePointer<GtkWidget>, to box: Widget) {
    gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, child)
}
