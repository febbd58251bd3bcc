extension FormatFacts {
    static let jpeg = FormatFacts(
        fileExtension: "jpg", mediaType: "image/jpeg",
        isOne: { $0.has([0xFF, 0xD8, 0xFF]) },
        header: JPEGHeader.read, reachesEnd: JPEGHeader.reachesEnd,
        pixelByteCount: { request in
            let stored = request.header.storedSize
            let drawn = request.target?.drawnSize(of: stored) ?? stored
            return JPEGScale.smallest(of: stored, notBelow: drawn).keptSize(for: drawn).decodedByteCount / 4 * 3
        },
        byteCount: { request in
            let size = request.header.size
            guard let wanted = request.target?.drawnSize(of: size) else { return size.decodedByteCount }
            let factor = [8, 4, 2].first { size.width / $0 >= wanted.width && size.height / $0 >= wanted.height } ?? 1
            return size.decodedByteCount / (factor * factor)
        },
        byteCountOfFile: byteCount, nanoseconds: nanoseconds)

    @Sendable private static func byteCount(_ request: DecodeRequest, of bytes: [UInt8]) -> Int {
        let frame = bytes.withReader { JPEGFrame($0) }
        if frame?.isLossless == true { return 2 * request.header.storedSize.decodedByteCount }
        let estimate = request.estimatedByteCount
        // Applying the orientation makes a copy, at three bytes per pixel.
        return (request.header.orientation == .up ? estimate : estimate / 2 * 3) + (frame?.coefficientByteCount ?? 0)
    }

    /// The coefficients of all pixels are decoded at any scale, but only those of the reduced size
    /// are transformed. A progressive file reads them in several scans.
    @Sendable private static func nanoseconds(_ bytes: [UInt8], _ pixels: Double, _ scale: Double) -> Double {
        // Metadata before the first scan costs nothing.
        let start = bytes.withReader { JPEGSegments($0).first { $0.marker == 0xDA }?.content.lowerBound ?? 0 }
        let byteCount = Double(bytes.count - start)
        if bytes.withReader({ JPEGFrame($0)?.coefficientByteCount ?? 0 }) > 0 {
            return (scale > 0.7 ? 3.2 : scale > 0.35 ? 2.3 : 1.8) * pixels + 44 * byteCount
        }
        if scale > 0.7 { return 1.6 * pixels + 12.2 * byteCount }
        if scale > 0.35 { return 0.83 * pixels + 11.4 * byteCount }
        return scale > 0.18 ? 0.59 * pixels + 10.8 * byteCount : 0.45 * pixels + 8.9 * byteCount
    }
}
