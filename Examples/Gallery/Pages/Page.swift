import CRemoteImageGtk
import RemoteImageGtk

/// One page of the gallery: a name for the command line, a title, and its content.
@MainActor
struct Page {
    let name: String
    let title: String
    /// The number of images on the page that load forever.
    var endlessCount = 0
    let make: @MainActor (GalleryContext) -> Widget

    static let all: [Page] = [
        .list, .phases, .transitions, .drawing, .animations, .zoom, .existingWidgets, .paintables, .menu, .options,
        .sources, .desktop, .accessibility,
    ]
}

/// Marks widgets that `setImage` is loading, since the widgets do not show that state.
@MainActor
enum PendingImage {
    private static let styleClass = "pending"

    static func isThere(in widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        gtk_widget_has_css_class(widget, styleClass) != 0
    }

    /// Loads an image into a `GtkPicture` or a `GtkImage`, and marks it as pending until the load
    /// ends.
    static func load(
        _ address: String, into widget: Widget, _ placeholder: ImagePlaceholder, _ pipeline: ImagePipeline
    ) {
        let pointer = widget.pointer
        gtk_widget_add_css_class(pointer, styleClass)
        // Not called when the widget is destroyed, so the pointer is valid.
        pointer.setImage(address, placeholder: placeholder, pipeline: pipeline) { _ in
            gtk_widget_remove_css_class(pointer, styleClass)
        }
    }
}

/// The layout of pages.
@MainActor
enum PageLayout {
    /// The size of a cell, in points.
    static let (width, height) = (200, 150)

    /// A page with a description and named cells, in as many columns as fit.
    static func page(_ sentence: String, _ cells: [(name: String, widget: Widget)], below: [Widget] = []) -> Widget {
        let flow = Widget(gtk_flow_box_new())
        gtk_flow_box_set_selection_mode(flow.opaque, GTK_SELECTION_NONE)
        gtk_flow_box_set_homogeneous(flow.opaque, 1)
        gtk_flow_box_set_max_children_per_line(flow.opaque, 6)
        gtk_flow_box_set_row_spacing(flow.opaque, 12)
        gtk_flow_box_set_column_spacing(flow.opaque, 12)
        gtk_widget_set_valign(flow.pointer, GTK_ALIGN_START)
        for cell in cells { gtk_flow_box_insert(flow.opaque, self.cell(cell.name, cell.widget).pointer, -1) }
        return column(sentence, [flow] + below)
    }

    /// A page with a description and any widgets below it.
    static func column(_ sentence: String, _ children: [Widget]) -> Widget {
        let column = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 12))
        gtk_widget_add_css_class(column.pointer, "page")
        let label = Widget(gtk_label_new(sentence))
        gtk_label_set_xalign(label.opaque, 0)
        gtk_label_set_wrap(label.opaque, 1)
        for child in [label] + children { gtk_box_append(column.cast(to: GtkBox.self), child.pointer) }
        let window = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_policy(window.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(window.opaque, column.pointer)
        return window
    }

    private static func cell(_ name: String, _ widget: Widget) -> Widget {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
        // Gives all cells the same size. The overlay is not measured.
        let place = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        gtk_widget_set_size_request(place.pointer, Int32(width), Int32(height))
        let tile = Widget(gtk_overlay_new())
        gtk_overlay_set_child(tile.opaque, place.pointer)
        gtk_overlay_add_overlay(tile.opaque, widget.pointer)
        gtk_widget_set_halign(box.pointer, GTK_ALIGN_START)
        gtk_widget_add_css_class(tile.pointer, "tile")
        gtk_widget_set_overflow(tile.pointer, GTK_OVERFLOW_HIDDEN)
        let label = Widget(gtk_label_new(name))
        gtk_label_set_xalign(label.opaque, 0)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_width_chars(label.opaque, 1)
        gtk_label_set_max_width_chars(label.opaque, 20)
        for child in [tile, label] { gtk_box_append(box.cast(to: GtkBox.self), child.pointer) }
        return box
    }
}
