/// Combines several processors, for example into a style that a program uses in many places.
///
/// Intermediate images are not cached. Processors that are listed individually in
/// ``ImageOptions/processors`` share each step with lists that start with the same processors.
public struct CompositionProcessor: ImageProcessor {
    /// The processors in the order in which they run.
    public let processors: [any ImageProcessor]

    /// - Parameter processors: The processors in the order in which they run.
    public init(_ processors: [any ImageProcessor]) {
        self.processors = processors
    }

    public var identity: String { "composition(\(processors.map(\.identity).joinedUnambiguously))" }

    public var hasStableIdentity: Bool { processors.allSatisfy(\.hasStableIdentity) }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        var pixels = pixels
        for processor in processors { pixels = try processor.process(pixels) }
        return pixels
    }
}

extension ImageProcessor where Self == CompositionProcessor {
    /// Applies processors one after the other.
    public static func composition(_ processors: [any ImageProcessor]) -> CompositionProcessor {
        CompositionProcessor(processors)
    }
}
