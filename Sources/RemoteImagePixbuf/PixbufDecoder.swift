// Decoding with GdkPixbuf, without GTK.

import CGdkPixbuf

/// Decodes what GdkPixbuf has loaders for, among JPEG, PNG, GIF, WebP and AVIF.
///
/// The loader is chosen by the format that was sniffed, never by GdkPixbuf's own guess, which would let a file
/// reach any of its many loaders. A JPEG is decoded at the smallest of 1/1, 1/2, 1/4 and 1/8 that has the pixels
/// wanted, which its transform gives for almost nothing; other formats are decoded in full and averaged down. The
/// orientation of Exif is applied, and an embedded profile other than sRGB where Little CMS is installed.
public struct PixbufDecoder: ImageDecoder {
    public init() {}

    /// The formats for which a loader is installed.
    public var formats: Set<ImageFormat> { Self.installedFormats }

    private static let allowedFormats: Set<ImageFormat> = [.jpeg, .png, .gif, .webp, .avif]

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

    /// Loads every loader that is used, before a process locks itself in.
    package static func loadEverything() {
        for format in installedFormats { _ = try? PixbufLoader(format) }
        ColourConversion.prepare()
    }

    private static func isDisabled(_ format: OpaquePointer) -> Bool {
        gdk_pixbuf_format_is_disabled(format) != 0
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let format = request.header.format
        try FileEnd.check(bytes, format)
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
        if format != .jpeg, let drawn = request.target?.drawnSize(of: size) { pixels = pixels.scaledDown(to: drawn) }
        return DecodedImage(pixels: pixels, size: size, frameCount: FrameCount.of(bytes, format))
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
