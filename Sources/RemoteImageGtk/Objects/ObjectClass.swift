// GObject classes whose instances hold a Swift object as their state. All code runs on the main
// thread.

import CRemoteImageGtk
import CRemoteImagePlatform

/// The state of a GObject, created and released with its instance.
@MainActor
package protocol ObjectState: AnyObject, Sendable {
    associatedtype Properties
    /// The values of the writable properties. The ``PropertyTable`` notifies GObject of changes.
    var properties: Properties { get set }
    nonisolated static var table: PropertyTable<Self> { get }

    nonisolated static var type: GType { get }
    nonisolated static var typeName: StaticString { get }
    /// The parent class. Default: `GObject`.
    nonisolated static var parentType: GType { get }
    /// The size of an instance of the parent class. The pointer to the state follows it.
    nonisolated static var parentSize: Int { get }

    /// - Parameter object: The instance, which owns the new state.
    init(_ object: UnsafeMutablePointer<GObject>)

    /// Sets the functions of the class that not all classes have. Default: none.
    nonisolated static func initialize(_ classPointer: UnsafeMutableRawPointer)
    /// Applies changed writable properties, before their notifications. Default: does nothing.
    ///
    /// - Parameter changed: The names of the properties. Those that are set together are applied
    ///   together.
    func applyProperties(_ changed: Set<String>)
    /// Releases other objects, possibly several times. Default: does nothing.
    func dispose()
}

extension ObjectState where Properties == Void {
    package var properties: Void {
        get {}
        set {}
    }

    nonisolated package static var table: PropertyTable<Self> { PropertyTable((), []) }
}

extension ObjectState {
    nonisolated package static func initialize(_ classPointer: UnsafeMutableRawPointer) {}
    package func applyProperties(_ changed: Set<String>) {}
    package func dispose() {}

    nonisolated package static var parentType: GType { g_object_get_type() }
    nonisolated package static var parentSize: Int { MemoryLayout<GObject>.size }

    /// The state of an instance.
    package static func of(_ object: UnsafeMutableRawPointer) -> Self {
        slot(in: object).pointee.takeUnretainedValue()
    }

