/// Decodes Windows bitmaps of 1 to 32 bits per pixel, including run-length encoding. Embedded color
/// profiles are ignored. The missing rows of a truncated file are transparent.
package struct BMPDecoder: ImageDecoder {
    package var name: String { "bmp" }

    package var formats: Set<ImageFormat> { [.bmp] }

    /// Creates a decoder. It has no settings.
    package init() {}

    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let start = bytes.withReader { $0.littleEndian32(at: 10) }
        // Some programs do not write the offset of the pixels.
        let bitmap = try Bitmap(
            bytes, information: BMPHeader.informationStart, pixelStart: start == 0 ? nil : start, isIcon: false,
            limits: request.limits)
        return DecodedImage(bitmap, scaledDownTo: request.target?.drawnSize(of: bitmap.size))
    }
}
