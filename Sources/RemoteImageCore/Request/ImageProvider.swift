// Images that the program provides.

/// Provides an image under an identity.
///
/// A provider may have to be prepared before it can provide its image, by opening an album for example. The pipeline prepares
/// each identity once, for any number of views and loads; the next load repeats a failed preparation. A provider must also
/// provide its image without preparation.
public protocol ImageProvider: Sendable {
    /// Identifies the image: providers with equal identities provide the same image.
    var identity: String { get }

    /// Prepares the image, once for each identity. Returns the provider of the image: itself, the default, or another one.
    /// The time limit of ``image()`` holds here too.
    func prepare() async throws -> any ImageProvider

    /// Provides the image: as bytes, as pixels, or as a source to load it from.
    ///
    /// Cancelled with the last request for the image. The load fails with an ``ImageError`` that it throws, and with
    /// ``ImageError/Code/source`` after another error. After ``ImageOptions/timeout``, by default ``TransferLimits/timeout``, it
    /// is cancelled, and the load fails with ``ImageError/Code/source``.
    func image() async throws -> ProvidedImage
}

extension ImageProvider {
    public func prepare() async throws -> any ImageProvider { self }
}

/// The image of a provider.
public enum ProvidedImage: Sendable {
    /// A file in one of the formats that the pipeline decodes.
    case bytes([UInt8])
    /// Pixels, which are not decoded.
    case pixels(PixelBuffer)
    /// Where to load it from. Of fallbacks the first that succeeds is used, of candidates the largest, since a provider
    /// provides the whole image.
    case source(ImageSource)
}

/// A provider that calls a closure.
struct ClosureImageProvider: ImageProvider {
    let identity: String
    let load: @Sendable () async throws -> ProvidedImage

    func image() async throws -> ProvidedImage { try await load() }
}
