/// A short text that encodes a blurred preview of an image. A server sends it along with the
/// address, so that a view has something to show immediately.
public enum PreviewHash: Hashable, Sendable {
    /// A ThumbHash as Base64 text (evanw.github.io/thumbhash). It contains the aspect ratio of the
    /// image.
    case thumbHash(String)
    /// A BlurHash (blurha.sh), and the width of the image divided by its height: 1 by default.
    case blurHash(String, aspectRatio: Double = 1)

    /// The decoded image, at most 32 × 32 pixels; takes some tens of microseconds. `nil` if the
    /// text is not a valid hash.
    public var image: LoadedImage? {
        let pixels: PixelBuffer? =
            switch self {
            case .thumbHash(let text): Base64.decode(text).flatMap(ThumbHash.init)?.image()
            case .blurHash(let text, let ratio): BlurHash(text)?.image(ratio: ratio)
            }
        return pixels.map { pixels in
            LoadedImage(
                pixels: pixels,
                info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .generated))
        }
    }
}

extension LoadedImage {
    /// Whether the image was decoded from a ``PreviewHash``.
    package var isPreviewHash: Bool { info.format == nil && info.origin == .generated }
}

/// Makes the pixels of a preview from a function.
enum PreviewPixels {
    /// - Parameter color: Returns red, green, blue and alpha from 0 to 1 for the center of a
    ///   pixel, whose coordinates are from 0 to 1.
    static func make(
        _ size: PixelSize, isOpaque: Bool, color: (Double, Double) -> (Double, Double, Double, Double)
    ) -> PixelBuffer {
        PixelBuffer(size: size, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { memory in
            var index = 0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (red, green, blue, alpha) = color(
                        (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
                    let cover = isOpaque ? 1 : clamped(alpha)
                    for value in [red, green, blue] {
                        memory[index] = UInt8((clamped(value) * cover * 255).rounded())
                        index += 1
                    }
                    if !isOpaque {
                        memory[index] = UInt8((cover * 255).rounded())
                        index += 1
                    }
                }
            }
        }
    }

    private static func clamped(_ value: Double) -> Double { value > 0 ? min(1, value) : 0 }
}
