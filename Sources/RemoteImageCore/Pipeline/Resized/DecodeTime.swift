/// Estimates of the processor time that decoding an image takes, in nanoseconds.
///
/// Measured with the codecs of Debian 12 on one core. Only their ratio matters: it decides whether
/// a resized image is stored.
enum DecodeTime {
    /// Of an original at the smallest size that its decoder can produce.
    static func ofOriginal(_ info: ImageInfo) -> Double {
        let (pixels, bytes) = (Double(info.size.pixelCount), Double(info.byteCount))
        return switch info.format {
        // The coefficients of all pixels are decoded, but only those of the reduced size
        // transformed.
        case .jpeg: bytes * 9 + pixels * 1.2 + Double(info.decodedSize.pixelCount) * 6
        case .png: pixels * 14
        case .gif: pixels * 8
        case .webp: pixels * 14
        case .avif, .heic: pixels * 30
        case .jxl: pixels * 40
        case .bmp, .ico: pixels * 4
        case .svg, .other, nil: 0
        }
    }

    /// Of a resized image with this number of pixels.
    static func ofResized(_ pixels: PixelBuffer) -> Double {
        Double(pixels.size.pixelCount) * (pixels.format == .rgb8 ? 8 : 14)
    }

    /// Whether a resized image is worth its storage: decoding the original takes at least three
    /// times as long.
    static func pays(_ pixels: PixelBuffer, insteadOf info: ImageInfo) -> Bool {
        ofOriginal(info) >= 3 * ofResized(pixels)
    }
}
