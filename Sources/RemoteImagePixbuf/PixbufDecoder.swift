// Decoding with GdkPixbuf, which is looked up at run time, without GTK.

import CGdkPixbuf

/// Decodes what GdkPixbuf has loaders for among JPEG, PNG, WebP and AVIF, and SVG where that is
/// asked for.
///
/// The loader is chosen by the format that was sniffed, never by GdkPixbuf's own guess, which would
/// let a file reach any of its many loaders. A JPEG is decoded at the smallest of 1/1, 1/2, 1/4 and
/// 1/8 that has the pixels wanted, which its transform gives for almost nothing; other formats are
/// decoded in full and averaged down. An embedded profile other than sRGB is applied where Little
/// CMS is installed.
public struct PixbufDecoder: ImageDecoder {
    private let allowsSVG: Bool
    private var isForSVGAlone = false

    /// - Parameter allowsSVG: Whether SVG is decoded too, where its loader is installed (librsvg):
    ///   false by default, since drawings are programs of a kind. They are drawn in the size
    ///   wanted. Images and style sheets outside of the file are not loaded. A file that embeds
    ///   images, style sheets or other documents is refused, as is one that declares entities or
    ///   escapes its CSS, which could hide them, one in another encoding than UTF-8, ASCII or Latin
    ///   1, and one with patterns, whose tiles are drawn in any size that they claim.
    public init(allowsSVG: Bool = false) {
        self.allowsSVG = allowsSVG
    }

    /// Decodes SVG and nothing else.
    static let ofSVG: PixbufDecoder = {
        var decoder = PixbufDecoder(allowsSVG: true)
        decoder.isForSVGAlone = true
        return decoder
    }()

    public var name: String { "pixbuf" }

    /// The formats for which a loader is installed. Loads GdkPixbuf.
    public var formats: Set<ImageFormat> {
        if isForSVGAlone { return Self.installedFormats.intersection([.svg]) }
        return allowsSVG ? Self.installedFormats : Self.installedImageFormats
    }

    /// Whether GdkPixbuf of this version, a byte for each of its numbers, decodes with glycin, in
    /// processes that glycin starts.
    static func usesGlycin(version: UInt32) -> Bool { version >= 0x02_2B_03 }

    /// Whether the installed GdkPixbuf decodes with glycin.
    package static var usesGlycin: Bool { pixbuf_is_installed() && usesGlycin(version: pixbuf_version()) }

    private static let installedImageFormats = installedFormats.subtracting([.svg])

    private static let allowedFormats: Set<ImageFormat> = [.jpeg, .png, .webp, .avif, .svg]

    private static let installedFormats: Set<ImageFormat> = {
        guard pixbuf_is_installed() else { return [] }
        var formats: Set<ImageFormat> = []
        withUnsafeMutablePointer(to: &formats) { formats in
            pixbuf_list_types(
                { type, formats in
                    guard let type, let format = ImageFormat(mimeType: String(cString: type)) else { return }
                    formats?.assumingMemoryBound(to: Set<ImageFormat>.self).pointee.insert(format)
                }, formats)
        }
        return formats.intersection(allowedFormats)
    }()

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        guard Self.allowedFormats.contains(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        try TruncationCheck.check(bytes, format)
        try request.check(bytes)
        if let frame = try FirstFrame.of(bytes, format) { return try decode(frame, of: bytes, request) }
        let loader = try PixbufLoader(format)
        if format == .svg { loader.surfaceCount = try SVGContent.check(bytes) }
        let pixbuf = try loader.load(try Self.pieces(of: bytes, request), request)
        pixbuf.convertToSRGB(from: format == .webp ? .ofWebP(bytes) : nil)
        let wanted = Self.sizeToAverage(pixbuf.size, stored: loader.storedSize, request)
        let pixels = PixelPacker(pixbuf).pack(scaledDownTo: wanted)
        return DecodedImage(pixels: pixels, size: loader.storedSize, frameCount: FrameCount.of(bytes, format))
    }

    /// What a loader gets of a file.
    private static func pieces(
        of bytes: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> [ArraySlice<UInt8>] {
        switch request.header.format {
        case .png:
            return ImageChunks.ranges(in: bytes).map { bytes[$0] }
        case .avif:
            let still = HEIFHeader.withoutTracks(bytes) ?? bytes
            // The request may come with another header. This one has seen how large the frames are
            // coded.
            try request.limits.check(try ImageHeader.read(still))
            return [still[...]]
        default:
            return [bytes[...]]
        }
    }

    /// Decodes the first frame of an animation. Loaders hold a canvas for each frame, so they never
    /// get the animation.
    private func decode(
        _ frame: FirstFrame, of animation: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> DecodedImage {
        let header = try ImageHeader.read(frame.file)
        try request.limits.check(frame.canvas)
        let pixbuf = try PixbufLoader(header.format).load(
            [frame.file[...]], DecodeRequest(header: header, limits: request.limits))
        guard pixbuf.size == frame.size else {
            throw ImageError(.corrupt, "the size of a frame differs from its header")
        }
        pixbuf.convertToSRGB(from: .ofWebP(frame.file))
        let wanted = request.target?.drawnSize(of: frame.canvas)
        let pixels =
            frame.size == frame.canvas
            ? PixelPacker(pixbuf).pack(scaledDownTo: wanted)
            : PixelBuffer(placing: pixbuf, of: frame, scaledDownTo: wanted)
        return DecodedImage(
            pixels: pixels, size: frame.canvas, frameCount: FrameCount.of(animation, request.header.format))
    }

    /// What pixels that a loader made are averaged down to; nil where they stay. A drawing is made
    /// in the size wanted, and a JPEG in that of its transform, unless its loader does not heed
    /// what it is asked for.
    static func sizeToAverage(_ made: PixelSize, stored: PixelSize, _ request: DecodeRequest) -> PixelSize? {
        guard request.header.format != .svg, let target = request.target else { return nil }
        let wanted = target.drawnSize(of: stored)
        guard request.header.format == .jpeg else { return wanted }
        let reduced = JPEGScale.smallest(of: stored, notBelow: wanted).size
        return made.width > reduced.width || made.height > reduced.height ? wanted : nil
    }

    /// The scans of a progressive JPEG that are there. Its pixels are what GdkPixbuf puts out scan
    /// after scan.
    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        // Its loader puts out the whole image for each scan.
        guard request.header.format == .jpeg, (try? request.check(bytes)) != nil,
            let loader = try? PixbufLoader(.jpeg)
        else { return nil }
        return loader.loadBeginning(bytes, request).map { PixelPacker($0).pack() }
    }
}

extension ImageFormat {
    var mimeType: String {
        switch self {
        case .svg: "image/svg+xml"
        default: "image/\(rawValue)"
        }
    }

    init?(mimeType: String) {
        guard let format = Self.allCases.first(where: { $0.mimeType == mimeType }) else { return nil }
        self = format
    }
}

extension PixbufDecoder: LoadingDecoder {
    /// Loaders are libraries, some of which open further files when they decode.
    package func load(_ format: ImageFormat, testImage: [UInt8]?) {
        guard let testImage, let header = try? ImageHeader.read(testImage) else { return }
        _ = try? decode(testImage, DecodeRequest(header: header))
    }
}

extension PixbufDecoder: PartlyConfinableDecoder {
    package var unconfinableFormats: Set<ImageFormat> {
        Self.usesGlycin ? formats : []
    }
}
