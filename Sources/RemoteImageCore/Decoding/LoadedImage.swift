/// Decoded pixels with the metadata of their image.
///
/// A small value: one reference to storage that is copied on write.
public struct LoadedImage: Sendable {
    private struct Content {
        let pixels: PixelBuffer
        let animation: ImageAnimation?
        var isReleased = false
        /// Whether the image has an animation, also while it is released.
        let isAnimated: Bool

        init(pixels: PixelBuffer, animation: ImageAnimation?) {
            (self.pixels, self.animation, isAnimated) = (pixels, animation, animation != nil)
        }

        /// The content after the release of its pixels.
        init(released content: Content, pixel: PixelBuffer) {
            (pixels, animation, isReleased, isAnimated) = (pixel, nil, true, content.isAnimated)
        }
    }

    private enum Holding: Sendable {
        case always(Content)
        /// All copies of the image share the lock, so that a view can release the pixels of copies
        /// that closures have captured.
        case releasable(Lock<Content>)

        var content: Content {
            switch self {
            case .always(let content): content
            case .releasable(let content): content.withLock { $0 }
            }
        }
    }

    private final class Storage: Sendable {
        let holding: Holding
        let info: ImageInfo
        let scale: Double
        let version: ContentVersion
        let retention: Retention
        let source: ImageSource?

        init(
            _ holding: Holding, _ info: ImageInfo, _ scale: Double, _ version: ContentVersion,
            _ retention: Retention, _ source: ImageSource?
        ) {
            self.holding = holding
            self.info = info
            self.scale = scale
            self.version = version
            self.retention = retention
            self.source = source
        }
    }

    private var storage: Storage

    /// Creates an image from pixels and metadata. `scale` is the number of pixels per point, 1 by
    /// default.
    public init(pixels: PixelBuffer, info: ImageInfo, scale: Double = 1) {
        self.init(pixels: pixels, info: info, scale: scale, version: ContentVersion())
    }

    init(
        pixels: PixelBuffer, info: ImageInfo, scale: Double = 1, version: ContentVersion,
        animation: ImageAnimation? = nil, retention: Retention = Retention(), source: ImageSource? = nil
    ) {
        let content = Content(pixels: pixels, animation: animation)
        storage = Storage(.always(content), info, scale, version, retention, source)
    }

    private mutating func replace(
        _ holding: Holding? = nil, info: ImageInfo? = nil, scale: Double? = nil, retention: Retention? = nil
    ) {
        storage = Storage(
            holding ?? storage.holding, info ?? self.info, scale ?? self.scale, version, retention ?? self.retention,
            source)
    }

    /// The decoded pixels; for an animation, those of its first frame. A view that is out of sight
    /// releases the pixels of the image that it passed to its closures, which then has a single
    /// transparent pixel until the view is visible again. `NetworkImageModel.image` returns images
    /// that keep their pixels.
    public var pixels: PixelBuffer {
        get { storage.holding.content.pixels }
        set { replace(.always(Content(pixels: newValue, animation: animation))) }
    }

    /// The size, format and origin of the image.
    public var info: ImageInfo {
        get { storage.info }
        set { replace(info: newValue) }
    }

    /// The pixels of the image per point, 1 by default. An image made for a high-resolution screen
    /// has a scale of 2 and is laid out at half its size in pixels.
    public var scale: Double {
        get { storage.scale }
        set { replace(scale: newValue) }
    }

    /// The animation of the image; `nil` for a still image.
    public internal(set) var animation: ImageAnimation? {
        get { storage.holding.content.animation }
        set { replace(.always(Content(pixels: pixels, animation: newValue))) }
    }

    /// The layout size in points, at most a million on each side, whatever the scale.
    package var naturalPointSize: (width: Double, height: Double) {
        let (size, scale) = (info.naturalSize, scale > 0 ? scale : 1)
        func points(_ pixels: Int) -> Double { min(Double(pixels) / scale, 1_000_000) }
        return (points(size.width), points(size.height))
    }

    /// Identifies the bytes that the image was decoded from.
    var version: ContentVersion { storage.version }

    /// How long the image may be used, however processors changed its pixels.
    var retention: Retention {
        get { storage.retention }
        set { replace(retention: newValue) }
    }

    /// The chosen source, if the request offered a choice of sources. `nil` for other requests, and
    /// for images in the memory cache, which all requests share.
    package internal(set) var source: ImageSource? {
        get { storage.source }
        set { storage = Storage(storage.holding, info, scale, version, retention, newValue) }
    }

