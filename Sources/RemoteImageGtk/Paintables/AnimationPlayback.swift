import CGtk

/// Plays an animation in a paintable while the widget that shows it is visible.
///
/// Each frame is decoded while the previous one is shown. Playback pauses while the widget is
/// scrolled away, its window is minimised or suspended, or the desktop's animations are off; it
/// stops on unmap, and starts from the first frame on map. A due frame is shown in the next frame
/// of the widget's frame clock, together with all other due animations; the clock does not run in
/// between.
@MainActor
final class AnimationPlayback {
    private let animation: ImageAnimation
    private let paintable: ObjectReference
    /// Not owned: the playback lives in the widget's signal handlers.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var playing: Task<Void, Never>?
    private var tick: guint = 0
    private let connections = SignalConnections()

    init(
        _ animation: ImageAnimation, _ paintable: ObjectReference, _ widget: UnsafeMutablePointer<GtkWidget>
    ) {
        self.animation = animation
        self.paintable = paintable
        self.widget = widget
    }

    /// Plays while the widget is mapped, until ``end()``. The widget keeps this object alive.
    func playWhileMapped() {
        connections.connect("map", of: widget) { self.start() }
        connections.connect("unmap", of: widget) { self.stop() }
        if gtk_widget_get_mapped(widget) != 0 { start() }
    }

    /// Stops for good.
    func end() {
        stop()
        connections.end()
    }

    func start() {
        guard playing == nil else { return }
        let player = AnimationPlayer(animation)
        playing = Task { [weak self] in
            var due = ContinuousClock.now
            while !Task.isCancelled, let frame = await player.next() {
                try? await Task.sleep(until: due)
                // GTK does not signal every change of visibility, so it is checked again, at most a
                // second apart.
                var pause = Duration.milliseconds(125)
                while let self, !Task.isCancelled, !self.isSeen {
                    pause = min(pause * 2, .seconds(1))
                    try? await Task.sleep(for: pause)
                }
                guard let self, !Task.isCancelled else { return }
                await self.inNextFrame { ImagePaintable.show(frame.pixels, in: $0.paintable) }
                // A late frame does not shorten the frames after it.
                due = max(due, .now - frame.delay) + frame.delay
            }
        }
    }

    func stop() {
        playing?.cancel()
        playing = nil
        guard tick != 0 else { return }
        gtk_widget_remove_tick_callback(widget, tick)
        tick = 0
    }

    /// The work of the next tick of the frame clock, and the continuation to resume when the tick
    /// callback is removed.
    @MainActor
    private final class Tick {
        weak var playback: AnimationPlayback?
        let body: @MainActor (AnimationPlayback) -> Void
        let waiting: UnsafeContinuation<Void, Never>

        init(
            _ playback: AnimationPlayback, _ waiting: UnsafeContinuation<Void, Never>,
            _ body: @escaping @MainActor (AnimationPlayback) -> Void
        ) {
            self.playback = playback
            self.waiting = waiting
            self.body = body
        }
    }

    /// Calls `body` in the next frame. Returns after the call, or without it when the playback or
    /// the widget ends.
    private func inNextFrame(_ body: @escaping @MainActor (AnimationPlayback) -> Void) async {
        await withUnsafeContinuation { waiting in
            tick = gtk_widget_add_tick_callback(
                widget,
                { _, _, data in
                    guard let data else { return 0 }
                    let tick = Unmanaged<Tick>.fromOpaque(data).takeUnretainedValue()
                    MainLoop.assumeIsolated {
                        guard let playback = tick.playback else { return }
                        // The return value removes the tick callback.
                        playback.tick = 0
                        tick.body(playback)
                    }
                    return 0
                }, Unmanaged.passRetained(Tick(self, waiting, body)).toOpaque(),
                // GTK calls this exactly once, however the tick callback is removed.
                { data in
                    guard let data else { return }
                    let tick = Unmanaged<Tick>.fromOpaque(data).takeRetainedValue()
                    MainLoop.assumeIsolated { tick.waiting.resume() }
                })
        }
    }

    private var isSeen: Bool {
        CrossFade.isWanted(by: widget) && shim_is_seen(widget) != 0
    }
}
