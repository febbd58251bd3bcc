import CRemoteImageGtk
import Foundation
import RemoteImageGtk

/// Writes the current rendering of a widget to a file: a JPEG if the name ends in `.jpg`, else a
/// PNG.
@MainActor
enum Screenshot {
    /// Throws a ``ScreenshotError`` if the widget is not on a display, cannot be drawn, or the file
    /// cannot be written.
    static func write(_ widget: Widget, to path: String) async throws {
        guard let clock = gtk_widget_get_frame_clock(widget.pointer) else {
            throw ScreenshotError("The window is not on a display.")
        }
        // Taken right after a frame, since animated widgets have no content between frames.
        let result: Result<Void, ScreenshotError> = await withCheckedContinuation { continuation in
            let frame = OneFrame()
            frame.handler = Signals.connect("after-paint", of: clock) {
                guard let handler = frame.handler else { return }
                frame.handler = nil
                g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
                continuation.resume(
                    returning: Result { () throws(ScreenshotError) in try write(now: widget, to: path) })
            }
            gtk_widget_queue_draw(widget.pointer)
        }
        try result.get()
    }

    /// The handler of one frame.
    @MainActor
    private final class OneFrame {
        var handler: gulong?
    }

    private static func write(now widget: Widget, to path: String) throws(ScreenshotError) {
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
        let isWritten =
            path.hasSuffix(".jpg") ? writeJPEG(texture, to: path) : gdk_texture_save_to_png(texture, path) != 0
        guard isWritten else { throw ScreenshotError("\(path) cannot be written.") }
    }

    private static func writeJPEG(_ texture: OpaquePointer, to path: String) -> Bool {
        let (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
        // GDK downloads pixels as B, G, R, A on little-endian machines.
        var downloaded = [UInt8](repeating: 0, count: width * height * 4)
        gdk_texture_download(texture, &downloaded, gsize(width * 4))
        let pixels = PixelBuffer(size: PixelSize(width: width, height: height), format: .rgb8) { memory in
            for index in 0..<(width * height) {
                for channel in 0..<3 { memory[index * 3 + channel] = downloaded[index * 4 + 2 - channel] }
            }
        }
        // A low quality keeps the files small enough for the repository; screenshots at scale 2
        // need even less.
        guard let bytes = try? pixels.encoded(as: .jpeg(quality: width > 1400 ? 28 : 45)) else { return false }
        return (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil
    }
}

struct ScreenshotError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
