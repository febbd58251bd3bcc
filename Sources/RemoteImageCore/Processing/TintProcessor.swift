/// Replaces the color of every pixel and keeps its alpha, as themes draw symbolic icons.
public struct TintProcessor: ImageProcessor {
    /// The color of all pixels; it is multiplied by their alpha.
    public let color: ImageColor

    /// - Parameter color: The color of all pixels.
    public init(_ color: ImageColor) {
        self.color = color
    }

    public var identity: String { "tint(\(color.hex))" }

    public var hasStableIdentity: Bool { true }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let colour = color.premultiplied
        return pixels.changingRows { _, row in
            for x in row.indices { row[x] = Pixel((colour * Float(row[x].w)).rounded(.toNearestOrEven)) }
        }
    }
}

extension ImageProcessor where Self == TintProcessor {
    /// Replaces the color of every pixel and keeps its alpha.
    public static func tint(_ color: ImageColor) -> TintProcessor {
        TintProcessor(color)
    }
}
