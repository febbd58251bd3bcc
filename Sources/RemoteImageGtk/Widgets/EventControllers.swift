// Connects Swift closures to GTK's event controllers, and to actions and dialogs. A widget owns its
// controllers, a controller its closures.

import CRemoteImageGtk

@MainActor
enum EventControllers {
    private typealias PrepareHandler = Callback<Void, OpaquePointer?>

    /// Adds a controller to a widget, which takes it over.
    static func add(_ controller: OpaquePointer?, to widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_add_controller(widget, controller)
    }

    /// Connects to a signal of a controller, with the first of its arguments.
    static func connect<each Argument: SignalValue, Result>(
        _ signal: String, _ controller: OpaquePointer?,
        _ handler: @escaping @MainActor (repeat each Argument) -> Result
    ) {
        guard let controller else { return }
        SignalClosure.connect(signal, of: UnsafeMutableRawPointer(controller), handler)
    }

    /// Connects to `prepare` of a drag source. `body` returns a new reference to the dragged
    /// content, or `nil`.
    static func connectPrepare(_ source: OpaquePointer?, _ body: @escaping @MainActor () -> OpaquePointer?) {
        shim_connect_prepare(
            source.map { UnsafeMutableRawPointer($0) },
            { _, _, _, data in
                (PrepareHandler.call(data, ()) ?? nil).map { UnsafeMutablePointer<GdkContentProvider>($0) }
            }, PrepareHandler.retained(body), Signal.release)
    }
}
