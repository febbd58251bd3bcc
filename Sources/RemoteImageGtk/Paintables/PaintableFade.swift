import CGtk
import RemoteImageCore

/// Fades in the image of a paintable, with the frame clock of the widget that shows it.
@MainActor
final class PaintableFade {
    private let paintable: ObjectReference
    private let duration: Double
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var startTime: Int64?
    private var tick: guint = 0

    init(_ paintable: ObjectReference, duration: Duration, on widget: UnsafeMutablePointer<GtkWidget>) {
        self.paintable = paintable
        self.duration = duration / .microseconds(1)
        self.widget = widget
        tick = gtk_widget_add_tick_callback(
            widget,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Int64(gdk_frame_clock_get_frame_time(clock))
                let fade = Unmanaged<PaintableFade>.fromOpaque(data).takeUnretainedValue()
                return MainLoop.assumeIsolated { fade.advance(to: time) } ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<PaintableFade>.fromOpaque(data).release() }
            })
    }

    /// Ends the fade and shows only the new image.
    func stop() {
        guard tick != 0 else { return }
        gtk_widget_remove_tick_callback(widget, tick)
        tick = 0
        ImagePaintable.setProgress(1, of: paintable)
    }

    private func advance(to time: Int64) -> Bool {
        let start = startTime ?? time
        startTime = start
        let progress = CrossFade.isWanted(by: widget) ? Double(time - start) / duration : 1
        ImagePaintable.setProgress(progress, of: paintable)
        guard progress >= 1 else { return true }
        tick = 0
        return false
    }
}
