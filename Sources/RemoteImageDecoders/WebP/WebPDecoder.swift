// Unsafe code: libwebp writes to buffers that live throughout the call that gets them.

import CRemoteImageCodecs

/// Decodes WebP with libwebp, if it is installed.
///
/// libwebp gets only still images, and of an animation only the first frame as a separate file. The
/// animation decoder of libwebp holds a canvas for each frame, which no limit on the image size
/// bounds.
///
/// An opaque image is scaled down while it is decoded, before the conversion from YUV to RGB. An
/// image with alpha is decoded at full size and averaged with premultiplied colors. If the data of
/// an image is damaged, the rows above the damage are shown, and the others are transparent.
package struct WebPDecoder: ImageDecoder {
    package var name: String { "webp" }

    /// WebP if libwebp is installed, otherwise empty.
    package var formats: Set<ImageFormat> { webp_is_installed() ? [.webp] : [] }

    package func decodes(_ format: ImageFormat) -> Bool { format == .webp && webp_is_installed() }

    /// Creates a decoder. It has no settings.
    package init() {}

    /// Decodes the image, or the first frame of an animation on its canvas, at exactly the target
    /// size.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard webp_is_installed() else { throw ImageError(.unsupportedFormat, "libwebp is not installed") }
        try ImageFormat.webp.checkEnd(of: bytes)
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
        var isComplete = true
        if still.size == canvas, !still.hasAlpha, let opaque = try? still.opaquePixels(scaledTo: wanted ?? canvas) {
            pixels = opaque
        } else {
            // libwebp would average the colors of transparent pixels into the visible ones. The
            // missing rows of a damaged image are transparent.
            (pixels, isComplete) = try still.straightPixels { straight in
                guard let frame, still.size != canvas else { return straight.packed(scaledDownTo: wanted) }
                return PixelBuffer(placing: straight, atX: frame.x, y: frame.y, on: canvas, scaledDownTo: wanted)
            }
        }
        var image = DecodedImage(pixels: pixels, size: canvas, frameCount: ImageFormat.webp.frameCount(of: bytes))
        image.isTruncated = !isComplete
        return image
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
        hasAlpha = still.has_alpha && bytes.withReader { WebPHeader.hasAlpha($0) }
        colors = ColorConversion.ofWebP(bytes)
    }

    /// The result of `body` for all pixels as RGBA, and whether no rows are missing. Throws if all
    /// are.
    func straightPixels(
        _ body: (DecodedPixels) -> PixelBuffer
    ) throws(ImageError) -> (pixels: PixelBuffer, isComplete: Bool) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.pixelCount * 4, alignment: 16)
        defer { memory.deallocate() }
        let (base, status) = try decode(into: memory, channels: 4, size)
        let alpha = stride(from: 3, to: memory.count, by: 4)
        guard status == 0 || alpha.contains(where: { base[$0] > 0 }) else { throw Self.error(status) }
        return (body(DecodedPixels(base, size, channels: 4)), status == 0)
    }

    func opaquePixels(scaledTo size: PixelSize) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, format: .rgb8) { memory throws(ImageError) in
            let (_, status) = try decode(into: memory, channels: 3, size)
            guard status == 0 else { throw Self.error(status) }
        }
    }

    private static func error(_ status: Int32) -> ImageError {
        ImageError(.corrupt, "libwebp reports status \(status)")
    }

    /// Returns the pixels and the status of libwebp. After a failure, it has written the rows above
    /// the damage, and the others are 0.
    private func decode(
        into memory: UnsafeMutableRawBufferPointer, channels: Int, _ size: PixelSize
    ) throws(ImageError) -> (base: UnsafeMutablePointer<UInt8>, status: Int32) {
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw ImageError(.corrupt, "an image without pixels")
        }
        let (width, height) = size == self.size ? (0, 0) : (size.width, size.height)
        let status = webp_decode(
            bytes, bytes.count, channels == 4, Int32(width), Int32(height), base, memory.count,
            Int32(size.width * channels))
        colors?.apply(to: base, size: size, channels: channels, stride: size.width * channels)
        return (base, status)
    }
}
