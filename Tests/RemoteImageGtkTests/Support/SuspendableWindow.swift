import CRemoteImageGtk

/// A window whose `suspended` property is set by the test, as GTK 4.12 sets it for invisible
/// windows.
@MainActor
enum SuspendableWindow {
    /// Read by the property, on the main thread.
    static var isSuspended = false

    /// Suspends or resumes the window around a widget, and reports it, as GTK does.
    static func set(_ isSuspended: Bool, around widget: UnsafeMutablePointer<GtkWidget>) {
        Self.isSuspended = isSuspended
        if let root = gtk_widget_get_root(widget) {
            g_object_notify(UnsafeMutableRawPointer(root).assumingMemoryBound(to: GObject.self), "suspended")
        }
    }

    static func make() -> UnsafeMutablePointer<GtkWidget>? {
        // Later versions of GTK have the property, and set it themselves.
        g_object_new_with_properties(type, 0, nil, nil).map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self)
        }
    }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GtkWindowClass>.size)
        info.instance_size = UInt16(MemoryLayout<GtkWindow>.size)
        info.class_init = { classPointer, _ in
            let objectClass = classPointer?.assumingMemoryBound(to: GObjectClass.self)
            objectClass?.pointee.get_property = { _, _, value, _ in
                nonisolated(unsafe) let value = value  // Never leaves this call, which is on the main thread.
                MainActor.assumeIsolated { g_value_set_boolean(value, SuspendableWindow.isSuspended ? 1 : 0) }
            }
            g_object_class_install_property(
                objectClass, 1, g_param_spec_boolean("suspended", nil, nil, 0, shim_param_readable))
        }
        return g_type_register_static(gtk_window_get_type(), "SuspendableWindow", &info, GTypeFlags(rawValue: 0))
    }()
}
