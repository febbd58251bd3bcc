import CRemoteImageGtk

/// Plays an animation in a paintable while the widget that shows it is visible.
///
/// Playback pauses while the widget is scrolled away, its window is minimised or suspended, or the
/// desktop's animations are off, and then uses no processor time; it stops on unmap, and starts
/// from the first frame on map, or from the frame that other views of the same image show. A due
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
    /// `nil` while the playback is stopped.
    private var stream: AnimationStream?
    var isStarted: Bool { stream != nil }
    private var ticks: FrameTicks?
    /// The pixels that are shown in the next frame.
    private var pending: PixelBuffer?
    /// Whether the animation pauses at its current frame, until it is resumed or stopped.
    var isPaused = false {
        didSet { pauseOrResume() }
    }
    private lazy var tracker = VisibilityTracker(widget) { [weak self] _ in self?.pauseOrResume() }
    private let connections = SignalConnections()

    init(
        _ animation: ImageAnimation, _ paintable: ObjectReference, _ widget: UnsafeMutablePointer<GtkWidget>
    ) {
        self.animation = animation
        self.paintable = paintable
        self.widget = widget
    }

    /// Plays while the widget is mapped, until ``end()``. The widget keeps this object alive.
    ///
    /// - Parameter isPaused: Returns whether the animation pauses when it starts. Default: `nil`,
    ///   which leaves ``isPaused`` as it is.
    func playWhileMapped(isPaused: (@MainActor () -> Bool)? = nil) {
        let start: @MainActor () -> Void = {
            if let isPaused { self.isPaused = isPaused() }
            self.start()
        }
        connections.connect("map", of: widget, start)
        connections.connect("unmap", of: widget) { self.stop() }
        if gtk_widget_get_mapped(widget) != 0 { start() }
    }

    /// Stops for good.
    func end() {
        stop()
        connections.end()
    }

    func start() {
        guard stream == nil else { return }
        HiddenWindows.shared.watch(widget)
        Self.watchSettings(of: widget)
        tracker.map(width: gtk_widget_get_width(widget), height: gtk_widget_get_height(widget))
        stream = AnimationStream.join(animation, self)
        Self.pausing[ObjectIdentifier(self)] = self
        pauseOrResume()
    }

    func stop() {
        guard let stream else { return }
        self.stream = nil
        Self.pausing[ObjectIdentifier(self)] = nil
        stopShowing()
        stream.leave(self)
        tracker.unmap()
    }

    func pauseOrResume() {
        guard let stream else { return }
        let isPausing = Self.pausing[ObjectIdentifier(self)] != nil
        guard mayPlay == isPausing else { return }
        if isPausing {
            Self.pausing[ObjectIdentifier(self)] = nil
            stream.attach(self)
        } else {
            Self.pausing[ObjectIdentifier(self)] = self
            stopShowing()
            stream.detach(self)
        }
    }

    /// Pauses and resumes playbacks after a change of the desktop or of a window. A hidden window
    /// may draw no more frames in which its playbacks would notice.
    static func conditionsChanged() {
        // These release memory, which the others need.
        AnimationStream.conditionsChanged()
        for playback in Array(pausing.values) { playback.pauseOrResume() }
    }

    private static func watchSettings(of widget: UnsafeMutablePointer<GtkWidget>) {
        guard let settings = gtk_widget_get_settings(widget).map({ UnsafeMutableRawPointer($0) }),
            watchedSettings[settings] == nil
        else { return }
        let connections = SignalConnections()
        connections.connect(property: "gtk-enable-animations", of: settings) { conditionsChanged() }
        watchedSettings[settings] = connections
    }

    // MARK: Frames

    /// Shows pixels in the next frame of the widget, in place of others that it would show.
    func showInNextFrame(_ pixels: PixelBuffer) {
        pending = pixels
        guard ticks == nil else { return }
        ticks = FrameTicks(of: widget) { [weak self] _ in
            self?.tick()
            return false
        }
    }

    private func tick() {
        ticks = nil
        pauseOrResume()
        guard let pixels = pending.take() else { return }
        ImagePaintable.show(pixels, in: paintable)
        stream?.didShow(pixels)
    }

    private func stopShowing() {
        pending = nil
        ticks?.stop()
        ticks = nil
    }

    private var mayPlay: Bool { !isPaused && tracker.isVisible && isWindowVisible && CrossFade.isEnabled(for: widget) }

    private var isWindowVisible: Bool {
        gtk_widget_get_root(widget).map { shim_is_visible(shim_widget(UnsafeMutableRawPointer($0))) != 0 } ?? false
    }
}
