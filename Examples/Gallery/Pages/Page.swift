import CGtk
import RemoteImageGtk

/// One page of the gallery: a name for the command line, a title, and what is on it.
@MainActor
struct Page {
    let name: String
    let title: String
    /// How many of its images never come, and load for ever.
    var endlessCount = 0
    let make: @MainActor (GalleryContext) -> Widget

    static let all: [Page] = [
        .list, .phases, .transitions, .drawing, .animations, .zoom, .existingWidgets, .paintables, .menu, .options,
        .sources, .desktop, .accessibility,
    ]
}

/// What `setImage` loads, which the widget does not tell.
@MainActor
enum PendingImage {
    private static let styleClass = "pending"

    static func isThere(in widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        gtk_widget_has_css_class(widget, styleClass) != 0
    }

    /// Loads an image into a `GtkPicture` or a `GtkImage`, which is pending until then.
    static func load(
        _ address: String, into widget: Widget, _ placeholder: ImagePlaceholder, _ pipeline: ImagePipeline
    ) {
        let pointer = widget.pointer
        gtk_widget_add_css_class(pointer, styleClass)
        // Not called when the widget goes.
        pointer.setImage(address, placeholder: placeholder, pipeline: pipeline) { _ in
            gtk_widget_remove_css_class(pointer, styleClass)
        }
    }
}

/// How pages are laid out.
@MainActor
enum PageLayout {
    /// Points.
    static let (width, height) = (200, 150)

    /// A sentence on what there is to see, and things with a name each, in as many columns as there is room for.
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

    /// The same, of anything.
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
        // A place of one size for all: what is laid over it is not asked for its own.
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
