/// Encodes pixels that a decoder of the same library decodes again.
///
/// The pipeline stores resized images with it. It is called on decode threads, several at once.
package protocol ImageEncoder: Sendable {
    /// Encodes pixels.
    ///
    /// Throws ``ImageError/Code/io`` if the image cannot be encoded, for example because it is too
    /// large for the format.
    func encode(_ pixels: PixelBuffer, as encoding: StoredEncoding) throws(ImageError) -> [UInt8]
}

/// How the pixels of a resized image are encoded.
package enum StoredEncoding: Hashable, Sendable {
    /// A format that keeps every pixel, with its alpha.
    case lossless
    /// A smaller format for opaque pixels, with a quality from 1 to 100. The colors keep their full
    /// resolution.
    case lossy(quality: Int)
}

/// A decoder with an encoder of files that it reads.
package protocol EncodingDecoder: ImageDecoder {
    /// The encoder; `nil` if there is none.
    var encoder: (any ImageEncoder)? { get }
}
