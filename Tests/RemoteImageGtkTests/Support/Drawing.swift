import CRemoteImageGtk
import XCTest

/// The pixels that a widget draws.
struct Drawing {
    let width: Int
    let height: Int
    /// B, G, R and A of each pixel, premultiplied, as GDK downloads them on a little-endian
    /// machine.
    private let pixels: [UInt8]

    @MainActor
    init(_ widget: UnsafeMutablePointer<GtkWidget>?, file: StaticString = #filePath, line: UInt = #line) throws {
        let widget = try XCTUnwrap(widget, file: file, line: line)
        let size = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let native = try XCTUnwrap(gtk_widget_get_native(widget), file: file, line: line)
        let renderer = try XCTUnwrap(gtk_native_get_renderer(native), file: file, line: line)
        let paintable = gtk_widget_paintable_new(widget)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(size.0), Double(size.1))
        (width, height) = (Int(size.0), Int(size.1))
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        // `nil` if nothing is drawn.
        if let node = gtk_snapshot_free_to_node(snapshot) {
            defer { gsk_render_node_unref(node) }
            var bounds = graphene_rect_t()
            graphene_rect_init(&bounds, 0, 0, Float(width), Float(height))
            let texture = try XCTUnwrap(gsk_renderer_render_texture(renderer, node, &bounds), file: file, line: line)
            defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
            gdk_texture_download(texture, &pixels, gsize(width * 4))
        }
        self.pixels = pixels
    }

    /// Red, green, blue, alpha.
    subscript(x: Int, y: Int) -> [UInt8] {
        let index = (y * width + x) * 4
        return [pixels[index + 2], pixels[index + 1], pixels[index], pixels[index + 3]]
    }

    var middle: [UInt8] { self[width / 2, height / 2] }
}

extension Drawing {
    /// Writes the drawing of a widget at the scale of the screen.
    @MainActor
    static func save(_ widget: UnsafeMutablePointer<GtkWidget>, to path: String) throws {
        let scale = Float(gtk_widget_get_scale_factor(widget))
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        let native = try XCTUnwrap(gtk_widget_get_native(widget))
        let renderer = try XCTUnwrap(gtk_native_get_renderer(native))
        let paintable = gtk_widget_paintable_new(widget)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()
        gtk_snapshot_scale(snapshot, scale, scale)
        gdk_paintable_snapshot(paintable, snapshot, width, height)
        let node = try XCTUnwrap(gtk_snapshot_free_to_node(snapshot))
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t()
        graphene_rect_init(&bounds, 0, 0, Float(width) * scale, Float(height) * scale)
        let texture = try XCTUnwrap(gsk_renderer_render_texture(renderer, node, &bounds))
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        gdk_texture_save_to_png(texture, path)
    }
}
