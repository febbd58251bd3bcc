import CGtk
import RemoteImageCore

/// A transition from one content of a view to the next.
///
/// The view's state owns it. It only computes the progress, with the frame clock of the view.
@MainActor
final class CrossFade {
    /// From 0, only the old content, to 1, only the new content.
    private(set) var progress = 0.0
    private let duration: Double
    private var startTime: Int64?
    private let view: UnsafeMutablePointer<GtkWidget>
    private var tick: guint = 0
    private let finished: @MainActor () -> Void

    /// - Parameter finished: Called once, unless ``stop()`` is called first.
    init(
        duration: Duration, on view: UnsafeMutablePointer<GtkWidget>,
        finished: @escaping @MainActor () -> Void
    ) {
        self.duration = duration / .microseconds(1)
        self.view = view
        self.finished = finished
        tick = gtk_widget_add_tick_callback(
            view,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Int64(gdk_frame_clock_get_frame_time(clock))
                let fade = Unmanaged<CrossFade>.fromOpaque(data).takeUnretainedValue()
                return MainLoop.assumeIsolated { fade.advance(to: time) } ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<CrossFade>.fromOpaque(data).release() }
            })
    }

    /// Stops the transition at its current progress.
    func stop() {
        guard tick != 0 else { return }
        gtk_widget_remove_tick_callback(view, tick)
        tick = 0
    }

    /// Returns whether the transition continues.
    private func advance(to time: Int64) -> Bool {
        let start = startTime ?? time
        startTime = start
        progress = Self.isWanted(by: view) ? min(1, Double(time - start) / duration) : 1
        gtk_widget_queue_draw(view)
        guard progress >= 1 else { return true }
        // The return value removes the tick callback.
        tick = 0
        finished()
        return false
    }

    /// The duration of the cross-fade to an image on a widget; `nil` if the image appears at once.
    static func duration(
        of transition: ImageTransition, to image: LoadedImage, on widget: UnsafeMutablePointer<GtkWidget>
    ) -> Duration? {
        guard case .crossFade(let duration) = transition.style, isWanted(by: widget) else { return nil }
        return image.info.origin == .memory && !transition.appliesToMemoryHits ? nil : duration
    }

    /// Whether the desktop wants animations: `gtk-enable-animations` is set, and the desktop does
    /// not save power.
    static func isWanted(by widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard !DesktopFollower.savesPower else { return false }
        let settings = gtk_widget_get_settings(widget).map { UnsafeMutableRawPointer($0) }
        return shim_get_boolean(settings, "gtk-enable-animations") != 0
    }
}
