// The interface of processors.

/// Transforms the pixels of an image, for example by resizing, cropping or blurring them.
///
/// The pipeline calls processors on decode threads, several at once. A processor must produce equal
/// output for equal input. Processors with equal ``identity`` share cached images.
public protocol ImageProcessor: Sendable {
    /// Names the processor and all its parameters, such as `resize(320x200,fit)`.
    var identity: String { get }

    /// Whether ``identity`` also names the processor in later versions of the program, so that its
    /// images may be kept on disk: `false` by default, `true` for the processors of the library.
    var hasStableIdentity: Bool { get }

    /// Processes the pixels. Throws ``ImageError/Code/processing`` on failure.
    func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer
}

extension ImageProcessor {
    public var hasStableIdentity: Bool { false }
}

extension [String] {
    /// The names of processors, joined unambiguously: the length precedes each name.
    var joinedUnambiguously: String { map { "\($0.utf8.count) \($0)" }.joined(separator: "|") }
}
