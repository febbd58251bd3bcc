// Where decoded images are kept: what the pipeline asks of a memory cache. The default is `MemoryCache`; an
// application may bring its own.

/// Keeps decoded images in memory. Called on any thread, also on the one that draws: no method may take
/// long or do I/O.
public protocol ImageCache: Sendable {
    /// The image of a key, fresh or not, of whatever size it was kept in.
    func entry(for key: ImageCacheKey) -> CachedImage?

    /// Keeps an image in place of an older one.
    func store(_ entry: CachedImage, for key: ImageCacheKey)

    /// Removes the image for a key.
    func remove(_ key: ImageCacheKey)

    /// Removes all images.
    func removeAll()

    /// Memory runs short: keeps no more than a part of what may be kept, 0 to 1. What is shown somewhere may stay.
    func shrink(to fraction: Double)

    /// Calls `body` when the image of a key is replaced or removed, until the observation is released.
    func observe(
        _ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void
    ) -> any Sendable
}

extension ImageCache {
    /// Whether there is an image for a key, fresh or not.
    public func contains(_ key: ImageCacheKey) -> Bool { entry(for: key) != nil }

    /// Keeps everything: a cache that can do better does.
    public func shrink(to fraction: Double) {}
}

/// What became of the image of a key.
public enum ImageCacheChange: Sendable {
    /// Another image was stored under the key.
    case replaced(by: LoadedImage)
    /// The image was removed or evicted.
    case removed
}

/// An image in memory.
public struct CachedImage: Sendable {
    /// The image; its origin is ``ImageOrigin/memory``.
    public internal(set) var image: LoadedImage
    /// Until when, on the clock of the pipeline, an image that the program stores itself answers; `nil` has no end. The
    /// pipeline does not set it: what HTTP says of a response, and its age, come with ``image``.
    public var freshUntil: Duration?
    /// Whether the cache keeps it only while it is shown: the response must not be stored (`no-store`).
    public var isKeptOnlyWhileInUse: Bool

    /// - Parameters:
    ///   - image: The image.
    ///   - freshUntil: Until when the image is fresh; nil, the default, for ever.
    public init(_ image: LoadedImage, freshUntil: Duration? = nil) {
        self.image = image.from(.memory)
        self.freshUntil = freshUntil
        isKeptOnlyWhileInUse = image.retention.isKeptOnlyWhileInUse
    }

    /// Whether the image has more pixels on its longer side than ``ImageOptions/maxPixelSize`` allows.
    func exceeds(_ maxPixelSize: Int?) -> Bool {
        maxPixelSize.map { image.info.decodedSize.longestSide > $0 } ?? false
    }

    /// Whether the image has the pixels wanted. One less is forgiven: decoders round.
    func serves(_ target: TargetSize?) -> Bool {
        let info = image.info
        if info.format == .svg {
            let wanted = target?.fittedSize(of: info.size) ?? info.size
            return info.decodedSize.width >= wanted.width - 1 && info.decodedSize.height >= wanted.height - 1
        }
        if info.decodedSize == info.size { return true }
        let wanted = target?.drawnSize(of: info.size) ?? info.size
        return info.decodedSize.width >= wanted.width - 1 && info.decodedSize.height >= wanted.height - 1
    }
}
