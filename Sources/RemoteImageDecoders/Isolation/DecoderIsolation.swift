/// Whether images are decoded in a separate process.
public enum DecoderIsolation: Hashable, Sendable {
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

/// A decoder that needs more than a call of ``ImageDecoder/decodes(_:)`` before its process is
/// confined, or that cannot be confined.
package protocol ConfinableDecoder: ImageDecoder {
    /// Loads everything that the first image of a format needs, including all files, so that a
    /// confined process can decode it. Called once for each format of a decoder process, before the
    /// process confines itself and on its only thread. A codec that opens files while it decodes
    /// may decode the test image here. Failures are ignored here; the later test of the format
    /// reports them. Does nothing by default.
    ///
    /// - Parameters:
    ///   - format: One of ``ImageDecoder/formats``.
    ///   - testImage: A small image of the format; `nil` if there is none.
    func load(_ format: ImageFormat, testImage: [UInt8]?)

    /// The formats that a confined process cannot decode: none by default.
    var unconfinableFormats: Set<ImageFormat> { get }
}

extension ConfinableDecoder {
    package func load(_ format: ImageFormat, testImage: [UInt8]?) {}

    package var unconfinableFormats: Set<ImageFormat> { [] }

    /// Decodes the test image, for codecs that open files when they decode.
    package func decodeTestImage(_ bytes: [UInt8]?) {
        guard let bytes, let header = try? ImageHeader.read(bytes) else { return }
        _ = try? decode(bytes, DecodeRequest(header: header))
    }
}
