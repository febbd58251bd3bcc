import CRemoteImageGtk

extension Widget {
    /// Renders the widget as it is on the screen after its next frame, at the whole-numbered scale
    /// factor of its window. For screenshots and for tests of views.
    ///
    /// - Returns: `nil` if the widget is not visible, or draws nothing.
    public func rendered() async -> PixelBuffer? {
        guard gtk_widget_get_mapped(pointer) != 0, let clock = gtk_widget_get_frame_clock(pointer) else { return nil }
        return await withCheckedContinuation { continuation in
            let rendering = Rendering(continuation)
            // Right after a frame, since a widget that is to be drawn again has no content before.
            rendering.connections.connect("after-paint", of: UnsafeMutableRawPointer(clock)) {
                rendering.end(with: renderedNow)
            }
            // A hidden widget has no further frame.
            rendering.connections.connect("unmap", of: UnsafeMutableRawPointer(pointer)) { rendering.end(with: nil) }
            gtk_widget_queue_draw(pointer)
        }
    }

    /// Ends a rendering once. Without a further frame, the handler of the clock is destroyed with
    /// its window.
    @MainActor
    private final class Rendering {
        let connections = SignalConnections()
        private var continuation: CheckedContinuation<PixelBuffer?, Never>?

        init(_ continuation: CheckedContinuation<PixelBuffer?, Never>) {
            self.continuation = continuation
        }

        func end(with pixels: PixelBuffer?) {
            connections.end()
            continuation?.resume(returning: pixels)
            continuation = nil
        }

        deinit {
            continuation?.resume(returning: nil)
        }
    }

    private var renderedNow: PixelBuffer? {
        let scale = Float(gtk_widget_get_scale_factor(pointer))
        let (width, height) = (gtk_widget_get_width(pointer), gtk_widget_get_height(pointer))
        guard width > 0, height > 0, let renderer = gtk_widget_get_native(pointer).flatMap(gtk_native_get_renderer)
        else { return nil }
        let paintable = gtk_widget_paintable_new(pointer)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()
        gtk_snapshot_scale(snapshot, scale, scale)
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t()
        graphene_rect_init(&bounds, 0, 0, Float(width) * scale, Float(height) * scale)
        guard let texture = gsk_renderer_render_texture(renderer, node, &bounds) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return pixels(of: texture)
    }

    private func pixels(of texture: OpaquePointer) -> PixelBuffer {
        let size = PixelSize(width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        return PixelBuffer(size: size, format: .rgba8Premultiplied) { memory in
            gdk_texture_download(
                texture, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(size.width * 4))
            // GDK downloads native integers of alpha, red, green and blue.
            let pixels = memory.bindMemory(to: UInt32.self)
            for index in pixels.indices {
                let pixel = pixels[index]
                pixels[index] = (pixel << 8 | pixel >> 24).bigEndian
            }
        }
    }
}
