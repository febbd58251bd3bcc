// Custom providers of images.

/// Provides an image under an identity.
///
/// A provider may need preparation before it can provide its image, such as opening an album. The
/// pipeline prepares an identity once for many views and loads. It prepares it again for a load
/// with ``CachePolicy/reload``, after a failure, and after 4,096 other identities. A provider must
/// also work without preparation.
public protocol ImageProvider: Sendable {
    /// Identifies the image: providers with equal identities provide the same image.
    var identity: String { get }

    /// Prepares the image, for all loads of its identity. Returns the provider to use: by default
    /// itself, or another one. The time limit of ``image()`` applies here too.
    func prepare() async throws -> any ImageProvider

    /// Provides the image: as encoded data, as pixels, or as a source to load it from.
    ///
    /// The call is cancelled when the last request for the image is cancelled. If it throws an
    /// ``ImageError``, the load fails with that error; after any other error, with
    /// ``ImageError/Code/source``. After ``ImageOptions/timeout``, by default
    /// ``TransferLimits/timeout``, the call is cancelled and the load fails with
    /// ``ImageError/Code/source``.
    func image() async throws -> ProvidedImage
}

extension ImageProvider {
    public func prepare() async throws -> any ImageProvider { self }
}

/// The result of a provider.
public enum ProvidedImage: Sendable {
    /// A file in one of the formats that the pipeline decodes.
    case bytes([UInt8])
    /// A file in one of these formats, in pieces.
    case stream(ByteStream)
    /// Pixels, which need no decoding.
    case pixels(PixelBuffer)
    /// The source to load the image from. Of fallbacks, the first that succeeds is used; of
    /// candidates, the largest, since a provider always provides the whole image.
    case source(ImageSource)
}

/// A provider that calls a closure.
package struct ClosureImageProvider: ImageProvider {
    package let identity: String
    let load: @Sendable () async throws -> ProvidedImage

    package init(identity: String, load: @escaping @Sendable () async throws -> ProvidedImage) {
        self.identity = identity
        self.load = load
    }

    package func image() async throws -> ProvidedImage { try await load() }
}
