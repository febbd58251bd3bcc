/// Gives every pixel one colour, in the opacity that the pixel had: as themes draw symbolic icons.
public struct TintProcessor: ImageProcessor {
    /// The colour of all pixels; their alpha stays.
    public let color: ImageColor

    /// - Parameter color: The colour of all pixels.
    public init(_ color: ImageColor) {
        self.color = color
    }

    public var identity: String { "tint(\(color.hex))" }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        let colour = color.premultiplied
        return pixels.changingRows { _, row in
            for x in row.indices { row[x] = Pixel((colour * Float(row[x].w)).rounded(.toNearestOrEven)) }
        }
    }
}

extension ImageProcessor where Self == TintProcessor {
    /// Gives every pixel one colour, in the pixel's own opacity.
    public static func tint(_ color: ImageColor) -> TintProcessor {
        TintProcessor(color)
    }
}
