import CGdkPixbuf

/// A format in which pixels can be saved.
public enum PixelEncoding: Hashable, Sendable {
    case png
    /// Quality from 1 to 100; values beyond are brought there. Transparency is lost.
    case jpeg(quality: Int)
}

extension PixelBuffer {
    /// The picture as the bytes of a file.
    ///
    /// Throws `ImageError.Code.io` where GdkPixbuf cannot make one.
    public func encoded(as encoding: PixelEncoding) throws(ImageError) -> [UInt8] {
        let straight = format == .rgb8 ? nil : straightPixels
        let pixbuf = withUnsafeBytes { own in
            let bytes = straight ?? Array(own)
            let copy = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
            defer { g_bytes_unref(copy) }
            return gdk_pixbuf_new_from_bytes(
                copy, GDK_COLORSPACE_RGB, format == .rgb8 ? 0 : 1, 8, Int32(size.width), Int32(size.height),
                Int32(stride))
        }
        guard let pixbuf else { throw ImageError(.io, "no memory for the picture") }
        defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
        var buffer: UnsafeMutablePointer<gchar>?
        var count: gsize = 0
        var error: UnsafeMutablePointer<GError>?
        let isSaved =
            switch encoding {
            case .png: pixbuf_save_to_buffer(pixbuf, &buffer, &count, "png", nil, nil, &error)
            case .jpeg(let quality):
                pixbuf_save_to_buffer(
                    pixbuf, &buffer, &count, "jpeg", "quality", String(min(100, max(1, quality))), &error)
            }
        guard isSaved != 0, let buffer else { throw ImageError(.io, takeMessage(error)) }
        defer { g_free(buffer) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    }

    /// RGBA whose colours are no longer multiplied by alpha, rounded to the nearest.
    private var straightPixels: [UInt8] {
        withUnsafeBytes { pixels in
            var straight = Array(pixels)
            for index in Swift.stride(from: 0, to: straight.count, by: 4) {
                let alpha = Int(straight[index + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in index..<(index + 3) {
                    straight[channel] = UInt8(min(255, (Int(straight[channel]) * 255 + alpha / 2) / alpha))
                }
            }
            return straight
        }
    }
}
