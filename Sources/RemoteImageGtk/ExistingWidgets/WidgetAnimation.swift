import CGtk

/// An animation in a widget that shows now this image, now that one: played while the widget is mapped, until ``end()``.
@MainActor
final class WidgetAnimation {
    // Not owned: who uses this hangs on the widget.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let playback: AnimationPlayback
    /// Of `map` and `unmap`; the widget ends them at its own end.
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

    /// Stops for good, while the widget is there.
    func end() {
        playback.stop()
        for handler in handlers { g_signal_handler_disconnect(widget, handler) }
        handlers = []
    }
}
