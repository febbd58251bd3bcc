import CRemoteImageGtk
import RemoteImageCore

/// The progress of a transition from an old image to a new one, with the frame clock of a widget.
@MainActor
final class CrossFade {
    /// From 0, only the old content, to 1, only the new content.
    private(set) var progress = 0.0
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let duration: Double
    private var startTime: Int64?
    private var ticks: FrameTicks?
    private let advanced: @MainActor (Double) -> Void

    /// - Parameter advanced: Called with the progress in each frame; with 1 at the end, unless
    ///   ``stop()`` is called first.
    init(
        duration: Duration, on widget: UnsafeMutablePointer<GtkWidget>,
        advanced: @escaping @MainActor (Double) -> Void
    ) {
        self.widget = widget
        self.duration = duration / .microseconds(1)
        self.advanced = advanced
        ticks = FrameTicks(of: widget) { [weak self] time in self?.advance(to: time) ?? false }
    }

    /// Stops the transition at its current progress.
    func stop() {
        ticks?.stop()
        ticks = nil
    }

    /// Ends the transition: the new content is shown at once.
    func finish() {
        guard ticks != nil else { return }
        stop()
        progress = 1
        advanced(1)
    }

    /// Returns whether the transition continues.
    private func advance(to time: Int64) -> Bool {
        let start = startTime ?? time
        startTime = start
        progress = Self.isEnabled(for: widget) ? min(1, Double(time - start) / duration) : 1
        if progress >= 1 { ticks = nil }
        advanced(progress)
        return progress < 1
    }

    /// The duration of the cross-fade to an image on a widget; `nil` if the image appears at once.
    static func duration(
        of transition: ImageTransition, to image: LoadedImage, on widget: UnsafeMutablePointer<GtkWidget>
    ) -> Duration? {
        guard transition.duration > .zero, isEnabled(for: widget) else { return nil }
        return image.info.origin == .memory && !transition.appliesToMemoryHits ? nil : transition.duration
    }

    /// Whether the desktop wants animations: `gtk-enable-animations` is set, and the desktop does
    /// not save power.
    static func isEnabled(for widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard !DesktopFollower.savesPower else { return false }
        let settings = gtk_widget_get_settings(widget).map { UnsafeMutableRawPointer($0) }
        return shim_get_boolean(settings, "gtk-enable-animations") != 0
    }
}