    /// The retained reference of an instance to its state.
    nonisolated private static func slot(in object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Unmanaged<Self>> {
        (object + parentSize).assumingMemoryBound(to: Unmanaged<Self>.self)
    }

    /// Calls `body` with the state of an object, from a function of its class.
    nonisolated static func with(_ object: UnsafeMutableRawPointer?, _ body: @MainActor (Self) -> Void) {
        // A forked process lacks the threads that the state would wait for.
        guard let object, platform_was_forked() == 0 else { return }
        nonisolated(unsafe) let pointer = object  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated { body(of(pointer)) }
    }

    /// Does the same when GTK says that a widget has got or lost its root, or was mapped or
    /// unmapped: at once, or, if a program has used GTK on another thread, later on the main
    /// thread.
    nonisolated static func receive(_ object: UnsafeMutableRawPointer?, _ body: @escaping @MainActor (Self) -> Void) {
        guard let object, platform_is_main_thread() == 0 else { return with(object, body) }
        MainLoop.reportOtherThread()
        let kept = ObjectReference(owned: g_object_ref(object))
        Task { @MainActor in body(of(kept.pointer)) }
    }

    nonisolated static var parentClass: UnsafeMutablePointer<GObjectClass> {
        shim_object_class(g_type_class_peek_static(parentType))
    }

    // MARK: Registration

    package nonisolated static func register() -> GType {
        var parent = GTypeQuery()
        g_type_query(parentType, &parent)
        var info = GTypeInfo()
        info.class_size = UInt16(parent.class_size)
        info.instance_size = UInt16(parentSize + MemoryLayout<Unmanaged<Self>>.size)
        info.class_init = { classPointer, _ in
            guard let classPointer else { return }
            let type = classPointer.assumingMemoryBound(to: GTypeClass.self).pointee.g_type
            stateType(of: type).initializeClass(classPointer)
        }
        info.instance_init = { instance, _ in
            if let instance { stateType(of: shim_type_of(instance)).makeState(for: instance) }
        }
        let type = g_type_register_static(parentType, "\(typeName)", &info, GTypeFlags(rawValue: 0))
        // Like the type itself, it stays for the lifetime of the process.
        let kept = UnsafeMutablePointer<any ObjectState.Type>.allocate(capacity: 1)
        kept.initialize(to: self)
        g_type_set_qdata(type, stateTypeName, kept)
        return type
    }

    // C function pointers cannot capture a generic type, so that all classes have the same ones.
    nonisolated private static func initializeClass(_ classPointer: UnsafeMutableRawPointer) {
        let objectClass = shim_object_class(classPointer)
        objectClass?.pointee.get_property = { object, id, value, spec in
            if let spec { stateType(of: spec.pointee.owner_type).read(id, of: object, into: value) }
        }
        objectClass?.pointee.set_property = { object, id, value, spec in
            if let spec { stateType(of: spec.pointee.owner_type).write(id, of: object, value, spec) }
        }
        objectClass?.pointee.dispatch_properties_changed = { object, count, specs in
            if let object { stateType(of: shim_type_of(object)).dispatch(specs, count, of: object) }
        }
        objectClass?.pointee.dispose = { if let object = $0 { stateType(of: shim_type_of(object)).dispose(object) } }
        objectClass?.pointee.finalize = { if let object = $0 { stateType(of: shim_type_of(object)).finalize(object) } }
        table.install(on: objectClass)
        initialize(classPointer)
    }

    nonisolated private static func makeState(for instance: UnsafeMutableRawPointer) {
        MainLoop.installOrExplain(for: typeName)
        nonisolated(unsafe) let pointer = instance  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated {
            DesktopFollower.shared.start()
            slot(in: pointer).initialize(to: .passRetained(Self(pointer.object)))
        }
    }

    nonisolated private static func read(
        _ id: guint, of object: UnsafeMutablePointer<GObject>?, into value: UnsafeMutablePointer<GValue>?
    ) {
        table.read(id, of: object, into: value)
    }

    nonisolated private static func write(
        _ id: guint, of object: UnsafeMutablePointer<GObject>?, _ value: UnsafePointer<GValue>?,
        _ spec: UnsafeMutablePointer<GParamSpec>
    ) {
        table.write(id, of: object, value, spec)
    }

    nonisolated private static func dispatch(
        _ specs: UnsafeMutablePointer<UnsafeMutablePointer<GParamSpec>?>?, _ count: guint,
        of object: UnsafeMutablePointer<GObject>
    ) {
        let changed = table.writableNames(of: specs, count)
        if !changed.isEmpty { with(object) { $0.applyProperties(changed) } }
        parentClass.pointee.dispatch_properties_changed?(object, count, specs)
    }

    nonisolated private static func dispose(_ object: UnsafeMutablePointer<GObject>) {
        guard !ReleaseQueue.defersDisposal(of: object) else { return }
        with(object) { $0.dispose() }
        parentClass.pointee.dispose?(object)
    }

    nonisolated private static func finalize(_ object: UnsafeMutablePointer<GObject>) {
        if platform_was_forked() == 0 { slot(in: object).pointee.release() }
        parentClass.pointee.finalize?(object)
    }
}

/// The name under which a GObject type keeps the type of its states.
private let stateTypeName = g_quark_from_string("remote-image-state-type")

/// The type of the states of objects of a type, which may be a subclass in another language.
private func stateType(of type: GType) -> any ObjectState.Type {
    let kept = g_type_get_qdata(type, stateTypeName)?.assumingMemoryBound(to: (any ObjectState.Type).self)
    return kept?.pointee ?? stateType(of: g_type_parent(type))
}
