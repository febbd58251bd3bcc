/// What one image may cost. Checked against its header before any decoder sees the bytes.
public struct DecodeLimits: Hashable, Sendable {
    /// Width × height: 50 million by default.
    public var maxPixelCount: Int = 50_000_000
    /// The longer side in pixels: 16,384 by default.
    public var maxSide: Int = 16_384
    /// Bytes of decoded pixels, and of the coefficients that are kept of a JPEG in several scans:
    /// 256 MiB by default.
    public var maxDecodedByteCount: Int = 256 << 20
    /// The pixels of a JPEG times its scans, each of which changes all of them: 1,000 million by
    /// default, 20 scans of the largest image. An image of one scan is not limited by it, and none
    /// may have more than 500 scans. The layers of a JPEG XL count alike, each with at least the
    /// pixels of its canvas. An animation of JPEG XL plays the frames whose layers have a tenth of
    /// it together.
    public var maxScanPixelCount: Int = 1_000_000_000

    /// Frames of an animation that are shown: 512 by default.
    public var maxFrameCount: Int = 512
    /// Bytes that playing an animation may hold: 64 MiB by default. One that needs more is shown
    /// still.
    public var maxAnimationByteCount: Int = 64 << 20

    /// How long decoding may take before the image fails with ``ImageError/Code/decodeTimeout``: 30
    /// s by default.
    ///
    /// A decoder in the same process cannot be stopped: its thread is replaced, and its memory
    /// counts until it ends. Images for which such decoders leave too little memory, or that come
    /// after more than a few of them, fail with the same code.
    public var timeout: Duration = .seconds(30)

    /// Creates the default limits.
    public init() {}

    /// Throws ``ImageError/Code/tooManyPixels`` where the image that a header promises is more than
    /// allowed. Sizes are those that would be decoded in full, at four bytes a pixel.
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
