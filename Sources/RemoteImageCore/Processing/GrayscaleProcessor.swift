/// Converts an image to shades of gray, with the luminance weights of ITU-R BT.709.
public struct GrayscaleProcessor: ImageProcessor {
    /// Creates a processor. It has no settings.
    public init() {}

    public var identity: String { "grayscale" }

    public var hasStableIdentity: Bool { true }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let channels = pixels.format.bytesPerPixel
        return PixelBuffer(size: pixels.size, format: pixels.format) { output in
            pixels.withUnsafeBytes { input in
                for index in stride(from: 0, to: input.count, by: channels) {
                    // 0.2126, 0.7152 and 0.0722 in units of 1/65,536. Sums of premultiplied colors
                    // are premultiplied too.
                    let light =
                        UInt32(input[index]) * 13_933 + UInt32(input[index + 1]) * 46_871
                        + UInt32(input[index + 2]) * 4_732 + 32_768
                    let gray = UInt8(truncatingIfNeeded: light >> 16)
                    output[index] = gray
                    output[index + 1] = gray
                    output[index + 2] = gray
                    if channels == 4 { output[index + 3] = input[index + 3] }
                }
            }
        }
    }
}

extension ImageProcessor where Self == GrayscaleProcessor {
    /// Converts an image to shades of gray.
    public static var grayscale: GrayscaleProcessor { GrayscaleProcessor() }
}
