extension FormatFacts {
    static let svg = FormatFacts(
        fileExtension: "svg", mediaType: "image/svg+xml", isDrawing: true,
        isOne: SVGSignature.isOne,
        // The renderer reports the size that the drawing prefers.
        header: { _ in ImageHeader(format: .svg, storedSize: PixelSize(width: 1, height: 1)) },
        allowsSize: { _, _ in true },
        // Most drawings without a target are icons.
        pixelByteCount: { request in
            let box = request.target?.box ?? PixelSize(width: 512, height: 512)
            return min(box.pixelCount, request.limits.maxDecodedByteCount / 4) * 4
        },
        byteCount: { ($0.target?.box ?? PixelSize(width: 1024, height: 1024)).decodedByteCount * 2 })
}
