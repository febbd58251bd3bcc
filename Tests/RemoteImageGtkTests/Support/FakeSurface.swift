import CRemoteImageGtk

@testable import RemoteImageGtk

/// An object with the property `scale` of a `GdkSurface` of GTK 4.12.
@MainActor
final class FakeSurface {
    private let object: ObjectReference
    var pointer: UnsafeMutableRawPointer { object.pointer }
    /// Read by the property, on the main thread.
    private static var scale = 1.0

    init?(scale: Double) {
        guard let object = g_object_new_with_properties(Self.type, 0, nil, nil) else { return nil }
        self.object = ObjectReference(owned: object)
        Self.scale = scale
    }

    func setScale(_ scale: Double) {
        Self.scale = scale
        g_object_notify(pointer.assumingMemoryBound(to: GObject.self), "scale")
    }

    /// Whether handlers are connected.
    var isFollowed: Bool {
        g_signal_has_handler_pending(pointer, g_signal_lookup("notify", Self.type), g_quark_from_string("scale"), 0)
            != 0
    }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GObjectClass>.size)
        info.instance_size = UInt16(MemoryLayout<GObject>.size)
        info.class_init = { classPointer, _ in
            let objectClass = classPointer?.assumingMemoryBound(to: GObjectClass.self)
            objectClass?.pointee.get_property = { _, _, value, _ in
                nonisolated(unsafe) let value = value  // Never leaves this call, which is on the main thread.
                MainActor.assumeIsolated { g_value_set_double(value, FakeSurface.scale) }
            }
            g_object_class_install_property(
                objectClass, 1, g_param_spec_double("scale", nil, nil, 0, 100, 1, shim_param_readable))
        }
        return g_type_register_static(g_object_get_type(), "FakeSurface", &info, GTypeFlags(rawValue: 0))
    }()
}
