import CRemoteImageGtk
import XCTest

/// The pixels that a widget draws.
struct Drawing {
    /// The size in points.
    let width: Int
    let height: Int
    private let renderings: [Rendering]
    private let file: StaticString
    private let line: UInt

    /// Draws with the renderer of the window, a pixel for each point.
    @MainActor
    init(_ widget: UnsafeMutablePointer<GtkWidget>?, file: StaticString = #filePath, line: UInt = #line) throws {
        let widget = try XCTUnwrap(widget, file: file, line: line)
        self.init(widget, [try Rendering(widget, scale: 1, Self.renderer(of: widget), "the window")], file, line)
    }

    /// Draws with the renderer of the window and with OpenGL, at scale 1 and 2. The color of a
    /// point that these drawings do not have in common, on average, is a failure.
    @MainActor
    init(
        everywhere widget: UnsafeMutablePointer<GtkWidget>?, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let widget = try XCTUnwrap(widget, file: file, line: line)
        let openGL = try XCTUnwrap(Self.openGL, "There is no OpenGL.", file: file, line: line)
        let renderers = [(try Self.renderer(of: widget), "the window"), (openGL, "OpenGL")]
        let renderings = try renderers.flatMap { renderer, name in
            try [1, 2].map { try Rendering(widget, scale: $0, renderer, "\(name) at scale \($0)") }
        }
        self.init(widget, renderings, file, line)
    }

    private init(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ renderings: [Rendering], _ file: StaticString, _ line: UInt
    ) {
        (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        (self.renderings, self.file, self.line) = (renderings, file, line)
    }

    /// Red, green, blue, alpha.
    subscript(x: Int, y: Int) -> [UInt8] {
        let color = renderings[0].colors(x, y)[0]
        for other in renderings.dropFirst() {
            let colors = other.colors(x, y)
            let isEqual = color.indices.allSatisfy { channel in
                let sum = colors.reduce(0) { $0 + Int($1[channel]) }
                return abs(sum / colors.count - Int(color[channel])) <= Self.tolerance
            }
            if !isEqual {
                XCTFail("\(x), \(y): \(color), but \(colors) with \(other.name)", file: file, line: line)
            }
        }
        return color
    }

    var middle: [UInt8] { self[width / 2, height / 2] }

    private static let tolerance = 3

    /// A renderer for the process, since it compiles its shaders.
    @MainActor
    private static let openGL: OpaquePointer? = {
        let renderer = gsk_gl_renderer_new()
        let surface = gdk_surface_new_toplevel(gdk_display_get_default())
        return gsk_renderer_realize(renderer, surface, nil) == 0 ? nil : renderer
    }()

    @MainActor
    private static func renderer(of widget: UnsafeMutablePointer<GtkWidget>) throws -> OpaquePointer {
        try XCTUnwrap(gtk_native_get_renderer(try XCTUnwrap(gtk_widget_get_native(widget))))
    }

    /// Writes the drawing of a widget at the scale of the screen.
    @MainActor
    static func save(_ widget: UnsafeMutablePointer<GtkWidget>, to path: String) throws {
        let scale = Int(gtk_widget_get_scale_factor(widget))
        let texture = try XCTUnwrap(Rendering.texture(of: widget, scale: scale, renderer(of: widget)))
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        gdk_texture_save_to_png(texture, path)
    }
}

/// The pixels of one renderer.
private struct Rendering {
    let name: String
    private let scale: Int
    private let width: Int
    /// B, G, R and A of each pixel, premultiplied, as GDK downloads them on a little-endian
    /// machine.
    private let pixels: [UInt8]

    @MainActor
    init(_ widget: UnsafeMutablePointer<GtkWidget>, scale: Int, _ renderer: OpaquePointer, _ name: String) throws {
        (self.name, self.scale) = (name, scale)
        width = Int(gtk_widget_get_width(widget)) * scale
        var pixels = [UInt8](repeating: 0, count: width * Int(gtk_widget_get_height(widget)) * scale * 4)
        // `nil` if nothing is drawn.
        if let texture = Self.texture(of: widget, scale: scale, renderer) {
            gdk_texture_download(texture, &pixels, gsize(width * 4))
            g_object_unref(UnsafeMutableRawPointer(texture))
        }
        self.pixels = pixels
    }

    /// The pixels of a point: red, green, blue, alpha.
    func colors(_ x: Int, _ y: Int) -> [[UInt8]] {
        (0..<scale * scale).map { part in
            let index = ((y * scale + part / scale) * width + x * scale + part % scale) * 4
            return [pixels[index + 2], pixels[index + 1], pixels[index], pixels[index + 3]]
        }
    }

    @MainActor
    static func texture(
        of widget: UnsafeMutablePointer<GtkWidget>, scale: Int, _ renderer: OpaquePointer
    ) -> OpaquePointer? {
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        let paintable = gtk_widget_paintable_new(widget)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()
        gtk_snapshot_scale(snapshot, Float(scale), Float(scale))
        gdk_paintable_snapshot(paintable, snapshot, width, height)
        guard var node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        if renderer != gtk_native_get_renderer(gtk_widget_get_native(widget)) {
            // Another renderer keeps the textures that it has drawn, so it draws copies.
            let bytes = gsk_render_node_serialize(node)
            defer { g_bytes_unref(bytes) }
            gsk_render_node_unref(node)
            node = gsk_render_node_deserialize(bytes, nil, nil)
        }
        var bounds = graphene_rect_t()
        graphene_rect_init(&bounds, 0, 0, Float(width) * Float(scale), Float(height) * Float(scale))
        return gsk_renderer_render_texture(renderer, node, &bounds)
    }
}
