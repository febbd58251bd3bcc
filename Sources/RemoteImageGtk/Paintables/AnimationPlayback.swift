import CRemoteImageGtk

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
    private var ticks: FrameTicks?
    /// Whether the animation pauses at its current frame, until it is resumed or stopped.
    var isPaused = false {
        didSet { if !isPaused { resume() } }
    }
    private var pausing: UnsafeContinuation<Void, Never>?
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
            await self?.waitWhilePaused()
            var due = ContinuousClock.now
            while !Task.isCancelled, let frame = await player.next() {
                try? await Task.sleep(until: due)
                await self?.waitWhilePaused()
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
        resume()
        ticks?.stop()
        ticks = nil
    }

    private func waitWhilePaused() async {
        while isPaused, !Task.isCancelled { await withUnsafeContinuation { pausing = $0 } }
    }

    private func resume() {
        pausing.take()?.resume()
    }

    /// Calls `body` in the next frame. Returns after the call, or without it when the playback or
    /// the widget ends.
    private func inNextFrame(_ body: @escaping @MainActor (AnimationPlayback) -> Void) async {
        await withUnsafeContinuation { waiting in
            ticks = FrameTicks(of: widget, ended: { waiting.resume() }) { [weak self] _ in
                if let self { body(self) }
                return false
            }
        }
    }

    private var isSeen: Bool {
        CrossFade.isWanted(by: widget) && shim_is_seen(widget) != 0
    }
}
