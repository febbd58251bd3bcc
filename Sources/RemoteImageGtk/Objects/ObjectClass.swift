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

    nonisolated static var type: GType { get }
    nonisolated static var typeName: StaticString { get }
    /// The parent class. Default: `GObject`.
    nonisolated static var parentType: GType { get }
    /// The size of an instance of the parent class. The pointer to the state follows it.
    nonisolated static var parentSize: Int { get }

    /// - Parameter object: The instance, which owns the new state.
    init(_ object: UnsafeMutablePointer<GObject>)
}

extension ObjectState where Properties == Void {
    package var properties: Void {
        get {}
        set {}
    }
}

extension ObjectState {
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

    // The functions of a class. C function pointers cannot capture generic types, so each class has
    // its own closures, which call these functions.

    nonisolated static func register(
        classInit: @convention(c) (gpointer?, gpointer?) -> Void,
        instanceInit: @convention(c) (UnsafeMutablePointer<GTypeInstance>?, gpointer?) -> Void
    ) -> GType {
        var parent = GTypeQuery()
        g_type_query(parentType, &parent)
        var info = GTypeInfo()
        info.class_size = UInt16(parent.class_size)
        info.instance_size = UInt16(parentSize + MemoryLayout<Unmanaged<Self>>.size)
        info.class_init = classInit
        info.instance_init = instanceInit
        return g_type_register_static(parentType, "\(typeName)", &info, GTypeFlags(rawValue: 0))
    }

    nonisolated static func makeState(for instance: UnsafeMutableRawPointer?) {
        guard let instance else { return }
        MainLoop.installOrExplain(for: typeName)
        nonisolated(unsafe) let pointer = instance  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated {
            DesktopFollower.shared.start()
            slot(in: pointer).initialize(to: .passRetained(Self(pointer.object)))
        }
    }

    nonisolated static func with(_ object: UnsafeMutableRawPointer?, _ body: @MainActor (Self) -> Void) {
        // A forked process lacks the threads that the state would wait for.
        guard let object, platform_was_forked() == 0 else { return }
        nonisolated(unsafe) let pointer = object  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated { body(of(pointer)) }
    }

    nonisolated static func dispose(_ object: UnsafeMutablePointer<GObject>?, _ body: @MainActor (Self) -> Void) {
        guard !ReleaseQueue.defersDisposal(of: object) else { return }
        with(object, body)
        parentClass.pointee.dispose?(object)
    }

    nonisolated static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
        if let object, platform_was_forked() == 0 { slot(in: object).pointee.release() }
        parentClass.pointee.finalize?(object)
    }

    nonisolated static var parentClass: UnsafeMutablePointer<GObjectClass> {
        shim_object_class(g_type_class_peek_static(parentType))
    }
}
