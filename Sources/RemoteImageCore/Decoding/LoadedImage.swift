/// An image that can be drawn, with what is known of it.
///
/// A small value, however much is known: one reference, copied when it is changed.
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

    /// - Parameter scale: Pixels of the image per point, 1 by default.
    public init(pixels: PixelBuffer, info: ImageInfo, scale: Double = 1) {
        self.init(pixels: pixels, info: info, scale: scale, version: ContentVersion())
    }

    init(
        pixels: PixelBuffer, info: ImageInfo, scale: Double = 1, version: ContentVersion,
        animation: ImageAnimation? = nil, retention: Retention = Retention()
    ) {
        storage = Storage(pixels, info, scale, version, animation, retention, nil)
    }

    /// The decoded pixels; of an animation, those of its first frame.
    public var pixels: PixelBuffer {
        get { storage.pixels }
        set { storage = Storage(newValue, info, scale, version, animation, retention, source) }
    }

    /// The size, format and origin of the image.
    public var info: ImageInfo {
        get { storage.info }
        set { storage = Storage(pixels, newValue, scale, version, animation, retention, source) }
    }

    /// Pixels of the image per point, 1 by default: an image made for a screen of twice the
    /// resolution has 2, and is laid out at half its size in pixels.
    public var scale: Double {
        get { storage.scale }
        set { storage = Storage(pixels, info, newValue, version, animation, retention, source) }
    }

    /// What the image does after its first frame; nil for one that stays as it is.
    public internal(set) var animation: ImageAnimation? {
        get { storage.animation }
        set { storage = Storage(pixels, info, scale, version, newValue, retention, source) }
    }

    /// The size in which the image is laid out, in points.
    package var naturalPointSize: (width: Double, height: Double) {
        let (size, scale) = (info.naturalSize, scale > 0 ? scale : 1)
        return (Double(size.width) / scale, Double(size.height) / scale)
    }

    /// Which bytes it was made of.
    var version: ContentVersion { storage.version }

    /// How long it answers, whatever was done to its pixels.
    var retention: Retention {
        get { storage.retention }
        set { storage = Storage(pixels, info, scale, version, animation, newValue, source) }
    }

    /// What was chosen for it where the source was a choice; nil for others, and in the memory
    /// cache, which all of them share.
    package internal(set) var source: ImageSource? {
        get { storage.source }
        set { storage = Storage(pixels, info, scale, version, animation, retention, newValue) }
    }

    /// Whether both show the same pixels.
    public func isSameImage(as other: LoadedImage) -> Bool { pixels === other.pixels }

    /// The image as it comes from somewhere else.
    func from(_ origin: ImageOrigin) -> LoadedImage {
        guard info.origin != origin else { return self }
        var image = self
        image.info.origin = origin
        return image
    }

    /// The image as it comes from `source`, which is what a request asks for or was chosen for it.
    func from(_ source: ImageSource, for request: ImageRequest) -> LoadedImage {
        guard request.source.isChoice else { return self }
        var image = self
        image.source = source
        return image
    }
}

/// How long the bytes of an image, and what is made of them, answer without a look at the source.
struct Retention: Sendable {
    /// Until when, on the pipeline's clock, it answers without being asked for; nil for ever.
    var freshUntil: Duration?
    /// When the response came or was last confirmed by the server, in seconds since 1970:
    /// ``ImageOptions/expiry`` counts from there. `nil` for an image that the program put into the
    /// cache itself.
    var storedAt: Double?
    /// Whether the cache keeps it only while it is shown: the response must not be stored
    /// (`no-store`).
    var isKeptOnlyWhileInUse = false
    /// The file that the image was read from, as it was then: another version takes its place.
    var file: FileVersion?
}
