// The GObject side of the class `RemoteImageView`: its properties, its children in `.ui` files, and
// the clip of its corners. The class functions call it on the main thread.

import CGtk

enum ViewBridge {
    /// Adds the properties and signals to the class.
    static func initialize(_ objectClass: UnsafeMutablePointer<GObjectClass>?) {
        objectClass?.pointee.get_property = { object, id, value, _ in
            ViewProperties.table.read(id, of: object, into: value) { ViewObject.of($0) }
        }
        objectClass?.pointee.set_property = { object, id, value, spec in
            ViewProperties.table.write(id, of: object, value, spec) { ViewObject.of($0) }
        }
        objectClass?.pointee.dispatch_properties_changed = { object, count, specs in
            guard let object else { return }
            // Properties that are set together are dispatched together.
            ViewBridge.with(object) { $0.applyChanges() }
            let parent = shim_object_class(g_type_class_peek_static(gtk_widget_get_type()))
            parent?.pointee.dispatch_properties_changed?(object, count, specs)
        }
        ViewProperties.table.install(on: objectClass)
        // Registers the signals now, so that handlers can be connected before the first emission.
        _ = ViewSignals.ids
    }

    /// Supports `<child type="placeholder">` and `<child type="failure">` in `.ui` files.
    static func addBuildable(to type: GType) {
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            guard let table = table?.assumingMemoryBound(to: GtkBuildableIface.self) else { return }
            table.pointee.add_child = { buildable, builder, child, kind in
                ViewBridge.addChild(buildable, builder, child, kind)
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

    @MainActor
    static func snapshot(_ state: RemoteImageViewState, into snapshot: OpaquePointer?) {
        let widget = state.object.widget
        let declaration = state.object.declaration
        guard declaration.cornerRadius > 0 else { return state.snapshot(into: snapshot) }
        var place = (
            x: 0.0, y: 0.0, width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget))
        )
        if let size = state.object.shown.phase.image?.naturalPointSize, size.width > 0, size.height > 0,
            place.width > 0, place.height > 0,
            declaration.pictureFit == .contain || declaration.pictureFit == .scaleDown
        {
            // The clip follows the corners of the image, which may be smaller than the view.
            var factor = min(place.width / size.width, place.height / size.height)
            if declaration.pictureFit == .scaleDown { factor = min(1, factor) }
            let (width, height) = (size.width * factor, size.height * factor)
            place = ((place.width - width) / 2, (place.height - height) / 2, width, height)
        }
        shim_push_round_clip(
            snapshot, place.x, place.y, place.width, place.height, Double(declaration.cornerRadius))
        state.snapshot(into: snapshot)
        gtk_snapshot_pop(snapshot)
    }

    private static func with(_ object: UnsafeMutablePointer<GObject>, _ body: @MainActor (ViewObject) -> Void) {
        nonisolated(unsafe) let object = object  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated { body(ViewObject.of(UnsafeMutableRawPointer(object))) }
    }
}
