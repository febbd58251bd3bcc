/// Letters that tell roughly what an image looks like, sent along with its address: something to
/// show from the first moment.
public enum PreviewHash: Hashable, Sendable {
    /// A ThumbHash as Base64 text (evanw.github.io/thumbhash). Knows the image's shape.
    case thumbHash(String)
    /// A BlurHash (blurha.sh), and the image's width by its height where that is known.
    case blurHash(String, aspectRatio: Double = 1)

    /// The image, of at most 32 × 32 pixels: some tens of microseconds of work. nil for letters
    /// that are no hash.
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
    /// Whether it was made of a few letters.
    var isPreviewHash: Bool { info.format == nil && info.origin == .generated }
}

/// Makes the few pixels of a preview.
enum PreviewPixels {
    /// - Parameter colour: Red, green, blue and alpha from 0 to 1, at the middle of a pixel, its
    ///   place from 0 to 1.
    static func make(
        _ size: PixelSize, isOpaque: Bool, colour: (Double, Double) -> (Double, Double, Double, Double)
    ) -> PixelBuffer {
        PixelBuffer(size: size, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { memory in
            var index = 0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (red, green, blue, alpha) = colour(
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
