// Decodes with GdkPixbuf, which is loaded at run time, without GTK.

import CRemoteImageGdkPixbuf

/// Decodes WebP and AVIF with the installed GdkPixbuf loaders. JPEG, PNG, GIF, ICO, BMP and SVG
/// have decoders of their own; the other formats of GdkPixbuf, such as TIFF, are not supported.
///
/// The sniffed format selects the loader, never GdkPixbuf's own detection, with which a file could
/// reach any of its many loaders. Images are decoded at full size and averaged down. An embedded
/// profile other than sRGB is applied if Little CMS is installed.
package struct PixbufDecoder: ImageDecoder {
    /// Creates a decoder. It has no settings.
    package init() {}

    package var name: String { "pixbuf" }

    /// The formats for which a loader is installed. Loads GdkPixbuf.
    package var formats: Set<ImageFormat> { Self.installedFormats }

    /// Loads GdkPixbuf only for the formats of its loaders.
    package func decodes(_ format: ImageFormat) -> Bool {
        Self.allowedFormats.contains(format) && formats.contains(format)
    }

    /// Whether this version of GdkPixbuf, with one byte per number, decodes with glycin, which
    /// starts processes.
    static func usesGlycin(version: UInt32) -> Bool { version >= 0x02_2B_03 }

    /// Whether the installed GdkPixbuf decodes with glycin.
    package static var usesGlycin: Bool { pixbuf_is_installed() && usesGlycin(version: pixbuf_version()) }

    private static let allowedFormats: Set<ImageFormat> = [.webp, .avif]

    private static let installedFormats: Set<ImageFormat> = {
        guard pixbuf_is_installed() else { return [] }
        let types = Set(listedBy: pixbuf_list_types)
        return allowedFormats.filter { $0.facts.mediaType.map(types.contains) ?? false }
    }()

    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        guard Self.allowedFormats.contains(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        try format.checkEnd(of: bytes)
        if let frame = try FirstFrame.of(bytes, format) { return try decode(frame, of: bytes, request) }
        let loader = try PixbufLoader(format)
        let file = format == .avif ? try Self.still(bytes, request.limits) : bytes
        let pixbuf = try loader.load(file, request)
        pixbuf.convertToSRGB(from: format == .webp ? .ofWebP(bytes) : nil)
        let wanted = request.target?.drawnSize(of: loader.storedSize)
        let pixels = pixbuf.withPixels { $0.packed(scaledDownTo: wanted) }
        return DecodedImage(pixels: pixels, size: loader.storedSize, frameCount: format.frameCount(of: bytes))
    }

    /// An AVIF file without its sequence, with checked sizes of its coded frames. The header of the
    /// request may be that of another file.
    private static func still(_ bytes: [UInt8], _ limits: DecodeLimits) throws(ImageError) -> [UInt8] {
        let still = HEIFHeader.withoutTracks(bytes) ?? bytes
        _ = try HEIFImage.checked(still, .avif, limits)
        return still
    }

    /// Decodes the first frame of an animation. Loaders hold a canvas for each frame, so they never
    /// get the animation.
    private func decode(
        _ frame: FirstFrame, of animation: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> DecodedImage {
        let header = try ImageHeader.read(frame.file)
        try request.limits.check(frame.canvas)
        let pixbuf = try PixbufLoader(header.format).load(
            frame.file, DecodeRequest(header: header, limits: request.limits))
        guard pixbuf.size == frame.size else {
            throw ImageError(.corrupt, "the size of a frame differs from its header")
        }
        pixbuf.convertToSRGB(from: .ofWebP(frame.file))
        let wanted = request.target?.drawnSize(of: frame.canvas)
        let pixels = pixbuf.withPixels { pixels in
            frame.size == frame.canvas
                ? pixels.packed(scaledDownTo: wanted)
                : PixelBuffer(placing: pixels, atX: frame.x, y: frame.y, on: frame.canvas, scaledDownTo: wanted)
        }
        return DecodedImage(
            pixels: pixels, size: frame.canvas, frameCount: request.header.format.frameCount(of: animation))
    }
}

extension PixbufDecoder: ConfinableDecoder {
    /// Decodes the test image, since loaders are libraries, some of which open further files when
    /// they decode.
    package func load(_ format: ImageFormat, testImage: [UInt8]?) { decodeTestImage(testImage) }

    package var unconfinableFormats: Set<ImageFormat> { Self.usesGlycin ? formats : [] }
}
