// The children of `RemoteImageView` in `.ui` files.

import CRemoteImageGtk

enum ViewBuildable {
    /// Supports `<child type="placeholder">` and `<child type="failure">` in `.ui` files.
    static func add(to type: GType) {
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            guard let table = table?.assumingMemoryBound(to: GtkBuildableIface.self) else { return }
            table.pointee.add_child = { buildable, builder, child, kind in
                ViewBuildable.addChild(buildable, builder, child, kind)
            }
        }
        g_type_add_interface_static(type, gtk_buildable_get_type(), &interface)
    }

    private static func addChild(
        _ buildable: OpaquePointer?, _ builder: OpaquePointer?,
        _ child: UnsafeMutablePointer<GObject>?, _ kind: UnsafePointer<CChar>?
    ) {
        guard let buildable, let child else { return }
        let view = UnsafeMutableRawPointer(buildable).assumingMemoryBound(to: GObject.self)
        let name = kind.map { String(cString: $0) }
        if let name, ["placeholder", "failure"].contains(name), shim_is_a(child, gtk_widget_get_type()) != 0 {
            var value = GValue()
            g_value_init(&value, gtk_widget_get_type())
            g_value_set_object(&value, child)
            g_object_set_property(view, name, &value)
            g_value_unset(&value)
            return
        }
        // Other children may be objects that every widget accepts, such as gestures and layout
        // managers.
        let widgetClass = g_type_class_peek_static(gtk_widget_get_type())
        let parent = g_type_interface_peek(widgetClass, gtk_buildable_get_type())?
            .assumingMemoryBound(to: GtkBuildableIface.self)
        if shim_is_a(child, gtk_widget_get_type()) != 0 {
            shim_warning(
                "RemoteImageView: a child is of type “placeholder” or “failure”, not “\(name ?? "none")”")
        } else {
            parent?.pointee.add_child?(buildable, builder, child, kind)
        }
    }
}
