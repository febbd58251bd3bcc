extension FormatFacts {
    static let jxl = FormatFacts(
        fileExtension: "jxl", mediaType: "image/jxl",
        isOne: JXLHeader.isOne,
        header: JXLHeader.read,
        heldBytesPerPixel: { _ in FrameCursor.bytesPerPixel },
        // libjxl holds three or four channels of 32 bits.
        byteCountOfFile: { request, _ in request.estimatedByteCount + 4 * request.header.storedSize.decodedByteCount },
        nanoseconds: { bytes, pixels, _ in 18.7 * pixels + 46 * Double(bytes.count) })
}
