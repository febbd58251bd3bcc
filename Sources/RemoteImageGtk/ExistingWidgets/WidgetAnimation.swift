import CGtk

/// The animation of a widget whose image may be replaced. It plays while the widget is mapped,
/// until ``end()``.
@MainActor
final class WidgetAnimation {
    // Not owned: the widget indirectly owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let playback: AnimationPlayback
    /// The handler IDs of `map` and `unmap`. The widget disconnects them when it is finalized.
    private var handlers: [gulong] = []

    init(_ animation: ImageAnimation, _ paintable: ObjectReference, on widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        let playback = AnimationPlayback(animation, paintable, widget)
        self.playback = playback
        let object = UnsafeMutableRawPointer(widget)
        handlers = [
            Signal.connect("map", of: object) { playback.start() },
            Signal.connect("unmap", of: object) { playback.stop() },
        ]
        if gtk_widget_get_mapped(widget) != 0 { playback.start() }
    }

    /// Stops the animation for good. Call only while the widget is alive.
    func end() {
        playback.stop()
        for handler in handlers { g_signal_handler_disconnect(widget, handler) }
        handlers = []
    }
}
