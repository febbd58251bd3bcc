// What a processor is: a named function of the pixels of an image.

/// Transforms the pixels of an image, for example by resizing, cropping or blurring them.
///
/// Processors with equal ``identity`` share cached images, and must produce equal output for equal
/// input. The pipeline calls them on decode threads, several at once.
public struct ImageProcessor: Sendable, Equatable {
    /// Names the processor and all its parameters, such as `resize(320x200,contain)`.
    public let identity: String
    /// Whether ``identity`` also names the processor in later versions of the program, so that its
    /// images may be kept on disk: `false` by default, `true` for the processors of the library.
    public let hasStableIdentity: Bool
    /// The radius of the corners that the processor gives each image, in pixels, infinite for a
    /// circle; `nil` for none.
    package let cornerRadius: Double?
    private let body: @Sendable (PixelBuffer) throws -> PixelBuffer

    /// Creates a processor of one's own.
    ///
    /// - Parameters:
    ///   - identity: Names the closure and all parameters that it depends on.
    ///   - hasStableIdentity: Whether `identity` changes whenever the closure does, so that images
    ///     may be kept on disk: `false` by default.
    ///   - body: Called on decode threads, several at once. If it throws an ``ImageError``, the
    ///     load fails with that error; after any other error, with ``ImageError/Code/processing``.
    public init(
        identity: String, hasStableIdentity: Bool = false,
        _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) {
        self.init(identity, hasStableIdentity: hasStableIdentity, body)
    }

    /// Creates a processor of the library.
    init(
        _ identity: String, hasStableIdentity: Bool = true, cornerRadius: Double? = nil,
        _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) {
        self.identity = identity
        self.hasStableIdentity = hasStableIdentity
        self.cornerRadius = cornerRadius
        self.body = body
    }

    /// Processes the pixels. Throws ``ImageError/Code/processing`` on failure.
    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        do {
            return try body(pixels)
        } catch let error as ImageError {
            throw error
        } catch {
            throw ImageError(.processing, "\(error)")
        }
    }

    public static func == (left: ImageProcessor, right: ImageProcessor) -> Bool { left.identity == right.identity }

    /// Applies processors one after the other, for example as a style that a program uses in many
    /// places.
    ///
    /// Intermediate images are not cached. Processors that are listed individually in
    /// ``ImageOptions/processors`` share each step with lists that start with the same processors.
    public static func composition(_ processors: [ImageProcessor]) -> ImageProcessor {
        ImageProcessor(
            "composition(\(processors.map(\.identity).joinedUnambiguously))",
            hasStableIdentity: processors.allSatisfy(\.hasStableIdentity),
            cornerRadius: processors.lastCornerRadius
        ) { pixels in
            try processors.reduce(pixels) { try $1.process($0) }
        }
    }
}

extension [ImageProcessor] {
    /// The radius of the corners that the processors give each image, in pixels, infinite for a
    /// circle; `nil` for none.
    package var lastCornerRadius: Double? { reversed().lazy.compactMap(\.cornerRadius).first }
}

extension [String] {
    /// The names of processors, joined unambiguously: the length precedes each name.
    var joinedUnambiguously: String { map { "\($0.utf8.count) \($0)" }.joined(separator: "|") }
}
