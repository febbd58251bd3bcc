import CRemoteImageCodecs

/// Encodes resized images: as PNG, or as JPEG where pixels may change a little.
struct StandardEncoder: ImageEncoder {
    func encode(_ pixels: PixelBuffer, as encoding: StoredEncoding) throws(ImageError) -> [UInt8] {
        try pixels.file { source, count, message in
            switch encoding {
            case .lossless: codec_png_encode(source, true, count, message)
            case .lossy(let quality): codec_jpeg_encode(source, Int32(min(100, max(1, quality))), false, count, message)
            }
        }
    }
}
