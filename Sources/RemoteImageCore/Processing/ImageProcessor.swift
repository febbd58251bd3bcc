// Pixels to pixels: what the pipeline asks of a processor.

/// Makes other pixels of an image's: smaller, cropped, rounded, blurred.
///
/// Called on decode threads, several at once. A processor is a value: the same input gives the same
/// output, and ``identity`` tells processors apart, so that images that went through equal ones are
/// shared and cached together.
public protocol ImageProcessor: Sendable {
    /// Names the processor and all its parameters, such as `resize(320x200,fit)`.
    var identity: String { get }

    /// Throws ``ImageError/Code/processing`` where it cannot be done.
    func process(_ pixels: PixelBuffer) throws(ImageError) -> PixelBuffer
}

extension [String] {
    /// The names of processors as one, which no other names give: each has its length before it.
    var joinedUnambiguously: String { map { "\($0.utf8.count) \($0)" }.joined(separator: "|") }
}
