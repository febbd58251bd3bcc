// Connects Swift closures to GTK's event controllers, and to actions and dialogs. A widget owns its
// controllers, a controller its closures.

import CRemoteImageGtk

@MainActor
enum EventControllers {
    private typealias PrepareHandler = Callback<Void, OpaquePointer?>

    private static let release: GDestroyNotify = { data in
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }

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

    /// Calls `action` when one of the keys is pressed in the window of a widget.
    static func addShortcut(
        _ keys: String, to widget: UnsafeMutablePointer<GtkWidget>, _ action: @escaping @MainActor () -> Void?
    ) {
        guard let trigger = gtk_shortcut_trigger_parse_string(keys) else {
            return shim_warning("RemoteImage: \"\(keys)\" names no key")
        }
        let callback = gtk_callback_action_new(
            { _, _, data in Callback<Void, Void?>.call(data, ()) == nil ? 0 : 1 },
            Callback<Void, Void?>.retained(action), release)
        let controller = gtk_shortcut_controller_new()
        gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_GLOBAL)
        gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, callback))
        add(controller, to: widget)
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
