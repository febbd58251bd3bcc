extension ImageProcessor {
    /// Converts an image to shades of gray, with the luminance weights of ITU-R BT.709.
    public static let grayscale = ImageProcessor("grayscale") { pixels in
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

    /// Replaces the color of every pixel and keeps its alpha, as themes draw symbolic icons.
    public static func tint(_ color: ImageColor) -> ImageProcessor {
        let colour = color.premultiplied
        return ImageProcessor("tint(\(color.hex))") { pixels in
            pixels.changingRows { _, row in
                for x in row.indices { row[x] = Pixel((colour * Float(row[x].w)).rounded(.toNearestOrEven)) }
            }
        }
    }
}
