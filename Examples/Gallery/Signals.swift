// The border to GObject's signals: a closure lives as long as its connection.

import CGtk
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

    /// A signal without arguments.
    @discardableResult
    static func connect(
        _ signal: String, of instance: OpaquePointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        let callback: NoArgument = { _, data in Signals.call(data, nil) }
        return connect(signal, instance, unsafeBitCast(callback, to: GCallback.self), Handler { _ in body() })
    }

    /// A signal whose one argument is an object, or a pointer of another kind.
    static func connect(
        _ signal: String, of instance: OpaquePointer, object body: @escaping @MainActor (OpaquePointer?) -> Void
    ) {
        let callback: ObjectArgument = { _, object, data in Signals.call(data, object) }
        let handler = Handler { pointer in body(pointer.map { OpaquePointer($0) }) }
        connect(signal, instance, unsafeBitCast(callback, to: GCallback.self), handler)
    }

    /// A signal whose one argument is a number.
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

    /// What a signal gave to a callback on the main thread, on its way to the main actor.
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

/// GTK's casts: each function wants a pointer to its own class.
extension Widget {
    func cast<Class>(to type: Class.Type) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }
}