    /// Whether both images have the same pixel buffer.
    public func isSameImage(as other: LoadedImage) -> Bool { pixels === other.pixels }

    /// Whether both images look the same: they have the same pixels, the same animation and the
    /// same size in points.
    package func hasSameContent(as other: LoadedImage) -> Bool {
        isSameImage(as: other) && scale == other.scale && animation === other.animation
    }

    /// Whether the image has an animation, also while it is released.
    package var isAnimated: Bool { storage.holding.content.isAnimated }

    /// Returns the image with another origin.
    func from(_ origin: ImageOrigin) -> LoadedImage {
        guard info.origin != origin else { return self }
        var info = info
        info.origin = origin
        // The load that made an image in memory is not the load that finds it there.
        if origin == .memory { info.timings = nil }
        var image = self
        image.info = info
        return image
    }

    /// Returns the image with its chosen `source` if the request offers a choice of sources.
    func from(_ source: ImageSource, for request: ImageRequest) -> LoadedImage {
        guard request.source.isChoice else { return self }
        var image = self
        image.source = source
        return image
    }
}

// MARK: Release

extension LoadedImage {
    /// A copy whose pixels can be released, together with those of all copies made from it.
    package var releasable: LoadedImage {
        var image = self
        image.replace(.releasable(Lock(Content(pixels: pixels, animation: animation))))
        return image
    }

    /// Whether the pixels are released. ``pixels`` is then a single transparent pixel.
    package var isReleased: Bool { storage.holding.content.isReleased }

    /// Releases the pixels and the animation of a ``releasable`` image and of its copies.
    package func release() {
        guard case .releasable(let content) = storage.holding else { return }
        let size = PixelSize(width: 1, height: 1)
        let pixel = PixelBuffer(size: size, format: .rgba8Premultiplied) { $0.copyBytes(from: [0, 0, 0, 0]) }
        // Returned so that the pixels are not freed under the lock.
        _ = content.withLock { content in
            defer { content = Content(released: content, pixel: pixel) }
            return content
        }
    }

    /// Gives a released image and its copies the pixels of another load of the same image.
    ///
    /// - Returns: Whether both were made from the same bytes and have the same size.
    package func refill(from other: LoadedImage) -> Bool {
        guard case .releasable(let content) = storage.holding, version == other.version, scale == other.scale,
            naturalPointSize == other.naturalPointSize
        else { return false }
        let filled = Content(pixels: other.pixels, animation: other.animation)
        _ = content.withLock { content in
            defer { content = filled }
            return content
        }
        return true
    }
}

/// An image whose pixels live only while something else uses them.
struct WeakImage {
    private weak var pixels: PixelBuffer?
    private weak var animation: ImageAnimation?
    private let isAnimated: Bool
    private let info: ImageInfo
    private let scale: Double
    private let version: ContentVersion
    private let retention: Retention
    let source: ImageSource?

    init(_ image: LoadedImage) {
        pixels = image.pixels
        animation = image.animation
        isAnimated = image.animation != nil
        (info, scale, version) = (image.info, image.scale, image.version)
        (retention, source) = (image.retention, image.source)
    }

    /// `nil` if the image is released, or the animation of an image whose pixels are still in use.
    var image: LoadedImage? {
        // Read once, since it may be released meanwhile.
        let animation = animation
        guard let pixels, !isAnimated || animation != nil else { return nil }
        return LoadedImage(
            pixels: pixels, info: info, scale: scale, version: version, animation: animation, retention: retention,
            source: source)
    }
}

/// A stored response, beside which a resized image can be stored.
struct StoredOriginal: Sendable {
    /// The key of the response in the store.
    let storeKey: String
    /// How long decoding it takes; `nil` before that.
    var decodeTime: DecodeTime?
}

/// How long the bytes of an image, and the images made from them, may be used without checking the
/// source.
struct Retention: Sendable {
    /// The time on the pipeline's clock until which the image is fresh; `nil` means forever.
    var freshUntil: Duration?
    /// When the server sent or last confirmed the response, in seconds since 1970;
    /// ``ImageOptions/expiry`` counts from this time. `nil` for an image that the program put into
    /// the cache.
    var storedAt: Double?
    /// Whether the cache keeps the image only while it is in use, because the response must not be
    /// stored (`no-store`).
    var isKeptOnlyWhileInUse = false
    /// The version of the file that the image was read from; a newer version replaces the image.
    var file: FileVersion?
    /// The stored response that the image was made of; `nil` if there is none, or if no resized
    /// image may be stored beside it.
    var original: StoredOriginal?
}
