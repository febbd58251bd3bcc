// Unsafe code: libwebp writes to buffers that live throughout the call that gets them.

import CRemoteImageCodecs

/// Decodes WebP with libwebp, if it is installed.
///
/// libwebp gets only still images, and of an animation only the first frame as a separate file. The
/// animation decoder of libwebp holds a canvas for each frame, which no limit on the image size
/// bounds.
///
/// An opaque image is scaled down while it is decoded, before the conversion from YUV to RGB. An
/// image with alpha is decoded at full size and averaged with premultiplied colors.
public struct WebPDecoder: ImageDecoder {
    public var name: String { "webp" }

    /// WebP if libwebp is installed, otherwise empty.
    public var formats: Set<ImageFormat> { webp_is_installed() ? [.webp] : [] }

    public func decodes(_ format: ImageFormat) -> Bool { format == .webp && webp_is_installed() }

    /// Creates a decoder. It has no settings.
    public init() {}

    /// Decodes the image, or the first frame of an animation on its canvas, at exactly the target
    /// size.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard webp_is_installed() else { throw ImageError(.unsupportedFormat, "libwebp is not installed") }
        try TruncationCheck.check(bytes, .webp)
        let frame = try FirstFrame.of(bytes, .webp)
        let still = try StillWebP(frame?.file ?? bytes)
        let canvas = frame?.canvas ?? still.size
        // The size in libwebp may differ from the header of the request.
        try request.limits.check(canvas)
        if let frame, frame.size != still.size {
            throw ImageError(.corrupt, "the first frame of the animation has another size than its pixels")
        }
        let wanted = request.target?.drawnSize(of: canvas)
        let pixels: PixelBuffer
        if let frame, still.size != canvas {
            pixels = try still.withStraightPixels { straight in
                PixelBuffer(placing: straight, atX: frame.x, y: frame.y, on: frame.canvas, scaledDownTo: wanted)
            }
        } else if still.hasAlpha {
            // libwebp would average the colors of transparent pixels into the visible ones.
            pixels = try still.withStraightPixels { PixelPacker($0).pack(scaledDownTo: wanted) }
        } else {
            pixels = try still.opaquePixels(scaledTo: wanted ?? canvas)
        }
        return DecodedImage(pixels: pixels, size: canvas, frameCount: FrameCount.of(bytes, .webp))
    }
}

/// A still image that libwebp accepts.
private struct StillWebP {
    let bytes: [UInt8]
    let size: PixelSize
    let hasAlpha: Bool
    private let colors: ColorConversion?

    init(_ bytes: [UInt8]) throws(ImageError) {
        var still = WebPStill()
        guard webp_read(bytes, bytes.count, &still) else {
            throw ImageError(.corrupt, "the header of the webp is damaged")
        }
        self.bytes = bytes
        size = PixelSize(width: Int(still.width), height: Int(still.height))
        hasAlpha = still.has_alpha
        colors = ColorConversion.ofWebP(bytes)
    }

    /// Calls `body` with all pixels as RGBA.
    func withStraightPixels(_ body: (StraightPixels) -> PixelBuffer) throws(ImageError) -> PixelBuffer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.pixelCount * 4, alignment: 16)
        defer { memory.deallocate() }
        let base = try decode(into: memory, channels: 4, size)
        return body(StraightPixels(size: size, pixels: UnsafePointer(base)))
    }

    func opaquePixels(scaledTo size: PixelSize) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, format: .rgb8) { memory throws(ImageError) in
            _ = try decode(into: memory, channels: 3, size)
        }
    }

    private func decode(
        into memory: UnsafeMutableRawBufferPointer, channels: Int, _ size: PixelSize
    ) throws(ImageError) -> UnsafeMutablePointer<UInt8> {
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw ImageError(.corrupt, "an image without pixels")
        }
        let (width, height) = size == self.size ? (0, 0) : (size.width, size.height)
        let status = webp_decode(
            bytes, bytes.count, channels == 4, Int32(width), Int32(height), base, memory.count,
            Int32(size.width * channels))
        guard status == 0 else { throw ImageError(.corrupt, "libwebp reports status \(status)") }
        colors?.apply(to: base, size: size, channels: channels, stride: size.width * channels)
        return base
    }
}
