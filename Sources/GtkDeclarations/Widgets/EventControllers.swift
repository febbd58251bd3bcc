// Connects Swift closures to GTK's event controllers, and to actions and dialogs. A widget owns its
// controllers, a controller its closures.

import CRemoteImageGtk

@MainActor
package enum EventControllers {
    private typealias PrepareHandler = Callback<Void, OpaquePointer?>

    /// Adds a controller to a widget, which takes it over.
    package static func add(_ controller: OpaquePointer?, to widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls `body` when keys are pressed while a widget is mapped and its scope has the focus.
    ///
    /// - Parameters:
    ///   - beforeFocus: Whether the keys are used before the widget with the focus receives them,
    ///     except for those with which a text field edits.
    ///   - body: Returns whether it used the keys. Other widgets otherwise receive them.
    static func addShortcut(
        _ keys: String, to widget: UnsafeMutablePointer<GtkWidget>, _ scope: GtkShortcutScope,
        beforeFocus: Bool = false, _ body: @escaping @MainActor () -> Bool
    ) {
        guard let trigger = gtk_shortcut_trigger_parse_string(keys) else {
            return shim_warning("\"\(keys)\" is not a keyboard shortcut")
        }
        let isForTexts = beforeFocus && edits(trigger)
        let data = Callback<Void, Bool>.retained {
            guard gtk_widget_get_mapped(widget) != 0, !(isForTexts && isTextFocused(around: widget)) else {
                return false
            }
            return body()
        }
        let action = gtk_callback_action_new(
            { _, _, data in Callback<Void, Bool>.call(data, ()) == true ? 1 : 0 }, data,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
        let controller = gtk_shortcut_controller_new()
        // GTK reads the phase when the controller is added.
        if beforeFocus { gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE) }
        gtk_shortcut_controller_set_scope(controller, scope)
        gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, action))
        add(controller, to: widget)
    }

    /// Whether a text field uses a key for its text or its cursor.
    private static func edits(_ trigger: OpaquePointer) -> Bool {
        guard shim_is_a(UnsafeMutableRawPointer(trigger), gtk_keyval_trigger_get_type()) != 0 else { return true }
        let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
        guard gtk_keyval_trigger_get_modifiers(trigger).rawValue & others == 0 else { return false }
        let key = gtk_keyval_trigger_get_keyval(trigger)
        return key != guint(GDK_KEY_Escape) && !(guint(GDK_KEY_F1)...guint(GDK_KEY_F35)).contains(key)
    }

    private static func isTextFocused(around widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        let focus = gtk_widget_get_root(widget).flatMap { gtk_root_get_focus($0) }
        return [gtk_text_get_type(), gtk_text_view_get_type()].contains { shim_is_a(focus, $0) != 0 }
    }

    /// Connects to a signal of a controller, with the first of its arguments.
    package static func connect<each Argument: SignalValue, Result>(
        _ signal: String, _ controller: OpaquePointer?,
        _ handler: @escaping @MainActor (repeat each Argument) -> Result
    ) {
        guard let controller else { return }
        SignalClosure.connect(signal, of: UnsafeMutableRawPointer(controller), handler)
    }

    /// Connects to `prepare` of a drag source. `body` returns a new reference to the dragged
    /// content, or `nil`.
    package static func connectPrepare(_ source: OpaquePointer?, _ body: @escaping @MainActor () -> OpaquePointer?) {
        shim_connect_prepare(
            source.map { UnsafeMutableRawPointer($0) },
            { _, _, _, data in
                (PrepareHandler.call(data, ()) ?? nil).map { UnsafeMutablePointer<GdkContentProvider>($0) }
            }, PrepareHandler.retained(body), Signal.release)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// Whether the widget or one within it has the focus of its window.
    @MainActor
    package var containsFocus: Bool {
        guard let window = gtk_widget_get_root(self), let focus = gtk_root_get_focus(window) else { return false }
        return focus == self || gtk_widget_is_ancestor(focus, self) != 0
    }
}
