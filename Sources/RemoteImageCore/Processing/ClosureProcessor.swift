/// A custom processor that calls a closure.
public struct ClosureProcessor: ImageProcessor {
    public let identity: String
    public let hasStableIdentity: Bool
    private let body: @Sendable (PixelBuffer) throws -> PixelBuffer

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
        self.identity = identity
        self.hasStableIdentity = hasStableIdentity
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
    /// Applies a closure. `identity` names the closure and all parameters that it depends on;
    /// `hasStableIdentity` allows keeping the images on disk.
    public static func custom(
        identity: String, hasStableIdentity: Bool = false,
        _ body: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) -> ClosureProcessor {
        ClosureProcessor(identity: identity, hasStableIdentity: hasStableIdentity, body)
    }
}
