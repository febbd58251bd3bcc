// Images that the program provides.

/// Provides an image under an identity.
///
/// A provider may need to be prepared before it can give its picture: an album is opened, a ticket is
/// bought. The pipeline prepares each identity once, however many views show it and however often it
/// loads afterwards; a failed preparation is tried again by the next load. A provider must also give its picture
/// without having been prepared.
public protocol ImageProvider: Sendable {
    /// Names the picture: providers with equal identities stand for the same one.
    var identity: String { get }

    /// Does what is needed once, and gives the provider to go on with: itself, or another one. The time limit of
    /// ``image()`` holds here too.
    func prepare() async throws -> any ImageProvider

    /// Gives the picture, as bytes, as pixels, or as the source to load it from.
    ///
    /// Cancelled when the last request for the image is cancelled. An ``ImageError`` that it throws arrives as it is,
    /// another error as ``ImageError/Code/source``. After ``ImageOptions/timeout``, by default ``TransferLimits/timeout``, it
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
    case pixels(PixelBuffer)
    /// Where to load it from. Of fallbacks the first that succeeds is taken, of candidates the largest, since a provider
    /// gives the whole picture.
    case source(ImageSource)
}

/// A provider that is one closure.
struct ClosureImageProvider: ImageProvider {
    let identity: String
    let load: @Sendable () async throws -> ProvidedImage

    func image() async throws -> ProvidedImage { try await load() }
}
