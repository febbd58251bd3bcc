import CRemoteImageGtk

/// Resumes animations when a window becomes visible, and shrinks the memory caches while no window
/// of the program is visible: all are closed, hidden, minimised, or suspended by the desktop (GTK
/// 4.12).
@MainActor
final class HiddenWindows {
    static let shared = HiddenWindows()

    /// How long no window must have been visible, since a program may close one window and open
    /// another. Tests set it to zero.
    static var delay = Duration.seconds(10)
    /// The fraction of its limit that a memory cache keeps.
    static let keptFraction = 0.5

    private static let watched = ObjectData<HiddenWindows>("remote-image-hidden-windows")

    private let timer = MainLoopTimer()

    /// Watches the window of a mapped view. Further calls for the same window do nothing.
    func watch(_ view: UnsafeMutablePointer<GtkWidget>) {
        guard let root = gtk_widget_get_root(view) else { return }
        let window = UnsafeMutableRawPointer(root)
        guard Self.watched[window] == nil else { return }
        Self.watched[window] = self
        Signal.connect("map", of: window) { [weak self] in
            self?.watchSurface(of: window)
            self?.check()
        }
        Signal.connect("unmap", of: window) { [weak self] in self?.check() }
        if shim_has_property(window, "suspended") != 0 {
            Signal.connect(property: "suspended", of: window) { [weak self] in self?.check() }
        }
        watchSurface(of: window)
    }

    /// A window gets a new surface when it is realized again.
    private func watchSurface(of window: UnsafeMutableRawPointer) {
        guard let surface = gtk_native_get_surface(OpaquePointer(window)).map({ UnsafeMutableRawPointer($0) }),
            Self.watched[surface] == nil, shim_has_property(surface, "state") != 0
        else { return }
        Self.watched[surface] = self
        Signal.connect(property: "state", of: surface) { [weak self] in self?.check() }
    }

    private func check() {
        AnimationPlayback.conditionsChanged()
        guard !isAnyWindowVisible else { return timer.stop() }
        guard !timer.isRunning else { return }
        timer.start(after: Self.delay) { [weak self] in
            if let self, !isAnyWindowVisible { DesktopFollower.shared.freeMemory(keeping: Self.keptFraction) }
        }
    }

    private var isAnyWindowVisible: Bool {
        let windows = gtk_window_get_toplevels()
        return (0..<g_list_model_get_n_items(windows)).contains { index in
            guard let window = g_list_model_get_item(windows, index) else { return false }
            defer { g_object_unref(window) }
            return shim_is_visible(window.assumingMemoryBound(to: GtkWidget.self)) != 0
        }
    }
}
