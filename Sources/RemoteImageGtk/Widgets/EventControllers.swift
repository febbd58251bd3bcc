// Connects Swift closures to GTK's event controllers. A widget owns its controllers, a controller
// its closures.

import CGtk

/// Connects closures to the signals of event controllers, actions and dialogs.
@MainActor
enum Controllers {
    private final class Handler<Arguments, Result> {
        let body: @MainActor (Arguments) -> Result

        init(_ body: @escaping @MainActor (Arguments) -> Result) {
            self.body = body
        }
    }

    private typealias PointHandler = Handler<(x: Double, y: Double), Bool>
    private typealias PressHandler = Handler<(count: Int, x: Double, y: Double), Void>
    private typealias KeyHandler = Handler<(key: UInt32, state: GdkModifierType), Bool>
    private typealias ScaleHandler = Handler<Double, Void>

    /// Adds a controller to a widget, which takes it over.
    static func add(_ controller: OpaquePointer?, to widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_add_controller(widget, controller)
    }

    static func connectScale(_ gesture: OpaquePointer?, _ body: @escaping @MainActor (Double) -> Void) {
        shim_connect_scale(
            raw(gesture),
            { _, scale, data in
                guard let data else { return }
                let handler = Unmanaged<ScaleHandler>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body(scale) }
            }, retained(ScaleHandler(body)), release)
    }

    /// Connects to `drag-begin`, `drag-update` or `scroll`. For `scroll`, `body` returns whether it
    /// handled the event.
    static func connectPoint(
        _ signal: String, _ controller: OpaquePointer?,
        _ body: @escaping @MainActor ((x: Double, y: Double)) -> Bool
    ) {
        shim_connect_point(
            raw(controller), signal,
            { _, x, y, data in
                guard let data else { return 0 }
                let handler = Unmanaged<PointHandler>.fromOpaque(data).takeUnretainedValue()
                return MainLoop.assumeIsolated { handler.body((x, y)) } ? 1 : 0
            }, retained(PointHandler(body)), release)
    }

    /// Connects to the `begin` signal of a gesture.
    static func connectBegin(_ gesture: OpaquePointer?, _ body: @escaping @MainActor () -> Void) {
        shim_connect_begin(
            raw(gesture),
            { _, _, data in
                guard let data else { return }
                let handler = Unmanaged<Handler<Void, Void>>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body(()) }
            }, retained(Handler<Void, Void>(body)), release)
    }

    static func connectPress(
        _ gesture: OpaquePointer?, _ body: @escaping @MainActor ((count: Int, x: Double, y: Double)) -> Void
    ) {
        shim_connect_press(
            raw(gesture),
            { _, count, x, y, data in
                guard let data else { return }
                let handler = Unmanaged<PressHandler>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body((Int(count), x, y)) }
            }, retained(PressHandler(body)), release)
    }

    static func connectKey(
        _ controller: OpaquePointer?, _ body: @escaping @MainActor ((key: UInt32, state: GdkModifierType)) -> Bool
    ) {
        shim_connect_key(
            raw(controller),
            { _, key, _, state, data in
                guard let data else { return 0 }
                let handler = Unmanaged<KeyHandler>.fromOpaque(data).takeUnretainedValue()
                return MainLoop.assumeIsolated { handler.body((key, state)) } ? 1 : 0
            }, retained(KeyHandler(body)), release)
    }

    static func connectAction(_ action: OpaquePointer?, _ body: @escaping @MainActor () -> Void) {
        shim_connect_action(
            raw(action),
            { _, _, data in
                guard let data else { return }
                let handler = Unmanaged<Handler<Void, Void>>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body(()) }
            }, retained(Handler<Void, Void>(body)), release)
    }

    static func connectResponse(
        _ dialog: OpaquePointer, _ body: @escaping @MainActor (Int32) -> Void
    ) {
        shim_connect_response(
            raw(dialog),
            { _, response, data in
                guard let data else { return }
                let handler = Unmanaged<Handler<Int32, Void>>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body(response) }
            }, retained(Handler<Int32, Void>(body)), release)
    }

    /// Connects to `prepare` of a drag source. `body` returns a new reference to the dragged
    /// content, or `nil`.
    static func connectPrepare(_ source: OpaquePointer?, _ body: @escaping @MainActor () -> OpaquePointer?) {
        shim_connect_prepare(
            raw(source),
            { _, _, _, data in
                guard let data else { return nil }
                let handler = Unmanaged<Handler<Void, OpaquePointer?>>.fromOpaque(data).takeUnretainedValue()
                nonisolated(unsafe) var content: OpaquePointer?  // Never leaves this call, which is on the main thread.
                MainActor.assumeIsolated { content = handler.body(()) }
                return content.map { UnsafeMutablePointer<GdkContentProvider>($0) }
            }, retained(Handler<Void, OpaquePointer?> { _ in body() }), release)
    }

    private static func raw(_ controller: OpaquePointer?) -> UnsafeMutableRawPointer? {
        controller.map { UnsafeMutableRawPointer($0) }
    }

    private static func retained(_ handler: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(handler).toOpaque()
    }

    private static let release: ShimDestroy = { data, _ in
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }
}
