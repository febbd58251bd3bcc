/// The limits on decoding one image. The pipeline checks its header against them before any decoder
/// gets the bytes.
public struct DecodeLimits: Hashable, Sendable {
    /// The maximum of width × height: 50 million by default.
    public var maxPixelCount: Int
    /// The maximum length of a side, in pixels: 65,535 by default, as in JPEG and GIF.
    public var maxSide: Int
    /// The maximum size of the decoded pixels, together with the coefficients that libjpeg keeps
    /// for a JPEG in several scans, in bytes: 256 MiB by default.
    public var maxDecodedByteCount: Int
    /// The maximum of the pixels of a JPEG times its scans, each of which may change all pixels:
    /// 1,000 million by default, which is 20 scans of the largest image. An image with one scan is
    /// always allowed, and none may have more than 500 scans.
    ///
    /// The limit also applies to the layers of a JPEG XL, each counted with at least the pixels of
    /// its canvas. In a JPEG XL animation, the first frames play whose layers together have at most
    /// a tenth of this limit; in an AVIF sequence, those whose coded frames have at most half of
    /// it.
    public var maxScanPixelCount: Int

    /// The maximum number of frames of an animation that play: 512 by default.
    public var maxFrameCount: Int
    /// The maximum memory for playing an animation, in bytes: 64 MiB by default. An animation that
    /// needs more is shown as a still image.
    ///
    /// All animations that the views of a program play at once share another 128 MiB, or a
    /// sixteenth of the memory on machines with less than 2 GiB. The others show their first frame,
    /// and play when there is room: an animation out of sight gives room to others, and so does a
    /// small one whose frames are all decoded. An animation that is larger plays alone.
    public var maxAnimationByteCount: Int

    /// The maximum time of a decode, after which the image fails with
    /// ``ImageError/Code/decodeTimeout``: 30 s by default.
    ///
    /// A decoder in the calling process cannot be stopped: the pipeline replaces its thread and
    /// counts its memory until it ends. While several such decoders run, or if they leave too
    /// little memory, further images that would be decoded in the calling process fail with the
    /// same code.
    public var timeout: Duration

    /// Creates limits; those that are left out have their defaults.
    public init(
        maxPixelCount: Int = 50_000_000, maxSide: Int = 65_535, maxDecodedByteCount: Int = 256 << 20,
        maxScanPixelCount: Int = 1_000_000_000, maxFrameCount: Int = 512, maxAnimationByteCount: Int = 64 << 20,
        timeout: Duration = .seconds(30)
    ) {
        self.maxPixelCount = maxPixelCount
        self.maxSide = maxSide
        self.maxDecodedByteCount = maxDecodedByteCount
        self.maxScanPixelCount = maxScanPixelCount
        self.maxFrameCount = maxFrameCount
        self.maxAnimationByteCount = maxAnimationByteCount
        self.timeout = timeout
    }

    /// Throws ``ImageError/Code/tooManyPixels`` if the stored size in a header exceeds the limits,
    /// as an image decoded in full at four bytes per pixel.
    public func check(_ header: ImageHeader) throws(ImageError) {
        try check(header.storedSize)
    }

    /// Throws ``ImageError/Code/tooManyPixels`` if an image of this size exceeds the limits.
    public func check(_ size: PixelSize) throws(ImageError) {
        guard size.longestSide <= maxSide else {
            throw ImageError(.tooManyPixels, "\(size), a side of at most \(maxSide) is allowed")
        }
        guard size.pixelCount <= maxPixelCount else {
            throw ImageError(.tooManyPixels, "\(size), at most \(maxPixelCount) pixels are allowed")
        }
        let (byteCount, overflow) = size.pixelCount.multipliedReportingOverflow(by: 4)
        guard !overflow, byteCount <= maxDecodedByteCount else {
            throw ImageError(.tooManyPixels, "\(size), at most \(maxDecodedByteCount) bytes of pixels are allowed")
        }
    }
}
