/// Whether images are decoded in a process of their own.
public enum Isolation: Hashable, Sendable {
    /// Always: an image fails with `ImageError.Code.io` where `remote-image-decoder` is not installed, does not start,
    /// or cannot confine itself on this kernel.
    case required
    /// Wherever `remote-image-decoder` is installed, else in the calling process. One that is installed and fails is an error,
    /// as with ``required``; only a kernel without filters of system calls is put up with, which the log says once.
    case preferred
    /// Never.
    case none
}

/// A decoder some of whose formats need more than a confined process may do.
package protocol PartlyConfinableDecoder: ImageDecoder {
    var unconfinableFormats: Set<ImageFormat> { get }
}
