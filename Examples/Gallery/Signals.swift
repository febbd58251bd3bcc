// Connects Swift closures to GObject signals. A closure lives as long as its connection.

import CRemoteImageGtk
import RemoteImageGtk

@MainActor
enum Signals {
    private final class Handler {
        let body: @MainActor (UnsafeMutableRawPointer?) -> Void

        init(_ body: @escaping @MainActor (UnsafeMutableRawPointer?) -> Void) {
            self.body = body
        }
    }

    private typealias NoArgument = @convention(c) (UnsafeMutableRawPointer?, gpointer?) -> Void
    private typealias ObjectArgument =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, gpointer?) -> Void
    private typealias NumberArgument = @convention(c) (UnsafeMutableRawPointer?, guint, gpointer?) -> Void

    /// Connects to a signal without arguments.
    @discardableResult
    static func connect(
        _ signal: String, of instance: OpaquePointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        let callback: NoArgument = { _, data in Signals.call(data, nil) }
        return connect(signal, instance, unsafeBitCast(callback, to: GCallback.self), Handler { _ in body() })
    }

    /// Connects to a signal with one argument, an object or another pointer.
    static func connect(
        _ signal: String, of instance: OpaquePointer, object body: @escaping @MainActor (OpaquePointer?) -> Void
    ) {
        let callback: ObjectArgument = { _, object, data in Signals.call(data, object) }
        let handler = Handler { pointer in body(pointer.map { OpaquePointer($0) }) }
        connect(signal, instance, unsafeBitCast(callback, to: GCallback.self), handler)
    }

    /// Connects to a signal with one argument, a number.
    static func connect(
        _ signal: String, of instance: OpaquePointer, number body: @escaping @MainActor (Int) -> Void
    ) {
        let callback: NumberArgument = { _, number, data in
            Signals.call(data, UnsafeMutableRawPointer(bitPattern: UInt(number)))
        }
        connect(
            signal, instance, unsafeBitCast(callback, to: GCallback.self),
            Handler { pointer in body(Int(bitPattern: pointer)) })
    }

    @discardableResult
    private static func connect(
        _ signal: String, _ instance: OpaquePointer, _ callback: GCallback, _ handler: Handler
    ) -> gulong {
        g_signal_connect_data(
            UnsafeMutableRawPointer(instance), signal, callback, Unmanaged.passRetained(handler).toOpaque(),
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }

    /// A signal argument that a callback on the main thread passes to the main actor.
    private struct Call: @unchecked Sendable {
        // Unchecked: it never leaves the main thread, on which GTK emits its signals.
        let data: gpointer?
        let argument: UnsafeMutableRawPointer?
    }

    private nonisolated static func call(_ data: gpointer?, _ argument: UnsafeMutableRawPointer?) {
        let call = Call(data: data, argument: argument)
        MainActor.assumeIsolated {
            guard let data = call.data else { return }
            Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body(call.argument)
        }
    }
}

/// Casts for GTK functions, each of which takes a pointer to its own class.
extension Widget {
    func cast<Class>(to type: Class.Type) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }
}
