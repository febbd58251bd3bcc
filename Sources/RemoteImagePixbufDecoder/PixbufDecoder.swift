// Decodes with GdkPixbuf, which is loaded at run time, without GTK.

import CGdkPixbuf

/// Decodes JPEG, PNG, WebP, AVIF and, if allowed, SVG with the installed GdkPixbuf loaders.
///
/// The sniffed format selects the loader, never GdkPixbuf's own detection, with which a file could
/// reach any of its many loaders. A JPEG is decoded at the smallest of 1/1, 1/2, 1/4 and 1/8 of its
/// size that is not below the target, which its transform produces at almost no cost; other formats
/// are decoded at full size and averaged down. An embedded profile other than sRGB is applied if
/// Little CMS is installed.
public struct PixbufDecoder: ImageDecoder {
    private let allowsSVG: Bool
    private var isForSVGAlone = false

    /// - Parameter allowsSVG: Whether SVG is also decoded, if its loader (librsvg) is installed:
    ///   `false` by default, since drawings are a kind of program. Drawings are rendered at the
    ///   target size. Images and style sheets outside of the file are not loaded. The decoder
    ///   refuses a file that embeds images, style sheets or other documents; that declares entities
    ///   or escapes its CSS, which could hide them; that has another encoding than UTF-8, ASCII or
    ///   Latin 1; or that has patterns, whose tiles are rendered at any size that they declare.
    public init(allowsSVG: Bool = false) {
        self.allowsSVG = allowsSVG
    }

    /// Decodes only SVG.
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

    /// Whether this version of GdkPixbuf, with one byte per number, decodes with glycin, which
    /// starts processes.
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

    /// The parts of a file that the loader gets.
    private static func pieces(
        of bytes: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> [ArraySlice<UInt8>] {
        switch request.header.format {
        case .png:
            return ImageChunks.ranges(in: bytes).map { bytes[$0] }
        case .avif:
            let still = HEIFHeader.withoutTracks(bytes) ?? bytes
            // The header of the request may be another one. Reading the header here checks the
            // coded frame sizes.
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

    /// The size to which decoded pixels are averaged down; `nil` if they stay as they are. A
    /// drawing is already rendered at the target size, and a JPEG already reduced by its transform,
    /// unless the loader ignores the requested size.
    static func sizeToAverage(_ made: PixelSize, stored: PixelSize, _ request: DecodeRequest) -> PixelSize? {
        guard request.header.format != .svg, let target = request.target else { return nil }
        let wanted = target.drawnSize(of: stored)
        guard request.header.format == .jpeg else { return wanted }
        let reduced = JPEGScale.smallest(of: stored, notBelow: wanted).size
        return made.width > reduced.width || made.height > reduced.height ? wanted : nil
    }

    /// Decodes the available scans of a progressive JPEG; `nil` for other formats.
    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        // The JPEG loader outputs the whole image after each scan.
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
    /// Decodes the test image, since loaders are libraries, some of which open further files when
    /// they decode.
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
