/// Whether images are decoded in a separate process.
public enum Isolation: Hashable, Sendable {
    /// Always. An image fails with `ImageError.Code.io` if `remote-image-decoder` is not installed,
    /// does not start, or cannot confine itself on this kernel.
    case required
    /// If `remote-image-decoder` is installed; otherwise in the calling process, except SVG, which
    /// fails. If the program is installed but fails, images fail as with ``required``. A kernel
    /// without filters of system calls is tolerated, and logged once.
    case preferred
    /// Never: always in the calling process.
    case none
}

/// A decoder whose codecs open files when they first decode, so that calling
/// ``ImageDecoder/decodes(_:)`` is not enough to load them.
package protocol LoadingDecoder: ImageDecoder {
    /// Loads everything that the first image of a format needs, including all files, so that a
    /// confined process can decode it. Called once for each format of a decoder process, before the
    /// process confines itself and on its only thread. A codec that opens files while it decodes
    /// may decode the test image here. Failures are ignored here; the later test of the format
    /// reports them.
    ///
    /// - Parameters:
    ///   - format: One of ``ImageDecoder/formats``.
    ///   - testImage: A small image of the format; `nil` if there is none.
    func load(_ format: ImageFormat, testImage: [UInt8]?)
}

/// A decoder with formats that a confined process cannot decode.
package protocol PartlyConfinableDecoder: ImageDecoder {
    var unconfinableFormats: Set<ImageFormat> { get }
}
