/// Whether images are decoded in a process of their own.
public enum Isolation: Hashable, Sendable {
    /// Always: an image fails with `ImageError.Code.io` where `remote-image-decoder` is not
    /// installed, does not start, or cannot confine itself on this kernel.
    case required
    /// Wherever `remote-image-decoder` is installed, else in the calling process. One that is
    /// installed and fails is an error, as with ``required``; only a kernel without filters of
    /// system calls is tolerated, and the log says so once.
    case preferred
    /// Never.
    case none
}

/// A decoder whose codecs need more than ``ImageDecoder/decodes(_:)`` before they can decode: they
/// open files while they do.
package protocol LoadingDecoder: ImageDecoder {
    /// Loads all that the first image of a format needs, with every file that it opens, so that a
    /// confined process can decode it. Called once for each format that a decoder process is
    /// started for, before it confines itself and on its only thread. A codec that opens files
    /// while it decodes may decode the test image here. Failures show when that is decoded.
    ///
    /// - Parameters:
    ///   - format: One of ``ImageDecoder/formats``.
    ///   - testImage: The smallest image of the format; `nil` where there is none.
    func load(_ format: ImageFormat, testImage: [UInt8]?)
}

/// A decoder some of whose formats need more than a confined process may do.
package protocol PartlyConfinableDecoder: ImageDecoder {
    var unconfinableFormats: Set<ImageFormat> { get }
}
