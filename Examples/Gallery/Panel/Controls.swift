import CRemoteImageGtk
import RemoteImageGtk

/// The rows of the panel.
@MainActor
enum Controls {
    static func heading(_ text: String) -> Widget {
        let label = Widget(gtk_label_new(text))
        gtk_label_set_xalign(label.opaque, 0)
        gtk_widget_add_css_class(label.pointer, "heading")
        return label
    }

    /// A row with a name at the start and a widget at the end.
    static func row(_ name: String, _ value: Widget) -> Widget {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12))
        let label = Widget(gtk_label_new(name))
        gtk_label_set_xalign(label.opaque, 0)
        gtk_widget_set_hexpand(label.pointer, 1)
        for child in [label, value] { gtk_box_append(box.cast(to: GtkBox.self), child.pointer) }
        return box
    }

    static func toggle(_ name: String, isOn: Bool, changed: @escaping @MainActor (Bool) -> Void) -> Widget {
        let toggle = Widget(gtk_switch_new())
        gtk_switch_set_active(toggle.opaque, isOn ? 1 : 0)
        gtk_widget_set_valign(toggle.pointer, GTK_ALIGN_CENTER)
        let pointer = toggle.opaque
        Signals.connect(
            "notify::active", of: toggle.opaque, object: { _ in changed(gtk_switch_get_active(pointer) != 0) })
        return row(name, toggle)
    }

    static func choice(_ name: String, _ choices: [String], changed: @escaping @MainActor (Int) -> Void) -> Widget {
        let strings = gtk_string_list_new(nil)
        for choice in choices { gtk_string_list_append(strings, choice) }
        let list = Widget(gtk_drop_down_new(strings, nil))
        let pointer = list.opaque
        Signals.connect(
            "notify::selected", of: list.opaque, object: { _ in changed(Int(gtk_drop_down_get_selected(pointer))) })
        return row(name, list)
    }
}
