import CRemoteImageGtk

/// Calls a function before each frame of a widget, until the function or the owner ends the calls,
/// or the widget is destroyed.
@MainActor
package final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var body: (@MainActor (_ time: Int64) -> Bool)?
    private let ended: @MainActor () -> Void
    private var identifier: guint = 0

    /// - Parameters:
    ///   - ended: Called exactly once, when the calls have ended for any reason.
    ///   - body: Receives the time of the frame in microseconds, and returns whether the calls
    ///     continue.
    package init(
        of widget: UnsafeMutablePointer<GtkWidget>, ended: @escaping @MainActor () -> Void = {},
        _ body: @escaping @MainActor (_ time: Int64) -> Bool
    ) {
        self.widget = widget
        self.ended = ended
        self.body = body
        identifier = gtk_widget_add_tick_callback(
            widget,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Int64(gdk_frame_clock_get_frame_time(clock))
                let ticks = Unmanaged<FrameTicks>.fromOpaque(data).takeUnretainedValue()
                return MainLoop.assumeIsolated { ticks.tick(at: time) } ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                let ticks = Unmanaged<FrameTicks>.fromOpaque(data).takeRetainedValue()
                // The widget may have been destroyed.
                MainLoop.assumeIsolated {
                    (ticks.body, ticks.identifier) = (nil, 0)
                    ticks.ended()
                }
            })
    }

    package func stop() {
        body = nil
        guard identifier != 0 else { return }
        gtk_widget_remove_tick_callback(widget, identifier)
        identifier = 0
    }

    private func tick(at time: Int64) -> Bool {
        // The return value removes the tick callback, also if `body` calls `stop()`.
        let own = identifier
        identifier = 0
        guard body?(time) == true, body != nil else {
            body = nil
            return false
        }
        identifier = own
        return true
    }
}

extension FrameTicks {
    /// Calls `body` once a mapped widget has a size, at once or before one of the next three
    /// frames. A widget whose size depends on its content may never get one; for it, `body` is
    /// called before the third frame.
    ///
    /// - Returns: The wait; `nil` if the widget has a size.
    package static func whenSized(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> Void
    ) -> FrameTicks? {
        guard !widget.hasSize else {
            body()
            return nil
        }
        var frameCount = 0
        return FrameTicks(of: widget) { _ in
            frameCount += 1
            guard widget.hasSize || frameCount == 3 else { return true }
            body()
            return false
        }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    @MainActor package var hasSize: Bool { gtk_widget_get_width(self) > 0 && gtk_widget_get_height(self) > 0 }
}
