import CRemoteImageGtk

/// Reports when a declared widget becomes visible and when it no longer is: mapped, laid out, and
/// within the viewports around it. Loads also start near a viewport, and in the unmapped rows of a
/// list that are near the visible ones.
@MainActor
final class WidgetAppearance: Pausable {
    // Not owned: the widget owns its node, which owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private lazy var tracker = VisibilityTracker(widget) { [weak self] _ in self?.check() }
    private let connections = SignalConnections()
    private var sizeTicks: FrameTicks?
    private var isPaused = false
    private(set) var hasAppeared = false
    /// Receive whether the widget is visible, after each change.
    var followers: [@MainActor (Bool) -> Void] = []

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        connections.connect("map", of: UnsafeMutableRawPointer(widget)) { [weak self] in self?.map() }
        connections.connect("unmap", of: UnsafeMutableRawPointer(widget)) { [weak self] in self?.unmap() }
        if gtk_widget_get_mapped(widget) != 0 { map() }
    }

    /// The widget is removed, or its row no longer shows the item.
    func pause() {
        isPaused = true
        check()
    }

    func resume() {
        isPaused = false
        check()
    }

    private func map() {
        tracker.map()
        sizeTicks?.stop()
        sizeTicks = FrameTicks.whenSized(widget) { [weak self] in
            guard let self else { return }
            tracker.allocate(width: gtk_widget_get_width(widget), height: gtk_widget_get_height(widget))
            check()
        }
    }

    private func unmap() {
        sizeTicks?.stop()
        tracker.unmap()
        check()
    }

    private var isVisible: Bool { !isPaused && tracker.isMapped && tracker.isLaidOut && tracker.isVisible }

    private func check() {
        guard isVisible != hasAppeared else { return }
        guard isVisible else { return report(false) }
        // GTK maps the rows of a list for a moment before it knows where they are.
        Task { [weak self] in
            if let self, isVisible, !hasAppeared { report(true) }
        }
    }

    private func report(_ isVisible: Bool) {
        hasAppeared = isVisible
        for follower in followers { follower(isVisible) }
    }
}
