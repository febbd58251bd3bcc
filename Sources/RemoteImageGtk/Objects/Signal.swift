// Connects Swift closures to GObject signals. A connection retains its closure, and releases it
// only in its destroy notify.

import CGtk

/// A closure as the data of a signal connection.
@MainActor
final class SignalHandler<Arguments, Result> {
    private let body: @MainActor (Arguments) -> Result

    private init(_ body: @escaping @MainActor (Arguments) -> Result) {
        self.body = body
    }

    /// The data of a connection whose destroy notify is ``Signal/release``.
    static func retained(_ body: @escaping @MainActor (Arguments) -> Result) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(SignalHandler(body)).toOpaque()
    }

    /// Calls the closure behind the data of a connection.
    @discardableResult
    nonisolated static func call(_ data: gpointer?, _ arguments: Arguments) -> Result? {
        guard let data else { return nil }
        // The handler may disconnect itself. The call keeps it alive.
        let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let given = arguments
        nonisolated(unsafe) var result: Result?
        MainLoop.assumeIsolated { result = handler.body(given) }
        return result
    }
}

enum Signal {
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
            object, signal, { _, data in SignalHandler<Void, Void>.call(data, ()) },
            SignalHandler<Void, Void>.retained(body), release)
    }

    /// Calls `body` after each notification of a property, until the object is finalized or the
    /// handler is disconnected.
    @MainActor
    @discardableResult
    static func connect(
        property: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        shim_connect_notify(
            object, "notify::\(property)", { _, _, data in SignalHandler<Void, Void>.call(data, ()) },
            SignalHandler<Void, Void>.retained(body), release)
    }

    /// Calls `body` with the `GtkListItem` of each signal of a `GtkSignalListItemFactory`, until
    /// the factory is finalized.
    @MainActor
    static func connect(
        row signal: String, of factory: ObjectReference, _ body: @escaping @MainActor (OpaquePointer) -> Void
    ) {
        shim_connect_row(
            factory.pointer, signal,
            { _, row, data in
                if let row { SignalHandler<OpaquePointer, Void>.call(data, OpaquePointer(row)) }
            }, SignalHandler<OpaquePointer, Void>.retained(body), release)
    }

    static let release: ShimDestroy = { data, _ in
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
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
