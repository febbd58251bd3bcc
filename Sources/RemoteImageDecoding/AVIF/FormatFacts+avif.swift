extension FormatFacts {
    static let avif = FormatFacts(
        fileExtension: "avif", mediaType: "image/avif",
        isOne: { HEIFHeader.format($0) == .avif },
        header: { reader throws(ImageError) in try HEIFHeader.read(reader, .avif) },
        reachesEnd: HEIFHeader.isComplete,
        allowsSize: isHEIFSize,
        frameCount: AVIFTrack.frameCount,
        animation: AVIFAnimation.outline,
        heldBytesPerPixel: AVIFTrack.heldBytesPerPixel,
        byteCountOfFile: byteCountOfHEIF,
        nanoseconds: { bytes, pixels, _ in 13.4 * pixels + 110 * Double(bytes.count) + 90_000 })
}
