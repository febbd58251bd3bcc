import CRemoteImageGtk
import RemoteImageGtk

/// The desktop's setting for animations, `gtk-enable-animations`.
@MainActor
enum DesktopAnimations {
    static func set(_ isOn: Bool, for view: RemoteImageView) {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gboolean"))
        g_value_set_boolean(&value, isOn ? 1 : 0)
        let settings = gtk_widget_get_settings(view.pointer).map { UnsafeMutableRawPointer($0) }
        g_object_set_property(settings?.assumingMemoryBound(to: GObject.self), "gtk-enable-animations", &value)
        g_value_unset(&value)
    }
}
