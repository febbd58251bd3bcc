import CGdkPixbuf

/// A format in which pixels can be saved.
public enum PixelEncoding: Hashable, Sendable {
    case png
    /// Quality from 1 to 100; values beyond are brought there. Transparency is lost.
    case jpeg(quality: Int)

    /// The type for GdkPixbuf and its option.
    fileprivate var option: (type: String, key: String?, value: String?) {
        switch self {
        case .png: ("png", nil, nil)
        case .jpeg(let quality): ("jpeg", "quality", String(min(100, max(1, quality))))
        }
    }
}

extension PixelBuffer {
    /// The picture as the bytes of a file.
    ///
    /// Throws `ImageError.Code.io` where GdkPixbuf cannot make one, or is not installed.
    public func encoded(as encoding: PixelEncoding) throws(ImageError) -> [UInt8] {
        guard pixbuf_is_installed() else { throw ImageError(.io, "GdkPixbuf is not installed") }
        let straight = format == .rgb8 ? nil : straightPixels
        var (count, failure) = (0, pixbuf_failure())
        let file = withUnsafeBytes { own in
            (straight ?? Array(own)).withUnsafeBytes { pixels in
                let (type, key, value) = encoding.option
                return pixbuf_encode(
                    pixels.baseAddress, pixels.count, format != .rgb8, Int32(size.width), Int32(size.height),
                    Int32(stride), type, key, value, &count, &failure)
            }
        }
        guard let file else { throw ImageError(.io, failure.text) }
        defer { pixbuf_free(file) }
        return Array(UnsafeRawBufferPointer(start: file, count: count))
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
