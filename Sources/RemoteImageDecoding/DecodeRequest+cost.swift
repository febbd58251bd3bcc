/// Estimates the cost of decoding a file from its structure.
extension DecodeRequest {
    /// The maximum number of scans of a JPEG of this size, at most 500: a file with more is built
    /// to waste time, whatever its size. The programs of libjpeg-turbo have the same limit.
    package var maxScanCount: Int {
        min(500, max(1, limits.maxScanPixelCount / max(1, header.storedSize.pixelCount)))
    }

    /// Throws ``ImageError/Code/tooManyPixels`` for a JPEG that has too many scans, or whose
    /// coefficients and pixels exceed the memory limit. Decoders call this before they start.
    package func check(_ bytes: [UInt8]) throws(ImageError) {
        guard header.format == .jpeg else { return }
        let scans = bytes.withUnsafeBytes { JPEGScans(ByteReader($0)) }
        guard scans.count <= maxScanCount else {
            throw ImageError(
                .tooManyPixels, "\(header.storedSize) in \(scans.count) scans, at most \(maxScanCount) are allowed")
        }
        let kept = Self.coefficientByteCount(of: bytes)
        guard kept == 0 || kept + estimatedByteCount <= limits.maxDecodedByteCount else {
            throw ImageError(
                .tooManyPixels,
                "\(header.storedSize) in several scans, at most \(limits.maxDecodedByteCount) bytes are allowed")
        }
    }

    /// The memory that decoding a non-interlaced PNG takes, in rows of the stored width at four
    /// bytes per pixel.
    static let pngRowCount = 8

    /// An estimate of the bytes that decoding the file needs.
    package func estimatedByteCount(of bytes: [UInt8]) -> Int {
        let stored = Self.byteCount(of: header.storedSize)
        return switch header.format {
        case .jpeg:
            // Applying the orientation makes a copy, at three bytes per pixel.
            JPEGHeader.isLossless(bytes)
                ? 2 * stored
                : (header.orientation == .up ? estimatedByteCount : estimatedByteCount / 2 * 3)
                    + Self.coefficientByteCount(of: bytes)
        case .png where bytes.count > 28 && bytes[28] == 0:
            // Dropping alpha and applying the orientation make a copy of the averaged pixels.
            2 * (estimatedByteCount - stored) + min(header.storedSize.width, 1 << 32) * 4 * Self.pngRowCount
        case .webp where bytes.withUnsafeBytes({ WebPHeader.hasAlpha(ByteReader($0)) }): estimatedByteCount + stored
        // libjxl holds three or four channels of 32 bits.
        case .jxl: estimatedByteCount + 4 * stored
        // The codec and libheif each hold the samples. An 8-bit AVIF of 4000 × 3000 pixels took 157
        // MB with libheif 1.15. A crop does not reduce that.
        case .avif, .heic:
            estimatedByteCount - stored
                + 3 * Self.byteCount(of: HEIFHeader.image(of: bytes, header.format)?.codedSize ?? header.storedSize)
        default: estimatedByteCount
        }
    }

    /// The estimate from the header alone. For a JPEG, it counts only the pixels of the reduced
    /// decode; for other formats, all decoded pixels and the packed ones. The preferred size of an
    /// SVG is unknown before the file is parsed.
    package var estimatedByteCount: Int {
        let size = header.storedSize
        if header.format == .svg { return Self.byteCount(of: target?.box ?? PixelSize(width: 1024, height: 1024)) * 2 }
        guard header.format == .jpeg else {
            return Self.byteCount(of: size) + Self.byteCount(of: target?.drawnSize(of: header.size) ?? size)
        }
        guard let target else { return Self.byteCount(of: size) }
        let wanted = target.drawnSize(of: header.size)
        let factor = [8, 4, 2].first {
            header.size.width / $0 >= wanted.width && header.size.height / $0 >= wanted.height
        }
        return Self.byteCount(of: size) / ((factor ?? 1) * (factor ?? 1))
    }

    /// Four bytes per pixel; clamped, since a header may claim any size.
    private static func byteCount(of size: PixelSize) -> Int { min(size.pixelCount, 1 << 48) * 4 }

    private static func coefficientByteCount(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { JPEGFrame(ByteReader($0))?.coefficientByteCount ?? 0 }
    }
}
