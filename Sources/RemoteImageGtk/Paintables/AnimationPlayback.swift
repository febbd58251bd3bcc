import CGtk

/// Plays an animation in a paintable while a widget that shows it can be seen.
///
/// One frame is made while the previous one is shown, and only visible ones: not while the widget is unmapped, its window
/// minimised or suspended, or the desktop's animations are off. A widget that comes back begins anew. A frame that is due
/// is shown in the next frame of the widget's clock, with all others that are due by then; between them no clock runs.
@MainActor
final class AnimationPlayback {
    private let animation: ImageAnimation
    private let paintable: ObjectReference
    /// Not owned: the playback lives in the widget's signal handlers.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var playing: Task<Void, Never>?
    private var tick: guint = 0

    /// Plays for as long as the widget lives.
    static func attach(_ animation: ImageAnimation, _ paintable: ObjectReference, to widget: Widget) {
        let playback = AnimationPlayback(animation, paintable, widget.pointer)
        Signal.connect("map", of: widget) { playback.start() }
        Signal.connect("unmap", of: widget) { playback.stop() }
    }

    init(
        _ animation: ImageAnimation, _ paintable: ObjectReference, _ widget: UnsafeMutablePointer<GtkWidget>
    ) {
        self.animation = animation
        self.paintable = paintable
        self.widget = widget
    }

    func start() {
        guard playing == nil else { return }
        let player = AnimationPlayer(animation)
        playing = Task { [weak self] in
            var due = ContinuousClock.now
            while !Task.isCancelled, let frame = await player.next() {
                try? await Task.sleep(until: due)
                // GTK has no signal for everything that hides a widget: visibility is checked again, at most a second apart.
                var pause = Duration.milliseconds(125)
                while let self, !Task.isCancelled, !self.isSeen {
                    pause = min(pause * 2, .seconds(1))
                    try? await Task.sleep(for: pause)
                }
                guard let self, !Task.isCancelled else { return }
                await self.inNextFrame { ImagePaintable.show(frame.pixels, in: $0.paintable) }
                // What came late is not made up for by haste.
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

    /// What is to be done when the clock ticks, and who waits for it, or for there being nothing to wait for any more.
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

    /// Returns when `body` was called, or will not be since the playback or the widget ended.
    private func inNextFrame(_ body: @escaping @MainActor (AnimationPlayback) -> Void) async {
        await withUnsafeContinuation { waiting in
            tick = gtk_widget_add_tick_callback(
                widget,
                { _, _, data in
                    guard let data else { return 0 }
                    let tick = Unmanaged<Tick>.fromOpaque(data).takeUnretainedValue()
                    MainLoop.assumeIsolated {
                        guard let playback = tick.playback else { return }
                        // Removed by what is returned.
                        playback.tick = 0
                        tick.body(playback)
                    }
                    return 0
                }, Unmanaged.passRetained(Tick(self, waiting, body)).toOpaque(),
                // GTK calls this once, however the tick ends.
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
