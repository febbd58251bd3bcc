// Connects Swift closures to GObject signals. A connection retains its closure, and releases it
// only in its destroy notify.

import CGtk

enum Signal {
    @MainActor
    private final class Handler {
        let body: @MainActor () -> Void

        init(_ body: @escaping @MainActor () -> Void) {
            self.body = body
        }
    }

    /// Calls `body` for each emission, until the widget is finalized.
    @MainActor
    static func connect(_ signal: String, of widget: Widget, _ body: @escaping @MainActor () -> Void) {
        connect(signal, of: UnsafeMutableRawPointer(widget.pointer), body)
    }

    /// Calls `body` for each emission of a signal without arguments, until the object is finalized
    /// or the handler is disconnected.
    @MainActor
    @discardableResult
    static func connect(
        _ signal: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        shim_connect(
            object, signal, { _, data in Signal.call(data) }, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in Signal.release(data) })
    }

    /// Calls `body` after each notification of a property, until the object is finalized or the
    /// handler is disconnected.
    @MainActor
    @discardableResult
    static func connect(
        property: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        shim_connect_notify(
            object, "notify::\(property)", { _, _, data in Signal.call(data) },
            Unmanaged.passRetained(Handler(body)).toOpaque(), { data, _ in Signal.release(data) })
    }

    private static func call(_ data: gpointer?) {
        guard let data else { return }
        // The handler may disconnect itself. The call keeps it alive.
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        MainLoop.assumeIsolated { handler.body() }
    }

    private static func release(_ data: gpointer?) {
        if let data { Unmanaged<Handler>.fromOpaque(data).release() }
    }
}

/// Signal connections that are disconnected together. Holds references to the objects until then.
@MainActor
final class SignalConnections {
    private var connections: [(object: ObjectReference, handler: gulong)] = []

    func connect(_ signal: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void) {
        connections.append((ObjectReference(object), Signal.connect(signal, of: object, body)))
    }

    func connect(property: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void) {
        connections.append((ObjectReference(object), Signal.connect(property: property, of: object, body)))
    }

    func end() {
        for (object, handler) in connections { g_signal_handler_disconnect(object.pointer, handler) }
        connections = []
    }
}
