import CGtk

/// Follows how many pixels of the screen a point of a widget has: a whole number, or a fraction where GTK tells it (4.12).
@MainActor
final class PixelScale {
    /// The object whose property `scale` is that of a mapped widget, and which tells of changes: its surface; nil where
    /// there is none. A test puts another in its place.
    static var source: @MainActor (UnsafeMutablePointer<GtkWidget>) -> UnsafeMutableRawPointer? = {
        shim_scaled_surface($0)
    }

    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> Double {
        max(1, source(widget).map { shim_get_double($0, "scale") } ?? Double(gtk_widget_get_scale_factor(widget)))
    }

    // Not owned: who follows belongs to the widget.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor () -> Void
    private var last: Double?
    private var handler: gulong = 0
    private let connections = SignalConnections()

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor () -> Void) {
        self.widget = widget
        self.changed = changed
    }

    /// The widget is mapped: its surface is there.
    func map() {
        unmap()
        if let source = Self.source(widget) {
            connections.connect(property: "scale", of: source) { [weak self] in self?.look() }
        }
        handler = Signal.connect(property: "scale-factor", of: widget) { [weak self] in self?.look() }
        look()
    }

    /// The widget is unmapped, or the last observer is gone.
    func unmap() {
        connections.end()
        if handler != 0 { g_signal_handler_disconnect(widget, handler) }
        handler = 0
    }

    private func look() {
        let scale = Self.of(widget)
        guard scale != last else { return }
        let isFirst = last == nil
        last = scale
        if !isFirst { changed() }
    }
}
