import CRemoteImageGtk

/// Attaches Swift objects of one kind to GObjects, which own them and release them when they are
/// finalized.
@MainActor
package struct ObjectData<Value: AnyObject> {
    private let name: GQuark

    /// - Parameter name: A unique name for this kind.
    package init(_ name: String) {
        self.name = g_quark_from_string(name)
    }

    package subscript(object: UnsafeMutableRawPointer) -> Value? {
        get {
            g_object_get_qdata(object.object, name).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
        }
        nonmutating set {
            g_object_set_qdata_full(
                object.object, name, newValue.map { Unmanaged.passRetained($0).toOpaque() },
                { data in
                    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
                })
        }
    }
}

extension UnsafeMutableRawPointer {
    /// The pointer, for functions of GObject.
    package var object: UnsafeMutablePointer<GObject> { assumingMemoryBound(to: GObject.self) }
}

extension UnsafeMutablePointer<GtkWidget> {
    package var object: UnsafeMutablePointer<GObject> { UnsafeMutableRawPointer(self).object }
}
