// GObject classes other than widgets whose instances hold a Swift object as their state.

import CGtk
import CPlatform

/// The state of a GObject, created and released with its instance.
@MainActor
package protocol ObjectState: PropertyOwner {
    /// - Parameter object: The instance, which owns the new state.
    init(_ object: UnsafeMutablePointer<GObject>)
}

extension ObjectState {
    /// The state of an instance.
    package static func of(_ object: UnsafeMutableRawPointer) -> Self {
        let instance = object.assumingMemoryBound(to: RemoteImageObjectInstance.self)
        return Unmanaged<Self>.fromOpaque(instance.pointee.state).takeUnretainedValue()
    }
}

/// The functions of a GObject class. C function pointers cannot capture generic types, so each
/// class has its own closures, which call these functions.
enum ObjectClass {
    /// Registers a final class whose instances hold a Swift object.
    static func register(
        _ name: String,
        classInit: @convention(c) (gpointer?, gpointer?) -> Void,
        instanceInit: @convention(c) (UnsafeMutablePointer<GTypeInstance>?, gpointer?) -> Void
    ) -> GType {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GObjectClass>.size)
        info.instance_size = UInt16(MemoryLayout<RemoteImageObjectInstance>.size)
        info.class_init = classInit
        info.instance_init = instanceInit
        return g_type_register_static(g_object_get_type(), name, &info, GTypeFlags(rawValue: 0))
    }

    static func makeState<State: ObjectState>(_: State.Type, for instance: UnsafeMutableRawPointer?) {
        guard let instance else { return }
        MainLoop.installOrExplain(for: "RemoteImage")
        nonisolated(unsafe) let pointer = instance  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated {
            DesktopFollower.shared.start()
            let state = State(pointer.assumingMemoryBound(to: GObject.self))
            pointer.assumingMemoryBound(to: RemoteImageObjectInstance.self).pointee.state =
                Unmanaged.passRetained(state).toOpaque()
        }
    }

    static func with<State: ObjectState>(
        _: State.Type, _ object: UnsafeMutableRawPointer?, _ body: @MainActor (State) -> Void
    ) {
        guard let object, platform_was_forked() == 0 else { return }
        nonisolated(unsafe) let pointer = object  // Never leaves this call, which is on the main thread.
        MainLoop.assumeIsolated { body(State.of(pointer)) }
    }

    /// Releases the state, in the class's finalize.
    static func finalize<State: ObjectState>(_: State.Type, _ object: UnsafeMutablePointer<GObject>?) {
        guard let object else { return }
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: RemoteImageObjectInstance.self)
        if let state = instance.pointee.state, platform_was_forked() == 0 {
            Unmanaged<State>.fromOpaque(state).release()
        }
        parent.pointee.finalize?(object)
    }

    /// The parent class of these classes, `GObject`.
    static var parent: UnsafeMutablePointer<GObjectClass> {
        shim_object_class(g_type_class_peek_static(g_object_get_type()))
    }
}
