// A source of the program's own.

/// Says what a picture is called and how it is made.
///
/// A recipe may need to be prepared before it can give its picture: an album is opened, a ticket is
/// bought. The pipeline prepares each identity once, however many views show it and however often it
/// loads afterwards; a failed preparation is tried again by the next load. A recipe must also give its picture
/// without having been prepared.
public protocol ImageRecipe: Sendable {
    /// Names the picture: recipes with equal identities stand for the same one.
    var identity: String { get }

    /// Does what is needed once, and gives the recipe to go on with: itself, or another one. The time limit of
    /// ``material()`` holds here too.
    func prepare() async throws -> any ImageRecipe

    /// Gives the picture, as bytes, as pixels, or as the source to load it from.
    ///
    /// Cancelled when nobody wants the picture any more. An ``ImageError`` that it throws arrives as it is,
    /// another error as ``ImageError/Code/source``. After ``ImageOptions/timeout``, by default ``TransferLimits/timeout``, it
    /// is cancelled, and the load fails with ``ImageError/Code/source``.
    func material() async throws -> ImageMaterial
}

extension ImageRecipe {
    public func prepare() async throws -> any ImageRecipe { self }
}

/// What a recipe gives.
public enum ImageMaterial: Sendable {
    /// A file in one of the formats that the pipeline decodes.
    case bytes([UInt8])
    case pixels(PixelBuffer)
    /// Where to load it from. Of fallbacks the first that succeeds is taken, of candidates the largest, since a recipe
    /// gives the whole picture.
    case source(ImageSource)
}

/// A recipe that is one closure.
struct ClosureRecipe: ImageRecipe {
    let identity: String
    let load: @Sendable () async throws -> ImageMaterial

    func material() async throws -> ImageMaterial { try await load() }
}
