/// A processor of the program's own, made of a closure.
public struct ClosureProcessor: ImageProcessor {
    public let identity: String
    private let body: @Sendable (PixelBuffer) throws -> PixelBuffer

    /// - Parameters:
    ///   - identity: Names what the closure does, with all that it depends on.
    ///   - body: Called on decode threads, several at once. An ``ImageError`` that it throws arrives as it is, another
    ///     error as ``ImageError/Code/processing``.
    public init(identity: String, _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer) {
        self.identity = identity
        self.body = body
    }

    public func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer {
        do {
            return try body(pixels)
        } catch let error as ImageError {
            throw error
        } catch {
            throw ImageError(.processing, "\(error)")
        }
    }
}

extension ImageProcessor where Self == ClosureProcessor {
    /// Does what a closure does. `identity` names it, with all that it depends on.
    public static func custom(
        identity: String, _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) -> ClosureProcessor {
        ClosureProcessor(identity: identity, body)
    }
}
