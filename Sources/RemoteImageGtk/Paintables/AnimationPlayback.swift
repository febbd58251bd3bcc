import CRemoteImageGtk

/// Plays an animation in a paintable while the widget that shows it is visible.
///
/// Each frame is decoded while the previous one is shown. Playback pauses while the widget is
/// scrolled away, its window is minimised or suspended, or the desktop's animations are off, and
/// then uses no processor time; it stops on unmap, and starts from the first frame on map. A due
/// frame is shown in the next frame of the widget's frame clock, together with all other due
/// animations; the clock does not run in between.
@MainActor
final class AnimationPlayback {
    /// The playbacks that pause. The desktop or a window resumes them.
    private static var pausing: [ObjectIdentifier: AnimationPlayback] = [:]
    /// The number of playbacks that pause, for tests.
    package static var pausingCount: Int { pausing.count }

    private static let watchedSettings = ObjectData<SignalConnections>("remote-image-animation-settings")

    private let animation: ImageAnimation
    private let paintable: ObjectReference
    /// Not owned: the playback lives in the widget's signal handlers.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var playing: Task<Void, Never>?
    private var ticks: FrameTicks?
    /// Whether the animation pauses at its current frame, until it is resumed or stopped.
    var isPaused = false {
        didSet { resumeIfPossible() }
    }
    private var pause: UnsafeContinuation<Void, Never>?
    private lazy var tracker = VisibilityTracker(widget) { [weak self] _ in self?.resumeIfPossible() }
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
        HiddenWindows.shared.watch(widget)
        Self.watchSettings(of: widget)
        tracker.map()
        tracker.allocate(width: gtk_widget_get_width(widget), height: gtk_widget_get_height(widget))
        let player = AnimationPlayer(animation)
        playing = Task { [weak self] in
            await self?.waitWhilePausing()
            var due = ContinuousClock.now
            while !Task.isCancelled, let frame = await player.next() {
                try? await Task.sleep(until: due)
                await self?.waitWhilePausing()
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
        tracker.unmap()
        ticks?.stop()
        ticks = nil
    }

    private func waitWhilePausing() async {
        while !mayPlay, !Task.isCancelled {
            Self.pausing[ObjectIdentifier(self)] = self
            await withUnsafeContinuation { pause = $0 }
        }
    }

    private func resume() {
        Self.pausing[ObjectIdentifier(self)] = nil
        pause.take()?.resume()
    }

    private func resumeIfPossible() {
        if pause != nil, mayPlay { resume() }
    }

    /// Resumes the playbacks that may play, after a change of the desktop or of a window.
    static func conditionsChanged() {
        for playback in Array(pausing.values) { playback.resumeIfPossible() }
    }

    private static func watchSettings(of widget: UnsafeMutablePointer<GtkWidget>) {
        guard let settings = gtk_widget_get_settings(widget).map({ UnsafeMutableRawPointer($0) }),
            watchedSettings[settings] == nil
        else { return }
        let connections = SignalConnections()
        connections.connect(property: "gtk-enable-animations", of: settings) { conditionsChanged() }
        watchedSettings[settings] = connections
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

    private var mayPlay: Bool { !isPaused && tracker.isVisible && isWindowSeen && CrossFade.isWanted(by: widget) }

    private var isWindowSeen: Bool {
        gtk_widget_get_root(widget).map { shim_is_seen(shim_widget(UnsafeMutableRawPointer($0))) != 0 } ?? false
    }
}
