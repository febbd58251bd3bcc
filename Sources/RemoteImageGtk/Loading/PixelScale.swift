import CRemoteImageGtk

/// Tracks the scale of a widget in pixels per point: a whole number, or a fraction from GTK 4.12
/// on.
@MainActor
final class PixelScale {
    /// Returns the object whose property `scale` is the scale of a mapped widget: its surface, or
    /// `nil` without a surface that has the property. Tests replace it.
    static var source: @MainActor (UnsafeMutablePointer<GtkWidget>) -> UnsafeMutableRawPointer? = {
        shim_scaled_surface($0)
    }

    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> Double {
        max(1, source(widget).map { shim_get_double($0, "scale") } ?? Double(gtk_widget_get_scale_factor(widget)))
    }

    // Not owned: the widget owns the object that owns this one.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor () -> Void
    private var last: Double?
    private let connections = SignalConnections()
    /// The source of the scale while the widget is mapped. Owned: GLib searches all weak references
    /// to an object when one ends, and all views of a window share its surface.
    private var source: (object: ObjectReference, handler: gulong)?

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor () -> Void) {
        self.widget = widget
        self.changed = changed
    }

    /// Call when the widget is mapped and has a surface.
    func map() {
        unmap()
        if let source = Self.source(widget) {
            let handler = Signal.connect(property: "scale", of: source) { [weak self] in self?.check() }
            self.source = (ObjectReference(borrowing: source), handler)
        }
        connections.connect(property: "scale-factor", of: widget) { [weak self] in self?.check() }
        check()
    }

    /// Call when the widget is unmapped or tracking ends.
    func unmap() {
        connections.end()
        if let source { g_signal_handler_disconnect(source.object.pointer, source.handler) }
        source = nil
    }

    private func check() {
        let scale = Self.of(widget)
        guard scale != last else { return }
        let isFirst = last == nil
        last = scale
        if !isFirst { changed() }
    }
}
