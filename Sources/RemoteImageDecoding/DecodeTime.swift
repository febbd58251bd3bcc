/// An estimate of the processor time that decoding takes.
///
/// Fitted to measurements with the codecs of Debian 12 on one core of 2.3 GHz; the median error is
/// 4 to 15 %. Only ratios of estimates are used, to decide whether a resized image is worth its
/// storage.
package struct DecodeTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Double

    /// The time for a file that is decoded to `decodedSize`. Zero for formats without measurements.
    package init(of bytes: [UInt8], _ header: ImageHeader, decodedSize: PixelSize) {
        let (pixels, byteCount) = (Double(header.storedSize.pixelCount), Double(bytes.count))
        nanoseconds =
            switch header.format {
            case .jpeg:
                Self.ofJPEG(bytes, pixels, scale: (Double(decodedSize.pixelCount) / max(1, pixels)).squareRoot())
            case .png: 5.5 * pixels + 17.4 * byteCount
            case .gif: 6.6 * pixels + 5.8 * byteCount
            // Lossless files take less time per byte, but are larger.
            case .webp where Self.isLosslessWebP(bytes): 3.5 * pixels + 20 * byteCount
            case .webp: 3.5 * pixels + 66 * byteCount
            case .avif: 13.4 * pixels + 110 * byteCount + 90_000
            case .heic: 27 * pixels + 170 * byteCount
            case .jxl: 18.7 * pixels + 46 * byteCount
            case .bmp, .ico: 3 * pixels
            case .svg, .other: 0
            }
    }

    /// The time for an image that ``ImageEncoder`` has encoded into `byteCount` bytes.
    package init(ofEncoded pixels: PixelBuffer, byteCount: Int, isLossless: Bool) {
        let (count, byteCount) = (Double(pixels.size.pixelCount), Double(byteCount))
        nanoseconds = 5000 + (isLossless ? 5.5 * count + 12 * byteCount : 2.9 * count + 9.6 * byteCount)
    }

    package static func < (left: DecodeTime, right: DecodeTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Whether this time is at least `factor` times another one.
    package func isAtLeast(_ factor: Double, times other: DecodeTime) -> Bool {
        nanoseconds >= factor * other.nanoseconds
    }

    /// The coefficients of all pixels are decoded at any scale, but only those of the reduced size
    /// are transformed. A progressive file reads them in several scans.
    private static func ofJPEG(_ bytes: [UInt8], _ pixels: Double, scale: Double) -> Double {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            // Metadata before the first scan costs nothing.
            let start = JPEGSegments(reader).first { $0.marker == 0xDA }?.content.lowerBound ?? 0
            let byteCount = Double(bytes.count - start)
            if (JPEGFrame(reader)?.coefficientByteCount ?? 0) > 0 {
                return (scale > 0.7 ? 3.2 : scale > 0.35 ? 2.3 : 1.8) * pixels + 44 * byteCount
            }
            if scale > 0.7 { return 1.6 * pixels + 12.2 * byteCount }
            if scale > 0.35 { return 0.83 * pixels + 11.4 * byteCount }
            return scale > 0.18 ? 0.59 * pixels + 10.8 * byteCount : 0.45 * pixels + 8.9 * byteCount
        }
    }

    private static func isLosslessWebP(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { ByteReader($0).has("VP8L", at: 12) }
    }
}
