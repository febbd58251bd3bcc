// Draws SVG with librsvg, which is loaded at run time.
//
// Unsafe code: the memory that cairo draws on lives throughout the call.

import CRemoteImageCodecs
import CRemoteImagePlatform
import Glibc

/// Draws SVG with librsvg, if it is installed.
///
/// A drawing is a kind of program: librsvg 2.54 ends the process for a filter with a large matrix,
/// and takes a gigabyte for a line with short dashes. `.standard(allowsSVG: true)` therefore draws
/// in a decoder process; this decoder draws in the calling process.
///
/// Drawings are rendered at the target size. Their own size is that of CSS: in pixels of 1/96 inch,
/// 300 × 150 where the file gives none, and in the ratio of the `viewBox` where it gives only one
/// side or no side. Other files are never loaded.
///
/// In the calling process, the decoder refuses files that embed images, style sheets or other
/// documents; that declare entities or escape their CSS, which could hide them; that have another
/// encoding than UTF-8, ASCII or Latin 1; or that have patterns, whose tiles are rendered at any
/// size that they declare.
package struct SVGDecoder: ImageDecoder {
    private let checksContent: Bool

    /// Creates a decoder. It has no settings.
    package init() { checksContent = true }

    /// - Parameter isConfined: Whether the process may be lost: then no content is refused.
    package init(isConfined: Bool) { checksContent = !isConfined }

    package var name: String { "svg" }

    /// SVG if librsvg is installed, otherwise empty.
    package var formats: Set<ImageFormat> { codec_svg_is_installed() ? [.svg] : [] }

    package func decodes(_ format: ImageFormat) -> Bool { format == .svg && codec_svg_is_installed() }

    /// Throws `ImageError.Code.corrupt` for a damaged file or one without a positive size,
    /// `ImageError.Code.tooManyPixels` for a drawing that exceeds the limits at its own size or at
    /// the target size, and `ImageError.Code.unsupportedFormat` for refused content or without
    /// librsvg.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard codec_svg_is_installed() else { throw ImageError(.unsupportedFormat, "librsvg is not installed") }
        let surfaceCount = checksContent ? try SVGContent.check(bytes) : 1
        let drawing = try SVGDrawing(bytes)
        guard drawing.size.width > 0, drawing.size.height > 0 else {
            throw ImageError(.corrupt, "the drawing has no size")
        }
        let size = drawing.size.rounded
        try request.limits.check(size)
        let drawn = request.target?.fittedSize(of: size) ?? size
        try request.limits.check(drawn)
        // cairo draws no longer sides.
        guard drawn.longestSide <= 32_767 else {
            throw ImageError(.tooManyPixels, "\(drawn), a drawing has sides of at most 32767")
        }
        if drawn.pixelCount * 4 > request.limits.maxDecodedByteCount / surfaceCount {
            let reason = "\(drawn) with \(surfaceCount - 1) more surfaces for groups, masks and filters"
            throw ImageError(.tooManyPixels, reason)
        }
        return DecodedImage(pixels: try drawing.pixels(drawn), size: size)
    }

    /// The font files that drawings may use. Loads the configuration of fontconfig.
    package static var fontFiles: Set<String> {
        codec_svg_is_installed() ? Set(listedBy: codec_svg_list_fonts) : []
    }
}

/// Owns a parsed drawing.
private struct SVGDrawing: ~Copyable {
    private let drawing: OpaquePointer
    let size: SVGSize

    init(_ bytes: [UInt8]) throws(ImageError) {
        var message = [CChar](repeating: 0, count: Int(CODEC_SVG_MESSAGE_SIZE))
        var size = codec_svg_size()
        guard let drawing = codec_svg_open(bytes, bytes.count, &size, &message) else {
            throw ImageError(.corrupt, message.withUnsafeBytes(String.init(cText:)))
        }
        self.drawing = drawing
        self.size = SVGSize(size)
    }

    deinit { codec_svg_close(drawing) }

    func pixels(_ drawn: PixelSize) throws(ImageError) -> PixelBuffer {
        let count = drawn.pixelCount
        guard let pixels = calloc(count, 4)?.assumingMemoryBound(to: UInt32.self) else {
            throw ImageError(.tooManyPixels, "no memory for \(drawn)")
        }
        defer { free(pixels) }
        var message = [CChar](repeating: 0, count: Int(CODEC_SVG_MESSAGE_SIZE))
        let isDrawn = codec_svg_draw(
            drawing, size.width, size.height, Int32(drawn.width), Int32(drawn.height), pixels, &message)
        guard isDrawn else { throw ImageError(.corrupt, message.withUnsafeBytes(String.init(cText:))) }
        // Alpha is the fourth byte of a pixel here, too.
        let isOpaque = PixelBuffer.isOpaque(UnsafeRawPointer(pixels).assumingMemoryBound(to: UInt8.self), count)
        return PixelBuffer(size: drawn, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { memory in
            codec_svg_pack(pixels, count, isOpaque, memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }
}

/// The size of a drawing in CSS pixels, by the rules of CSS for replaced elements (CSS Images
/// Level 3, section 4.3).
private struct SVGSize {
    let width, height: Double

    init(_ given: codec_svg_size) {
        let ratio = given.has_ratio ? given.ratio : nil
        (width, height) =
            switch (given.has_width, given.has_height) {
            case (true, true): (given.width, given.height)
            case (true, false): (given.width, ratio.map { given.width / $0 } ?? 150)
            case (false, true): (ratio.map { given.height * $0 } ?? 300, given.height)
            case (false, false): ratio.map { $0 > 2 ? (300, 300 / $0) : (150 * $0, 150) } ?? (300, 150)
            }
    }

    /// The size in whole pixels, at least 1 on each side.
    var rounded: PixelSize {
        func side(_ length: Double) -> Int { Int(min(Double(Int32.max), max(1, length.rounded()))) }
        return PixelSize(width: side(width), height: side(height))
    }
}

extension SVGDecoder: ConfinableDecoder {
    /// Without Landlock, a confined process cannot open any font, so that text has only the fonts
    /// of the test image.
    package func load(_ format: ImageFormat, testImage: [UInt8]?) {
        if platform_landlock_version() == 0 { decodeTestImage(testImage) }
    }
}
