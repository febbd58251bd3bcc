extension FormatFacts {
    static let png = FormatFacts(
        fileExtension: "png", mediaType: "image/png",
        isOne: { $0.has(PNGChunks.signature) },
        header: PNGHeader.read, reachesEnd: PNGHeader.reachesEnd,
        frameCount: { PNGAnimation.frames($0, limit: $1)?.frames.count ?? 1 },
        animation: PNGAnimation.outline,
        separateFirstFrame: { reader in
            guard let header = PNGHeader.read(reader), let frame = PNGAnimation.frameBesideDefaultImage(reader) else {
                return nil
            }
            return (header.storedSize, frame)
        },
        byteCountOfFile: { request, bytes in
            let isInterlaced = bytes.count <= 28 || bytes[28] != 0
            guard !isInterlaced else { return request.estimatedByteCount }
            let stored = request.header.storedSize
            // Dropping alpha and applying the orientation make a copy of the averaged pixels.
            return 2 * (request.estimatedByteCount - stored.decodedByteCount)
                + min(stored.width, 1 << 32) * 4 * heldRowCount
        },
        nanoseconds: { bytes, pixels, _ in 5.5 * pixels + 17.4 * Double(bytes.count) })

    /// The memory that decoding a non-interlaced PNG takes, in rows of the stored width at four
    /// bytes per pixel.
    static let heldRowCount = 8
}
