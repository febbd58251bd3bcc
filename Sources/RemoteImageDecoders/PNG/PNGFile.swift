import CRemoteImageCodecs

/// Owns the libpng decoder of one file; used by one thread at a time.
///
/// Unsafe code: the decoder reads the bytes until it is freed, so they must outlive this value.
/// Every row has the length that results from ``channels`` and the width in the header.
struct PNGFile: ~Copyable {
    private let decoder: OpaquePointer
    private let size: PixelSize
    private let colors: ColorConversion?
    /// The bytes per pixel: 3 or 4.
    let channels: Int
    let isInterlaced: Bool

    /// Reads everything before the pixels.
    ///
    /// - Parameter isRepaired: Whether an invalid tRNS chunk is ignored instead of an error.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ request: DecodeRequest, isRepaired: Bool
    ) throws(ImageError) {
        size = request.header.storedSize
        var question = codec_png_request()
        question.bytes = bytes.baseAddress
        question.byte_count = bytes.count
        question.width = UInt32(size.width)
        question.height = UInt32(size.height)
        question.is_repaired = isRepaired
        question.max_profile_byte_count = ColorConversion.maxProfileByteCount
        var header = codec_png_header()
        guard let decoder = codec_png_open(&question, &header) else {
            if header.status == CODEC_OTHER_SIZE { throw request.mismatch(width: header.width, height: header.height) }
            throw ImageError(
                ImageError.Code(header.status), withUnsafeBytes(of: header.message, String.init(cText:)))
        }
        self.decoder = decoder
        channels = Int(header.channels)
        isInterlaced = header.is_interlaced
        colors = Self.colors(header, UnsafeRawBufferPointer(bytes))
    }

    deinit {
        codec_png_close(decoder)
    }

    var hasAlpha: Bool { channels == 4 }

    /// Whether libpng has found no damage.
    var isIntact: Bool { codec_png_message(decoder).map { $0.pointee == 0 } ?? false }

    /// The error of the last failed read.
    var error: ImageError { ImageError(.corrupt, codec_png_message(decoder).map { String(cString: $0) }) }

    /// Reads the next row: sRGB, not premultiplied. Returns `false` if the file is damaged or ends
    /// before the end of the row.
    func read(into row: UnsafeMutablePointer<UInt8>) -> Bool {
        guard codec_png_read_row(decoder, row) else { return false }
        colors?.apply(
            to: row, size: PixelSize(width: size.width, height: 1), channels: channels, stride: size.width * channels)
        return true
    }

    /// Reads all rows, without padding, and returns the number of rows from the top that have
    /// pixels.
    ///
    /// - Parameter isTruncated: Whether the file is known to be damaged or truncated. Otherwise, no
    ///   row of such a file counts.
    func readAll(into pixels: UnsafeMutablePointer<UInt8>, isTruncated: Bool = false) -> Int {
        let count = Int(codec_png_read_image(decoder, pixels, isTruncated))
        colors?.apply(
            to: pixels, size: PixelSize(width: size.width, height: count), channels: channels,
            stride: size.width * channels)
        return count
    }

    /// The conversion for the first existing chunk among `cICP`, `iCCP`, `sRGB` and `gAMA` (PNG
    /// third edition, section 13.13).
    private static func colors(_ header: codec_png_header, _ bytes: UnsafeRawBufferPointer) -> ColorConversion? {
        let reader = ByteReader(bytes)
        if let points = PNGHeader.codePoints(reader) {
            return CodePoints(
                primaries: points.primaries, transfer: points.transfer, televisionCurve: .gamma(2.4),
                maxLight: PNGHeader.maxLight(reader)
            ).conversion
        }
        if let profile = header.profile { return .from(profile, count: header.profile_byte_count) }
        guard !header.is_srgb, header.gamma > 0 else { return nil }
        let numbers = withUnsafeBytes(of: header.chromaticities) { memory in
            memory.bindMemory(to: Int32.self).map { Double($0) / 100_000 }
        }
        return CalibratedColors(
            gamma: Double(header.gamma) / 100_000, chromaticities: numbers, isGray: header.is_gray
        ).flatMap { .from($0.profile) }
    }
}
