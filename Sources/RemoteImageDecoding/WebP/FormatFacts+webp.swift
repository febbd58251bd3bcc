extension FormatFacts {
    static let webp = FormatFacts(
        fileExtension: "webp", mediaType: "image/webp",
        isOne: { $0.has("RIFF") && $0.has("WEBP", at: 8) },
        header: WebPHeader.read, reachesEnd: WebPHeader.isComplete,
        frameCount: WebPHeader.frameCount,
        animation: WebPAnimation.outline,
        separateFirstFrame: { reader in
            guard let header = WebPHeader.read(reader), WebPHeader.isAnimation(reader) else { return nil }
            return (header.storedSize, WebPAnimation.firstFrame(reader))
        },
        byteCountOfFile: { request, bytes in
            let hasAlpha = bytes.withReader { WebPHeader.hasAlpha($0) }
            return request.estimatedByteCount + (hasAlpha ? request.header.storedSize.decodedByteCount : 0)
        },
        nanoseconds: { bytes, pixels, _ in
            // Lossless files take less time per byte, but are larger.
            let isLossless = bytes.withReader { $0.has("VP8L", at: 12) }
            return 3.5 * pixels + (isLossless ? 20 : 66) * Double(bytes.count)
        })
}
