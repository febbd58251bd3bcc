// Connects Swift closures to GObject signals. A connection retains its closure, and releases it
// only in its destroy notify.

import CRemoteImageGtk

package enum Signal {
    /// Calls `body` for each emission of a signal without arguments, until the object is finalized
    /// or the handler is disconnected.
    @MainActor
    @discardableResult
    package static func connect(
        _ signal: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        shim_connect(object, signal, emitted, Callback<Void, Void>.retained(body), release)
    }

    /// Calls `body` after each notification of a property, until the object is finalized or the
    /// handler is disconnected.
    @MainActor
    @discardableResult
    package static func connect(
        property: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void
    ) -> gulong {
        shim_connect_notify(object, "notify::\(property)", notified, Callback<Void, Void>.retained(body), release)
    }

    /// Calls `body` with the `GtkListItem` of each signal of a `GtkSignalListItemFactory`, until
    /// the factory is finalized.
    @MainActor
    package static func connect(
        row signal: String, of factory: ObjectReference, _ body: @escaping @MainActor (OpaquePointer) -> Void
    ) {
        shim_connect_object(
            factory.pointer, signal,
            { _, row, data in
                if let row { Callback<OpaquePointer, Void>.call(data, OpaquePointer(row)) }
            }, Callback<OpaquePointer, Void>.retained(body), release)
    }

    // Outside the functions that connect them: there they would be isolated to the main actor, and
    // Swift would end the process without a message if GTK emitted the signal on another thread.
    private static let emitted: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
        Callback<Void, Void>.receive(data)
    }
    private static let notified: @convention(c) (gpointer?, UnsafeMutablePointer<GParamSpec>?, gpointer?) -> Void =
        { _, _, data in Callback<Void, Void>.receive(data) }

    /// The destroy notify of a connection whose data is a ``Callback``.
    package static let release: ShimDestroy = { data, _ in
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }
}

/// Signal connections that are disconnected together. Holds no references to the objects.
@MainActor
package final class SignalConnections {
    private var connections: [(object: WeakObject, handler: gulong)] = []

    package init() {}

    package func connect(_ signal: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void)
    {
        connections.append((WeakObject(object), Signal.connect(signal, of: object, body)))
    }

    package func connect(property: String, of object: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void)
    {
        connections.append((WeakObject(object), Signal.connect(property: property, of: object, body)))
    }

    /// Calls `body` after each change of the items of a `GListModel`.
    package func connect(itemsOf model: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> Void) {
        let handler = SignalClosure.connect("items-changed", of: model) { body() }
        connections.append((WeakObject(model), handler))
    }

    package func end() {
        for (object, handler) in connections {
            if let object = object.strong() { g_signal_handler_disconnect(object.pointer, handler) }
        }
        connections = []
    }
}
