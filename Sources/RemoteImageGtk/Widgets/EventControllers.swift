// Connects Swift closures to GTK's event controllers, and to actions and dialogs. A widget owns its
// controllers, a controller its closures.

import CRemoteImageGtk

@MainActor
enum EventControllers {
    private typealias PointHandler = Callback<(x: Double, y: Double), Bool>
    private typealias PressHandler = Callback<(count: Int, x: Double, y: Double), Void>
    private typealias KeyHandler = Callback<(key: UInt32, state: GdkModifierType), Bool>
    private typealias ScaleHandler = Callback<Double, Void>
    private typealias ResponseHandler = Callback<Int32, Void>
    private typealias PrepareHandler = Callback<Void, OpaquePointer?>
    private typealias PlainHandler = Callback<Void, Void>

    /// Adds a controller to a widget, which takes it over.
    static func add(_ controller: OpaquePointer?, to widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_add_controller(widget, controller)
    }

    static func connectScale(_ gesture: OpaquePointer?, _ body: @escaping @MainActor (Double) -> Void) {
        shim_connect_scale(
            raw(gesture), { _, scale, data in ScaleHandler.call(data, scale) }, ScaleHandler.retained(body),
            Signal.release)
    }

    /// Connects to `drag-begin`, `drag-update` or `scroll`. For `scroll`, `body` returns whether it
    /// handled the event.
    static func connectPoint(
        _ signal: String, _ controller: OpaquePointer?,
        _ body: @escaping @MainActor ((x: Double, y: Double)) -> Bool
    ) {
        shim_connect_point(
            raw(controller), signal, { _, x, y, data in PointHandler.call(data, (x, y)) == true ? 1 : 0 },
            PointHandler.retained(body), Signal.release)
    }

    /// Connects to the `begin` signal of a gesture.
    static func connectBegin(_ gesture: OpaquePointer?, _ body: @escaping @MainActor () -> Void) {
        shim_connect_begin(
            raw(gesture), { _, _, data in PlainHandler.call(data, ()) }, PlainHandler.retained(body), Signal.release)
    }

    static func connectPress(
        _ gesture: OpaquePointer?, _ body: @escaping @MainActor ((count: Int, x: Double, y: Double)) -> Void
    ) {
        shim_connect_press(
            raw(gesture), { _, count, x, y, data in PressHandler.call(data, (Int(count), x, y)) },
            PressHandler.retained(body), Signal.release)
    }

    static func connectKey(
        _ controller: OpaquePointer?, _ body: @escaping @MainActor ((key: UInt32, state: GdkModifierType)) -> Bool
    ) {
        shim_connect_key(
            raw(controller), { _, key, _, state, data in KeyHandler.call(data, (key, state)) == true ? 1 : 0 },
            KeyHandler.retained(body), Signal.release)
    }

    static func connectAction(_ action: OpaquePointer?, _ body: @escaping @MainActor () -> Void) {
        shim_connect_action(
            raw(action), { _, _, data in PlainHandler.call(data, ()) }, PlainHandler.retained(body), Signal.release)
    }

    static func connectResponse(_ dialog: OpaquePointer, _ body: @escaping @MainActor (Int32) -> Void) {
        shim_connect_response(
            raw(dialog), { _, response, data in ResponseHandler.call(data, response) },
            ResponseHandler.retained(body), Signal.release)
    }

    /// Connects to `prepare` of a drag source. `body` returns a new reference to the dragged
    /// content, or `nil`.
    static func connectPrepare(_ source: OpaquePointer?, _ body: @escaping @MainActor () -> OpaquePointer?) {
        shim_connect_prepare(
            raw(source),
            { _, _, _, data in
                (PrepareHandler.call(data, ()) ?? nil).map { UnsafeMutablePointer<GdkContentProvider>($0) }
            }, PrepareHandler.retained(body), Signal.release)
    }

    private static func raw(_ controller: OpaquePointer?) -> UnsafeMutableRawPointer? {
        controller.map { UnsafeMutableRawPointer($0) }
    }
}
