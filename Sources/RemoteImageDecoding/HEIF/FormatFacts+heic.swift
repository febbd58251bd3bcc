extension FormatFacts {
    static let heic = FormatFacts(
        fileExtension: "heic", mediaType: "image/heic",
        isOne: { HEIFHeader.format($0) == .heic },
        header: { reader throws(ImageError) in try HEIFHeader.read(reader, .heic) },
        reachesEnd: HEIFHeader.isComplete,
        allowsSize: isHEIFSize,
        byteCountOfFile: byteCountOfHEIF,
        nanoseconds: { bytes, pixels, _ in 27 * pixels + 170 * Double(bytes.count) })

    /// libheif crops in more cases than the header reader, and may round a crop otherwise.
    @Sendable static func isHEIFSize(_ reported: PixelSize, _ stored: PixelSize) -> Bool {
        reported.pixelCount <= PixelSize(width: stored.width + 1, height: stored.height + 1).pixelCount
    }

    /// The codec and libheif each hold the samples. An 8-bit AVIF of 4000 × 3000 pixels took 157 MB
    /// with libheif 1.15. A crop does not reduce that.
    @Sendable static func byteCountOfHEIF(_ request: DecodeRequest, _ bytes: [UInt8]) -> Int {
        let stored = request.header.storedSize
        let coded = HEIFHeader.image(of: bytes, request.header.format)?.codedSize ?? stored
        return request.estimatedByteCount - stored.decodedByteCount + 3 * coded.decodedByteCount
    }
}
