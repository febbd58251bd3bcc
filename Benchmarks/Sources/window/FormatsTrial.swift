import CRemoteImageGtk
import RemoteImageGtk

/// The cost of opaque images in GTK's renderer as tight RGB and as premultiplied RGBA: 400 × 300
/// pixels drawn at 320 × 240.
///
/// It measures processor time, since llvmpipe uses several threads: that of the first drawing of
/// new textures, which uploads or converts them, and that of each later drawing. The cost of the
/// same frame without images is subtracted.
@MainActor
struct FormatsTrial {
    private static let (columns, rows) = (4, 6)
    private static var count: Int { columns * rows }

    private let window = TrialWindow()
    private let renderer: OpaquePointer

    init?() {
        window.show(Widget(gtk_label_new("")))
        while window.frameCount < 2 { g_main_context_iteration(nil, 1) }
        guard let native = gtk_widget_get_native(window.scrolled.pointer),
            let renderer = gtk_native_get_renderer(native)
        else { return nil }
        self.renderer = renderer
    }

    func run() -> Report {
        var report = Report()
        let empty = measure { _ in nil }
        for (name, format, bytesPerPixel) in [
            ("rgb", GDK_MEMORY_R8G8B8, 3), ("rgba", GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, 4),
        ] {
            let (first, again) = measure { Self.texture(format, bytesPerPixel, number: $0) }
            report.add("\(name)First", seconds: (first - empty.first) / Double(Self.count))
            report.add("\(name)Again", seconds: (again - empty.again) / Double(Self.count))
        }
        return report
    }

    /// The least of several rounds, in seconds. Each round uses new textures.
    private func measure(_ texture: (Int) -> OpaquePointer?) -> (first: Double, again: Double) {
        var best = (first: Double.infinity, again: Double.infinity)
        for round in 0..<8 {
            let textures = (0..<Self.count).map { texture(round * Self.count + $0) }
            let node = Self.node(textures)
            best.first = min(best.first, cost { draw(node) })
            best.again = min(best.again, cost { for _ in 0..<4 { draw(node) } } / 4)
            gsk_render_node_unref(node)
            for texture in textures { texture.map { g_object_unref(UnsafeMutableRawPointer($0)) } }
        }
        return best
    }

    private func cost(_ body: () -> Void) -> Double {
        let start = processorTime()
        body()
        return processorTime() - start
    }

    /// Draws, and reads the pixels, which waits until the drawing is finished.
    private func draw(_ node: OpaquePointer?) {
        var bounds = Self.place(0)
        bounds.size = graphene_size_t(width: 320 * Float(Self.columns), height: 240 * Float(Self.rows))
        guard let drawn = gsk_renderer_render_texture(renderer, node, &bounds) else { return }
        let width = Int(gdk_texture_get_width(drawn))
        var pixels = [UInt8](repeating: 0, count: width * Int(gdk_texture_get_height(drawn)) * 4)
        gdk_texture_download(drawn, &pixels, gsize(width * 4))
        g_object_unref(UnsafeMutableRawPointer(drawn))
    }

    private static func node(_ textures: [OpaquePointer?]) -> OpaquePointer? {
        var nodes = textures.enumerated().map { index, texture -> OpaquePointer? in
            var bounds = place(index)
            var colour = GdkRGBA(red: 0.5, green: 0.5, blue: 0.5, alpha: 1)
            return texture.map { gsk_texture_node_new($0, &bounds) } ?? gsk_color_node_new(&colour, &bounds)
        }
        defer { for node in nodes { gsk_render_node_unref(node) } }
        return gsk_container_node_new(&nodes, guint(nodes.count))
    }

    private static func place(_ index: Int) -> graphene_rect_t {
        graphene_rect_t(
            origin: graphene_point_t(x: 320 * Float(index % columns), y: 240 * Float(index / columns)),
            size: graphene_size_t(width: 320, height: 240))
    }

    private static func texture(_ format: GdkMemoryFormat, _ bytesPerPixel: Int, number: Int) -> OpaquePointer? {
        let (width, height) = (400, 300)
        let pixels = (0..<(width * height * bytesPerPixel)).map { index in
            index % bytesPerPixel == 3 ? 255 : UInt8(truncatingIfNeeded: index / 7 &* (number + 3))
        }
        let bytes = g_bytes_new(pixels, gsize(pixels.count))
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(Int32(width), Int32(height), format, bytes, gsize(width * bytesPerPixel))
    }
}
