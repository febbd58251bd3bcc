// What the first bytes of an image tell, read without any decoder.

/// Format, size and orientation of an image, from its header.
public struct ImageHeader: Hashable, Sendable {
    /// The format of the image, from its signature.
    public var format: ImageFormat
    /// The size of the pixels that a decoder of the format makes, before the orientation is
    /// applied.
    public var storedSize: PixelSize
    /// The orientation that the pipeline applies to the pixels of a decoder: that of the Exif block
    /// of a JPEG, PNG or WebP file. `up` for AVIF, HEIC and JPEG XL, whose decoders apply the
    /// orientation that is part of the format.
    public var orientation: ImageOrientation

    /// - Parameter storedSize: The size in pixels before the orientation is applied.
    public init(format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
    }

    /// The size as shown, after the orientation is applied.
    public var size: PixelSize { storedSize.applyingOrientation(orientation) }

    /// Reads the header of a file, or of its first bytes. Takes nothing on trust: no input makes it
    /// crash, hang, or allocate by a size that it claims.
    ///
    /// Throws ``ImageError/Code/emptyBody``, ``ImageError/Code/notAnImage`` where the signature is
    /// of no image, ``ImageError/Code/unsupportedFormat`` for images of other formats, and
    /// ``ImageError/Code/corrupt`` where the bytes end before the size is known or the size is
    /// none.
    public static func read(_ bytes: [UInt8]) throws(ImageError) -> ImageHeader {
        guard !bytes.isEmpty else { throw ImageError(.emptyBody) }
        guard let format = ImageFormat.sniff(bytes) else {
            throw UnsupportedFormat.name(of: bytes).map { ImageError(.unsupportedFormat, $0) }
                ?? ImageError(.notAnImage)
        }
        let header: ImageHeader? = bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            return switch format {
            case .jpeg: JPEGHeader.read(reader)
            case .png: PNGHeader.read(reader)
            case .gif: GIFHeader.read(reader)
            case .webp: WebPHeader.read(reader)
            case .avif, .heic: HEIFHeader.read(reader, format)
            case .jxl: JXLHeader.read(reader)
            case .ico: ICOHeader.read(reader)
            case .bmp: BMPHeader.read(reader)
            // Its size is whatever one likes; a renderer says what it prefers.
            case .other: nil
            case .svg: ImageHeader(format: .svg, storedSize: PixelSize(width: 1, height: 1))
            }
        }
        if header == nil, format == .avif || format == .heic {
            try Self.checkCodec(bytes, format)
        }
        guard let header, header.storedSize.width > 0, header.storedSize.height > 0 else {
            throw ImageError(.corrupt, "the header of the \(format.rawValue) is damaged")
        }
        return header
    }

    /// Throws where the image is coded by a codec that no decoder of the format has.
    private static func checkCodec(_ bytes: [UInt8], _ format: ImageFormat) throws(ImageError) {
        let primary = bytes.withUnsafeBytes { HEIFPrimary(ByteReader($0)) }
        guard let primary, primary.hasOtherCodec else { return }
        throw ImageError(.unsupportedFormat, "\(format.rawValue) coded as \(primary.coding)")
    }
}
