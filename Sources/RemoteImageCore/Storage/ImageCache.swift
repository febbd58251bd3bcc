// The interface of memory caches. The default is `MemoryCache`; a program may provide its own.

/// Caches decoded images in memory. Its methods are called on any thread, including the main
/// thread, so they must be fast and must not perform I/O.
public protocol ImageCache: Sendable {
    /// The image for a key, fresh or stale, in any size.
    func entry(for key: ImageCacheKey) -> CachedImage?

    /// Stores an image and replaces an older one with the same key.
    func store(_ entry: CachedImage, for key: ImageCacheKey)

    /// Removes the image for a key.
    func remove(_ key: ImageCacheKey)

    /// Removes all images.
    func removeAll()

    /// Removes the images whose keys match. The default implementation removes all images.
    func removeAll(where matches: (ImageCacheKey) -> Bool)

    /// Called when memory runs short: reduces the cache to `fraction`, 0 to 1, of its limit. Images
    /// that are in use elsewhere may stay reachable.
    func shrink(to fraction: Double)

    /// Calls `body` when the image for a key is replaced or removed, until the returned observation
    /// is released.
    func observe(
        _ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void
    ) -> ObservationToken
}

extension ImageCache {
    /// Whether the cache has an image for a key, fresh or stale.
    public func contains(_ key: ImageCacheKey) -> Bool { entry(for: key) != nil }

    public func removeAll(where matches: (ImageCacheKey) -> Bool) { removeAll() }

    /// By default keeps all images; caches that can shrink override this.
    public func shrink(to fraction: Double) {}
}

/// A change of the image for a key.
public enum ImageCacheChange: Sendable {
    /// Another image was stored under the key.
    case replaced(by: LoadedImage)
    /// The image was removed or evicted.
    case removed
}

/// An image in the memory cache.
public struct CachedImage: Sendable {
    /// The image; its origin is ``ImageOrigin/memory``.
    public internal(set) var image: LoadedImage
    /// The time on the pipeline's clock until which an image that the program stores itself is
    /// fresh; `nil` for no limit. The pipeline does not set it: the freshness and the age of
    /// responses are part of ``image``.
    public var freshUntil: Duration?
    /// Whether the cache keeps the image only while it is in use, because the response must not be
    /// stored (`no-store`).
    public var isKeptOnlyWhileInUse: Bool

    /// - Parameters:
    ///   - image: The image.
    ///   - freshUntil: The time on the pipeline's clock until which the image is fresh. `nil`, the
    ///     default, for no limit.
    public init(_ image: LoadedImage, freshUntil: Duration? = nil) {
        self.image = image.from(.memory)
        self.freshUntil = freshUntil
        isKeptOnlyWhileInUse = image.retention.isKeptOnlyWhileInUse
    }

    /// Whether the image exceeds ``ImageOptions/maxPixelSize``.
    func exceeds(_ maxPixelSize: PixelSize?) -> Bool {
        maxPixelSize.map(image.info.decodedSize.exceeds) ?? false
    }

    /// Whether the image has all pixels that a target needs.
    func serves(_ target: TargetSize?) -> Bool {
        image.info.decodedSize.serves(image.info.pixelSize(for: target))
    }
}
