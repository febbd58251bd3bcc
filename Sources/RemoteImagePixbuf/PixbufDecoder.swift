// Decoding with GdkPixbuf, without GTK.

import CGdkPixbuf

/// Decodes what GdkPixbuf has loaders for, among JPEG, PNG, GIF, WebP and AVIF, and SVG where that is asked for. JPEG goes to
/// libjpeg-turbo itself where its TurboJPEG library is installed, which takes less time.
///
/// The loader is chosen by the format that was sniffed, never by GdkPixbuf's own guess, which would let a file
/// reach any of its many loaders. A JPEG is decoded at the smallest of 1/1, 1/2, 1/4 and 1/8 that has the pixels
/// wanted, which its transform gives for almost nothing; other formats are decoded in full and averaged down. The
/// orientation of Exif is applied, and an embedded profile other than sRGB where Little CMS is installed.
public struct PixbufDecoder: ImageDecoder {
    private let allowsSVG: Bool

    /// - Parameter allowsSVG: Whether SVG is decoded too, where its loader is installed (librsvg): false by default, since
    ///   drawings are programs of a kind. They are drawn in the size wanted; what they refer to outside of themselves is
    ///   not loaded.
    public init(allowsSVG: Bool = false) {
        self.allowsSVG = allowsSVG
    }

    /// The formats for which a loader is installed.
    public var formats: Set<ImageFormat> {
        allowsSVG ? Self.installedFormats : Self.installedFormats.subtracting([.svg])
    }

    private static let allowedFormats: Set<ImageFormat> = [.jpeg, .png, .gif, .webp, .avif, .svg]

    private static let installedFormats: Set<ImageFormat> = {
        var formats: Set<ImageFormat> = []
        let list = gdk_pixbuf_get_formats()
        defer { g_slist_free(list) }
        var node = list
        while let item = node {
            if let data = item.pointee.data, !isDisabled(OpaquePointer(data)) {
                let types = gdk_pixbuf_format_get_mime_types(OpaquePointer(data))
                defer { g_strfreev(types) }
                var type = types
                while let name = type?.pointee {
                    if let format = ImageFormat(mimeType: String(cString: name)) { formats.insert(format) }
                    type = type?.successor()
                }
            }
            node = item.pointee.next
        }
        return formats.intersection(allowedFormats)
    }()

    /// Loads all that is used for other formats than SVG, before a process locks itself in.
    package static func loadEverything() {
        for format in installedFormats where format != .svg { _ = try? PixbufLoader(format) }
        _ = TurboJPEG.installed
        ColorConversion.prepare()
    }

    private static func isDisabled(_ format: OpaquePointer) -> Bool {
        gdk_pixbuf_format_is_disabled(format) != 0
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        try FileEnd.check(bytes, format)
        if format == .jpeg, let decoded = try decodeDirectly(bytes, request) { return decoded }
        let loader = try PixbufLoader(format)
        let pixbuf: Pixbuf
        if let end = FirstFrame.byteCount(in: bytes, format), end < bytes.count {
            // The first frame and the byte that ends a GIF.
            pixbuf = try loader.load([bytes[..<end], [0x3B]], request)
        } else {
            pixbuf = try loader.load(
                format == .png ? PictureChunks.ranges(in: bytes).map { bytes[$0] } : [bytes[...]], request)
        }
        pixbuf.convertToSRGB()
        let orientation = request.header.orientation
        let size = orientation.swapsSides ? loader.storedSize.transposed : loader.storedSize
        var pixels = PixelPacker(pixbuf, orientation).pack()
        if format != .jpeg, format != .svg, let drawn = request.target?.drawnSize(of: size) {
            pixels = pixels.scaledDown(to: drawn)
        }
        return DecodedImage(pixels: pixels, size: size, frameCount: FrameCount.of(bytes, format))
    }

    /// A JPEG by libjpeg-turbo itself; nil where that is not installed, or where colours have to be converted after it.
    private func decodeDirectly(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage? {
        guard let turbo = TurboJPEG.installed, !ColorProfile.isEmbedded(inJPEG: bytes) else { return nil }
        let orientation = request.header.orientation
        let drawn = request.target?.drawnSize(of: request.header.size)
        let wanted = orientation.swapsSides ? drawn?.transposed : drawn
        guard let (pixels, stored) = try turbo.decode(bytes, wanted: wanted, limits: request.limits) else { return nil }
        let size = orientation.swapsSides ? stored.transposed : stored
        guard orientation != .up else { return DecodedImage(pixels: pixels, size: size) }
        // The buffer lives through the closure, and with it the pointer.
        let turned = pixels.withUnsafeBytes { memory in
            memory.baseAddress.map { base in
                PixelPacker(
                    TightPixels(size: pixels.size, pixels: base.assumingMemoryBound(to: UInt8.self)), orientation
                ).pack()
            }
        }
        return turned.map { DecodedImage(pixels: $0, size: size) }
    }

    /// The scans of a progressive JPEG that are there. Its pixels are what GdkPixbuf puts out scan after scan.
    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        guard request.header.format == .jpeg, let loader = try? PixbufLoader(.jpeg) else { return nil }
        return loader.loadBeginning(bytes, request).map { PixelPacker($0, request.header.orientation).pack() }
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
