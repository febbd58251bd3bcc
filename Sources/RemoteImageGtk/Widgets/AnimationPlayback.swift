import CGtk

/// Plays an animation in a paintable while a widget that shows it can be seen.
///
/// One frame is made while the one before is shown, and none that nobody sees: not while the widget is unmapped, its window
/// minimised or suspended, or the desktop's animations are off. A widget that comes back begins anew.
@MainActor
final class AnimationPlayback {
    private let animation: ImageAnimation
    private let paintable: ObjectReference
    /// Not owned: the playback lives in the widget's signal handlers.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var playing: Task<Void, Never>?

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
            while let frame = await player.next() {
                try? await Task.sleep(until: due)
                // Nothing tells of all that hides a widget. Soon after it went it may well come back; later nobody waits.
                var pause = Duration.milliseconds(125)
                while let self, !Task.isCancelled, !self.isSeen {
                    pause = min(pause * 2, .seconds(1))
                    try? await Task.sleep(for: pause)
                }
                guard let self, !Task.isCancelled else { return }
                PicturePaintable.show(frame.pixels, in: self.paintable)
                // What came late is not made up for by haste.
                due = max(due, .now - frame.delay) + frame.delay
            }
        }
    }

    func stop() {
        playing?.cancel()
        playing = nil
    }

    private var isSeen: Bool {
        CrossFade.isWanted(by: widget) && shim_is_seen(widget) != 0
    }
}
