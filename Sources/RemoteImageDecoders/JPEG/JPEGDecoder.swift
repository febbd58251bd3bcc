// Decodes JPEG with libjpeg, directly into the final buffer.

import CRemoteImageCodecs

/// Decodes JPEG with libjpeg.
///
/// An image is decoded at the smallest of 1/1, 1/2, 1/4 and 1/8 of its size that is not below the
/// target. libjpeg-turbo has vector code for these scales only: 7/8, 6/8 and 5/8 take longer than
/// 1/1, and 3/8 takes longer than 1/2. If the result has more than twice the pixels of the target,
/// it is averaged down to the target. Lossless JPEG is always decoded at full size first. The
/// result is `PixelFormat.rgb8`. Grayscale images are converted to RGB, and so are CMYK images,
/// whose inks count as inverted; an embedded ICC profile is applied if Little CMS is installed and
/// the profile has at most 4 MiB. Images with damaged pixels that libjpeg can conceal are shown,
/// and so are images with one scan that lack only the EOI marker.
///
/// Of a truncated file, all complete scans are decoded and what there is of the next one. If not
/// even the first scan is complete, the rows that it lacks are transparent.
package struct JPEGDecoder: EncodingDecoder {
    /// Creates a decoder. It has no settings.
    package init() {}

    package var name: String { "jpeg" }

    package var formats: Set<ImageFormat> { [.jpeg] }

    /// Throws `ImageError.Code.corrupt` for a damaged file and for one that ends before the first
    /// row, `ImageError.Code.tooManyPixels` for an image that exceeds the limits, and
    /// `ImageError.Code.unsupportedFormat` for a kind of JPEG that libjpeg does not decode, such as
    /// 12 bits per channel.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        try request.checkScans(of: bytes)
        // Many programs leave out the EOI marker. libjpeg then checks whether all pixels are there.
        let mayLackEnd = bytes.withReader { JPEGFrame($0) }?.isOneHuffmanScan ?? false
        if mayLackEnd || (try? ImageFormat.jpeg.checkEnd(of: bytes)) != nil,
            let pixels = try JPEGRows(of: bytes, request, mayLackEnd: mayLackEnd, codec_jpeg_decode).whole
        {
            return DecodedImage(pixels: pixels, size: request.header.storedSize)
        }
        let rows = try JPEGRows(of: bytes, request, codec_jpeg_decode_beginning)
        guard rows.count > 0 else { throw ImageError(.corrupt, "the file ends before the image") }
        var image = DecodedImage(pixels: rows.whole ?? rows.onCanvas, size: request.header.storedSize)
        image.isTruncated = true
        return image
    }

    /// Decodes the available scans of a progressive image; `nil` before the first scan is complete.
    /// Every call reads all scans and makes the pixels once.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        guard (try? request.checkScans(of: bytes)) != nil else { return nil }
        return try? JPEGRows(of: bytes, request, codec_jpeg_decode_beginning).whole
    }

    /// Encodes JPEG and PNG; a pipeline with this decoder needs a PNG decoder, too.
    package var encoder: (any ImageEncoder)? { StandardEncoder() }
}

/// The decoded rows of a JPEG.
private struct JPEGRows {
    typealias Decode = (UnsafePointer<codec_jpeg_request>?, UnsafeMutablePointer<UInt8>?) -> codec_jpeg_result

    /// The number of rows from the top that have pixels: 0 if `codec_jpeg_decode` finds that the
    /// file is truncated.
    private(set) var count = 0
    private let pixels: PixelBuffer
    /// The size at which the image is kept.
    private let size: PixelSize

    /// Unsafe code: the pointers to the bytes and to the new buffer are valid only during the call
    /// of `body`, and the buffer has the size in the request.
    init(
        of bytes: [UInt8], _ request: DecodeRequest, mayLackEnd: Bool = false, _ body: Decode
    ) throws(ImageError) {
        let stored = request.header.storedSize
        try request.limits.check(stored)
        let wanted = request.target?.drawnSize(of: stored)
        let full = JPEGScale(stored, eighths: 8)
        let scaled =
            wanted.map { wanted in
                let isLossless = bytes.withReader { JPEGFrame($0) }?.isLossless ?? false
                return isLossless ? full : JPEGScale.smallest(of: stored, notBelow: wanted)
            } ?? full
        size = wanted.map { scaled.keptSize(for: $0) } ?? stored
        let profile = ColorProfile.ofJPEG(bytes).flatMap(ColorConversion.from)
        var count = 0
        pixels = try PixelBuffer(size: scaled.size, format: .rgb8) { memory throws(ImageError) in
            let result = bytes.withUnsafeBufferPointer { input in
                var question = codec_jpeg_request()
                question.bytes = input.baseAddress
                question.byte_count = input.count
                question.width = UInt32(stored.width)
                question.height = UInt32(stored.height)
                question.eighths = UInt32(scaled.eighths)
                question.max_memory = request.limits.maxDecodedByteCount
                question.may_lack_end = mayLackEnd
                question.max_scan_count = UInt32(clamping: request.maxScanCount)
                profile?.convertInks(of: &question)
                return body(&question, memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
            try Self.check(result, request)
            guard result.status == CODEC_OK, let base = memory.baseAddress else { return }
            count = Int(result.row_count)
            profile?.apply(
                to: base, size: PixelSize(width: scaled.size.width, height: count), channels: 3,
                stride: scaled.size.width * 3)
        }
        self.count = count
    }

    /// The image; `nil` if rows are missing.
    var whole: PixelBuffer? { count == pixels.size.height ? pixels.scaledDown(to: size) : nil }

    /// The image with transparent pixels in the missing rows.
    var onCanvas: PixelBuffer {
        pixels.withUnsafeBytes { memory in
            guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return pixels }
            let rows = DecodedPixels(base, PixelSize(width: pixels.size.width, height: count), channels: 3)
            return PixelBuffer(placing: rows, on: pixels.size, scaledDownTo: size)
        }
    }

    private static func check(_ result: codec_jpeg_result, _ request: DecodeRequest) throws(ImageError) {
        if result.status == CODEC_OK || result.status == CODEC_TRUNCATED { return }
        if result.status == CODEC_OTHER_SIZE { throw request.mismatch(width: result.width, height: result.height) }
        let message = withUnsafeBytes(of: result.message, String.init(cText:))
        throw ImageError(ImageError.Code(result.status), message.isEmpty ? nil : message)
    }
}
