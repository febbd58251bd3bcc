/// What decoding a file takes, as far as its structure tells.
extension DecodeRequest {
    /// The scans that a JPEG of this size may have. An image that needs more than 500 is made to
    /// cost time, whatever its size; libjpeg-turbo's own programs have the same limit.
    package var maxScanCount: Int {
        min(500, max(1, limits.maxScanPixelCount / max(1, header.storedSize.pixelCount)))
    }

    /// Throws where decoding takes more than the size of the image tells and the limits allow: a
    /// JPEG of too many scans, or one whose coefficients have to be kept. Decoders ask before they
    /// begin.
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

    /// Rows of the stored width that decoding a PNG without interlacing holds, at four bytes a
    /// pixel.
    static let pngRowCount = 8

    /// Bytes that decoding the file may need.
    func estimatedByteCount(of bytes: [UInt8]) -> Int {
        let stored = Self.byteCount(of: header.storedSize)
        return switch header.format {
        case .jpeg:
            // Applying the orientation makes a copy. A pixel has three bytes.
            (header.orientation == .up ? estimatedByteCount : estimatedByteCount / 2 * 3)
                + Self.coefficientByteCount(of: bytes)
        case .png where bytes.count > 28 && bytes[28] == 0:
            // Dropping alpha and applying the orientation make a copy of the averaged pixels.
            2 * (estimatedByteCount - stored) + min(header.storedSize.width, 1 << 32) * 4 * Self.pngRowCount
        case .webp where bytes.withUnsafeBytes({ WebPHeader.hasAlpha(ByteReader($0)) }): estimatedByteCount + stored
        // libjxl holds three or four channels of 32 bits.
        case .jxl: estimatedByteCount + 4 * stored
        // Samples as the codec and as libheif have them. Of 4000 × 3000 pixels at 8 bits, an AVIF
        // took 157 MB with libheif 1.15.
        case .avif, .heic: estimatedByteCount + 2 * stored
        default: estimatedByteCount
        }
    }

    /// The same by the header alone: of a JPEG only the pixels that its transform makes, of other
    /// formats all that a decoder makes and the packed ones. What a drawing likes to be is not
    /// known before it is read.
    var estimatedByteCount: Int {
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

    /// Four bytes a pixel, of any size that a header claims.
    private static func byteCount(of size: PixelSize) -> Int { min(size.pixelCount, 1 << 48) * 4 }

    private static func coefficientByteCount(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { JPEGFrame(ByteReader($0))?.coefficientByteCount ?? 0 }
    }
}
