import CRemoteImageGtk

/// The properties of one class. Their IDs are 1, 2, … in this order.
package struct PropertyTable<Owner: ObjectState>: Sendable {
    private let initial: @Sendable () -> Owner.Properties
    private let properties: [ObjectProperty<Owner>]
    private let writable: Set<String>

    /// - Parameter initial: The values of a new object, which are the defaults.
    package init(
        _ initial: @autoclosure @escaping @Sendable () -> Owner.Properties, _ properties: [ObjectProperty<Owner>]
    ) {
        self.initial = initial
        self.properties = properties
        writable = Set(properties.filter { $0.write != nil }.map(\.name))
    }

    /// Installs the properties. Call in the class init.
    func install(on objectClass: UnsafeMutablePointer<GObjectClass>?) {
        for (index, property) in properties.enumerated() {
            let flags = shim_property_flags(property.write == nil ? 0 : 1, property.isConstructOnly ? 1 : 0)
            // The flags promise that the name stays: GObject finds the interned one.
            _ = g_intern_string(property.name)
            g_object_class_install_property(objectClass, guint(index + 1), property.makeSpec(initial(), flags))
        }
    }

    /// GObject's `get_property`.
    func read(_ id: guint, of object: UnsafeMutablePointer<GObject>?, into value: UnsafeMutablePointer<GValue>?) {
        guard let object, let value, let property = property(id), isUsable(property) else { return }
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let (target, result) = (UnsafeMutableRawPointer(object), value)
        MainLoop.assumeIsolated { property.read(Owner.of(target), result) }
    }

    /// GObject's `set_property`. Notifies if the value has changed.
    func write(
        _ id: guint, of object: UnsafeMutablePointer<GObject>?, _ value: UnsafePointer<GValue>?,
        _ spec: UnsafeMutablePointer<GParamSpec>?
    ) {
        guard let object, let value, let property = property(id), let write = property.write, isUsable(property)
        else { return }
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let (target, new) = (UnsafeMutableRawPointer(object), value)
        let isChanged = MainLoop.assumeIsolated { write(Owner.of(target), new) }
        if isChanged { g_object_notify_by_pspec(object, spec) }
    }

    /// Whether the calling thread may access properties; logs a critical message if not.
    private func isUsable(_ property: ObjectProperty<Owner>) -> Bool {
        MainLoop.isUsable(in: "The property “\(property.name)”")
    }

    /// The names of the writable properties among those of a notification.
    func writableNames(
        of specs: UnsafeMutablePointer<UnsafeMutablePointer<GParamSpec>?>?, _ count: guint
    ) -> Set<String> {
        let names = UnsafeBufferPointer(start: specs, count: Int(count)).compactMap { spec in
            spec.flatMap { String(cString: $0.pointee.name) }
        }
        return writable.intersection(names)
    }

    private func property(_ id: guint) -> ObjectProperty<Owner>? {
        let index = Int(id) - 1
        return properties.indices.contains(index) ? properties[index] : nil
    }
}
