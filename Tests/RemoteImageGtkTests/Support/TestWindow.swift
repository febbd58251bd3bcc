import CRemoteImageGtk

/// A window on the test's display.
@MainActor
final class TestWindow {
    private(set) var window: UnsafeMutablePointer<GtkWindow>?

    /// - Parameter window: An ordinary window by default.
    init(
        _ child: UnsafeMutablePointer<GtkWidget>, width: Int, height: Int,
        window: UnsafeMutablePointer<GtkWidget>? = gtk_window_new()
    ) {
        let window = window.map { $0.withMemoryRebound(to: GtkWindow.self, capacity: 1) { $0 } }
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, Int32(width), Int32(height))
        gtk_window_set_child(window, child)
        self.window = window
    }

    var widget: UnsafeMutablePointer<GtkWidget>? {
        window.map { $0.withMemoryRebound(to: GtkWidget.self, capacity: 1) { $0 } }
    }

    func show() {
        gtk_window_present(window)
    }

    func setChild(_ child: UnsafeMutablePointer<GtkWidget>?) {
        gtk_window_set_child(window, child)
    }

    func resize(width: Int, height: Int) {
        gtk_window_set_default_size(window, Int32(width), Int32(height))
    }

    /// Closes the window, as a user does.
    func destroy() {
        guard let window else { return }
        self.window = nil
        gtk_window_destroy(window)
    }
}
