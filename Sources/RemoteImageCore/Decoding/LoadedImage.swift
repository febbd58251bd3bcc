/// Decoded pixels with the metadata of their image.
///
/// A small value: one reference to storage that is copied on write.
public struct LoadedImage: Sendable {
    private final class Storage: Sendable {
        let pixels: PixelBuffer
        let info: ImageInfo
        let scale: Double
        let version: ContentVersion
        let animation: ImageAnimation?
        let retention: Retention
        let source: ImageSource?

        init(
            _ pixels: PixelBuffer, _ info: ImageInfo, _ scale: Double, _ version: ContentVersion,
            _ animation: ImageAnimation?, _ retention: Retention, _ source: ImageSource?
        ) {
            self.pixels = pixels
            self.info = info
            self.scale = scale
            self.version = version
            self.animation = animation
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
        animation: ImageAnimation? = nil, retention: Retention = Retention()
    ) {
        storage = Storage(pixels, info, scale, version, animation, retention, nil)
    }

    /// The decoded pixels; for an animation, those of its first frame.
    public var pixels: PixelBuffer {
        get { storage.pixels }
        set { storage = Storage(newValue, info, scale, version, animation, retention, source) }
    }

    /// The size, format and origin of the image.
    public var info: ImageInfo {
        get { storage.info }
        set { storage = Storage(pixels, newValue, scale, version, animation, retention, source) }
    }

    /// The pixels of the image per point, 1 by default. An image made for a high-resolution screen
    /// has a scale of 2 and is laid out at half its size in pixels.
    public var scale: Double {
        get { storage.scale }
        set { storage = Storage(pixels, info, newValue, version, animation, retention, source) }
    }

    /// The animation of the image; `nil` for a still image.
    public internal(set) var animation: ImageAnimation? {
        get { storage.animation }
        set { storage = Storage(pixels, info, scale, version, newValue, retention, source) }
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
        set { storage = Storage(pixels, info, scale, version, animation, newValue, source) }
    }

    /// The chosen source, if the request offered a choice of sources. `nil` for other requests, and
    /// for images in the memory cache, which all requests share.
    package internal(set) var source: ImageSource? {
        get { storage.source }
        set { storage = Storage(pixels, info, scale, version, animation, retention, newValue) }
    }

    /// Whether both images have the same pixel buffer.
    public func isSameImage(as other: LoadedImage) -> Bool { pixels === other.pixels }

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
