import CGtk
import RemoteImageGtk

/// Writes a widget into a PNG file, as it is drawn now.
@MainActor
enum Screenshot {
    /// Throws a sentence that says what is missing.
    static func write(_ widget: Widget, to path: String) throws(ScreenshotError) {
        let scale = Float(gtk_widget_get_scale_factor(widget.pointer))
        let (width, height) = (gtk_widget_get_width(widget.pointer), gtk_widget_get_height(widget.pointer))
        guard width > 0, height > 0, let native = gtk_widget_get_native(widget.pointer),
            let renderer = gtk_native_get_renderer(native)
        else { throw ScreenshotError("The window is not on a display.") }
        let paintable = gtk_widget_paintable_new(widget.pointer)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()
        gtk_snapshot_scale(snapshot, scale, scale)
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            throw ScreenshotError("The window draws nothing.")
        }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t()
        graphene_rect_init(&bounds, 0, 0, Float(width) * scale, Float(height) * scale)
        guard let texture = gsk_renderer_render_texture(renderer, node, &bounds) else {
            throw ScreenshotError("The window cannot be drawn.")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        guard gdk_texture_save_to_png(texture, path) != 0 else {
            throw ScreenshotError("\(path) cannot be written.")
        }
    }
}

struct ScreenshotError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
