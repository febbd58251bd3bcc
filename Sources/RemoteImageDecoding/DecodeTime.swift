/// An estimate of the processor time that decoding takes.
///
/// Fitted to measurements with the codecs of Debian 12 on one core of 2.3 GHz; the median error is
/// 4 to 15 %. Only ratios of estimates are used, to decide whether a resized image is worth its
/// storage.
package struct DecodeTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Double

    /// The time for a file that is decoded to `decodedSize`. Zero for formats without measurements.
    package init(of bytes: [UInt8], _ header: ImageHeader, decodedSize: PixelSize) {
        let pixels = Double(header.storedSize.pixelCount)
        let scale = (Double(decodedSize.pixelCount) / max(1, pixels)).squareRoot()
        nanoseconds = header.format.facts.nanoseconds(bytes, pixels, scale)
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
}
