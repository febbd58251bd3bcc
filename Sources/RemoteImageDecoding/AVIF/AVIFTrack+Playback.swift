// What playing a sequence with a decoder of sequences costs.

extension AVIFTrack {
    /// The number of frames of a sequence that play, with the limit on their coded pixels, which
    /// bounds the time to decode from the start to any of them; 0 if the file is not a sequence.
    ///
    /// A frame plays if it and its alpha are in the file, and if none of its coded frames is larger
    /// than the track. Those of earlier frames are checked as well.
    package static func playableCount(_ bytes: [UInt8], limits: DecodeLimits) -> Int {
        bytes.withReader { reader in
            let tracks = all(reader)
            guard let colors = main(tracks) else { return 0 }
            let limit = min(limits.maxFrameCount, FrameTiming.maxCount)
            let alpha = colors.alpha(among: tracks)
            let pixelLimit = max(limits.maxScanPixelCount / playedPixelFraction, colors.image.codedSize.pixelCount)
            let count = colors.checkedCount(limit: limit, pixelLimit: pixelLimit)
            guard let alpha else { return count }
            guard alpha.size == colors.size else { return 0 }
            return alpha.checkedCount(limit: count, pixelLimit: pixelLimit)
        }
    }

    /// The number of times that a sequence plays; `nil` means forever.
    package static func playCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        main(all(ByteReader(UnsafeRawBufferPointer(bytes))))?.playCount
    }

    /// dav1d 1.0 decoded 120 to 350 million pixels per second on one core.
    private static let playedPixelFraction = 2

    /// The number of samples from the first on that may be decoded.
    private func checkedCount(limit: Int, pixelLimit: Int) -> Int {
        var frames = AV1Frames()
        var checkedSizeCount = 0
        func isAllowed(_ range: Range<Int>) -> Bool {
            let isRead = frames.read(ByteReader(UnsafeRawBufferPointer(rebasing: reader[range])))
            let areCovered = frames.sizes[checkedSizeCount...].allSatisfy {
                $0.width <= image.codedSize.width && $0.height <= image.codedSize.height
            }
            checkedSizeCount = frames.sizes.count
            return isRead && areCovered && frames.framePixelCount <= pixelLimit
        }
        // Decoders get the units of the configuration before the samples.
        guard isAllowed(configuration.dropFirst(4)) else { return 0 }
        return samples(limit: limit).prefix { isAllowed($0.range) }.count
    }

    /// An estimate of the bytes per pixel that a decoder holds between two frames.
    package static func heldBytesPerPixel(_ bytes: [UInt8]) -> Int {
        bytes.withReader { reader in
            let tracks = all(reader)
            guard let colors = main(tracks) else { return FrameCursor.bytesPerPixel }
            // The decoder keeps up to 8 frames for reference, and the current ones. With 8-bit
            // 4:2:0, dav1d 1.0 held 15 bytes per pixel; this estimate rounds up to 20.
            let sampleByteCount = colors.sampleByteCount + (colors.alpha(among: tracks)?.sampleByteCount ?? 0)
            return 10 * sampleByteCount
        }
    }

    /// The bytes of the samples of a pixel, rounded up (AV1 in ISOBMFF, section 2.3).
    private var sampleByteCount: Int {
        let flags = reader.byte(at: configuration.lowerBound + 2) ?? 0
        let (isDeep, isMonochrome) = (flags & 0x40 != 0, flags & 0x10 != 0)
        let subsampling = flags >> 2 & 3
        // In half samples.
        let count = isMonochrome ? 2 : subsampling == 3 ? 3 : subsampling == 2 ? 4 : 6
        return (count * (isDeep ? 2 : 1) + 1) / 2
    }
}
