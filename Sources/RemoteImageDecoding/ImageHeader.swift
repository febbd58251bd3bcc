// The header of an image, read without any decoder.

/// The format, the size and the orientation of an image.
public struct ImageHeader: Hashable, Sendable {
    /// The format of the image, from its signature.
    public var format: ImageFormat
    /// The size in pixels of the full-size image that a decoder returns, before the orientation is
    /// applied.
    public var storedSize: PixelSize
    /// The orientation that the pipeline applies to the decoded pixels: the Exif orientation of a
    /// JPEG, PNG or WebP file. Always `up` for AVIF, HEIC and JPEG XL, whose decoders apply the
    /// orientation of the format.
    public var orientation: ImageOrientation

    /// - Parameter storedSize: The size in pixels before the orientation is applied.
    public init(format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
    }

    /// The displayed size, after the orientation is applied.
    public var size: PixelSize { storedSize.applyingOrientation(orientation) }

    /// Reads the header from a file or its first bytes. No input makes this method crash, hang, or
    /// allocate memory according to a size in the file.
    ///
    /// Throws ``ImageError/Code/emptyBody`` for no bytes, ``ImageError/Code/notAnImage`` for bytes
    /// without a known signature, ``ImageError/Code/unsupportedFormat`` for formats or codecs that
    /// the library does not support, and ``ImageError/Code/corrupt`` if the bytes end before the
    /// size or the size is not positive.
    public static func read(_ bytes: [UInt8]) throws(ImageError) -> ImageHeader {
        guard !bytes.isEmpty else { throw ImageError(.emptyBody) }
        guard let format = ImageFormat.sniff(bytes) else {
            throw ImageFormat.unsupportedName(of: bytes).map { ImageError(.unsupportedFormat, $0) }
                ?? ImageError(.notAnImage)
        }
        let header = try bytes.withReader(format.facts.header)
        guard let header, header.storedSize.width > 0, header.storedSize.height > 0 else {
            throw ImageError(.corrupt, "the header of the \(format.rawValue) is damaged")
        }
        return header
    }
}
