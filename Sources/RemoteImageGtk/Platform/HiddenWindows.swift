import CGtk

/// Lets memory caches shrink while no window of the program can be seen: all are closed, hidden or minimised, or the
/// desktop has suspended them (GTK 4.12).
@MainActor
final class HiddenWindows {
    static let shared = HiddenWindows()

    /// How long no window must have been seen: a program may close one and open another. A test waits no time.
    static var delay = Duration.seconds(10)
    /// How much of its limit a memory cache keeps.
    static let keptFraction = 0.5

    private static let watched = ObjectData<HiddenWindows>("remote-image-hidden-windows")

    private let timer = MainLoopTimer()

    /// Watches the window of a mapped view, from its first view on.
    func watch(_ view: UnsafeMutablePointer<GtkWidget>) {
        guard let root = gtk_widget_get_root(view) else { return }
        let window = UnsafeMutableRawPointer(root)
        guard Self.watched[window] == nil else { return }
        Self.watched[window] = self
        for signal in ["map", "unmap"] { Signal.connect(signal, of: window) { [weak self] in self?.look() } }
        if shim_has_property(window, "suspended") != 0 {
            Signal.connect(property: "suspended", of: window) { [weak self] in self?.look() }
        }
        if let surface = gtk_native_get_surface(OpaquePointer(window)),
            shim_has_property(UnsafeMutableRawPointer(surface), "state") != 0
        {
            // The window has another surface when it is realized again, but is mapped then.
            Signal.connect(property: "state", of: UnsafeMutableRawPointer(surface)) { [weak self] in self?.look() }
        }
    }

    private func look() {
        guard !isAnySeen else { return timer.stop() }
        guard !timer.isRunning else { return }
        timer.start(after: Self.delay) { [weak self] in
            if let self, !isAnySeen { DesktopFollower.shared.shrinkCaches(to: Self.keptFraction) }
        }
    }

    private var isAnySeen: Bool {
        let windows = gtk_window_get_toplevels()
        return (0..<g_list_model_get_n_items(windows)).contains { index in
            guard let window = g_list_model_get_item(windows, index) else { return false }
            defer { g_object_unref(window) }
            return shim_is_seen(window.assumingMemoryBound(to: GtkWidget.self)) != 0
        }
    }
}
