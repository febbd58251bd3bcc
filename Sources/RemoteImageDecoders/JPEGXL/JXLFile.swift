import CRemoteImageCodecs

/// Owns the libjxl decoder of one file; used by one thread at a time.
///
/// The decoder keeps no pointer to the bytes between calls. The caller passes the same bytes to
/// each call. Between two frames of an animation, a cursor keeps this object.
final class JXLFile: @unchecked Sendable {
    // Unchecked: only the thread that took it from its cursor uses it.

    private let decoder: OpaquePointer
    private let colors: ColorConversion?
    /// The length of the file.
    let byteCount: Int
    let size: PixelSize
    /// The bytes per pixel: 3 or 4.
    let channels: Int
    let frameCount: Int
    /// `nil` if fewer than two frames can be played.
    let timing: FrameTiming?
    /// The number of the frame after the last decoded one.
    private(set) var next = 0

    /// The memory that libjxl may hold for an image of any size: tables and working rows.
    private static let minMemoryByteCount = 16 << 20

    /// Reads everything before the pixels.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ request: DecodeRequest, isBeginning: Bool
    ) throws(ImageError) {
        let limits = request.limits
        size = request.header.storedSize
        byteCount = bytes.count
        var question = codec_jxl_request()
        question.bytes = bytes.baseAddress
        question.byte_count = bytes.count
        question.width = UInt32(clamping: size.width)
        question.height = UInt32(clamping: size.height)
        question.max_memory = Self.minMemoryByteCount + 2 * max(0, min(limits.maxDecodedByteCount, 1 << 60))
        question.max_layer_pixel_count = UInt64(clamping: limits.maxPixelCount)
        question.max_pixel_count = UInt64(clamping: max(limits.maxPixelCount, limits.maxScanPixelCount))
        question.max_frame_count = Self.maxFrameCount
        question.max_played_count = UInt32(clamping: min(limits.maxFrameCount, FrameTiming.maxCount))
        question.max_played_pixel_count = UInt64(clamping: limits.maxScanPixelCount / Self.playedPixelFraction)
        question.max_profile_byte_count = ColorConversion.maxProfileByteCount
        question.is_beginning = isBeginning
        var header = codec_jxl_header()
        guard let decoder = codec_jxl_open(&question, &header) else {
            if header.status == CODEC_OTHER_SIZE { throw request.mismatch(width: header.width, height: header.height) }
            throw Self.error(header.status, size)
        }
        self.decoder = decoder
        channels = Int(header.channels)
        frameCount = Int(header.frame_count)
        timing =
            header.played_count < 2
            ? nil
            : FrameTiming(
                delays: Array(UnsafeBufferPointer(start: header.delays, count: Int(header.played_count))),
                playCount: header.play_count == 0 ? nil : Int(header.play_count))
        colors = .from(header.profile, count: header.profile_byte_count)
    }

    /// The same limit as in `FrameCount`.
    private static let maxFrameCount: UInt32 = 10_000
    /// A decoder without its state has to decode all frames before the requested one. libjxl 0.7
    /// took 5 to 14 seconds for 100 million pixels.
    private static let playedPixelFraction = 10

    deinit {
        codec_jxl_close(decoder)
    }

    /// The bytes that libjxl currently holds; before version 0.11, without those of pixels.
    var heldByteCount: Int { codec_jxl_held_byte_count(decoder) }

    /// The number of frames that can be played, at least 1.
    var playableCount: Int { timing?.delays.count ?? 1 }

    /// Decodes a frame that is not before ``next``, scaled down for `target`.
    func pixels(
        _ bytes: UnsafeBufferPointer<UInt8>, frame: Int, for target: TargetSize?
    ) throws(ImageError) -> PixelBuffer {
        let wanted = target?.drawnSize(of: size)
        if channels == 3, wanted.map({ $0 == size }) ?? true {
            return try PixelBuffer(size: size, format: .rgb8) { memory throws(ImageError) in
                try decode(bytes, frame: frame, into: memory)
            }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.pixelCount * channels, alignment: 16)
        defer { memory.deallocate() }
        try decode(bytes, frame: frame, into: memory)
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw ImageError(.corrupt, "an image without pixels")
        }
        return DecodedPixels(base, size, channels: channels).packed(scaledDownTo: wanted)
    }

    /// Decodes a frame into `memory`, which has the size of its pixels: sRGB, not premultiplied.
    private func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, frame: Int, into memory: UnsafeMutableRawBufferPointer
    ) throws(ImageError) {
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw Self.error(CODEC_CORRUPT, size)
        }
        let skipCount = UInt32(clamping: frame - next)
        let status = codec_jxl_decode(decoder, bytes.baseAddress, skipCount, base, memory.count)
        guard status == CODEC_OK else { throw Self.error(status, size) }
        next = frame + 1
        colors?.apply(to: base, size: size, channels: channels, stride: size.width * channels)
    }

    private static func error(_ status: codec_status, _ size: PixelSize) -> ImageError {
        switch status {
        case CODEC_TRUNCATED: ImageError(.corrupt, "the file ends before the image")
        case CODEC_NO_MEMORY: ImageError(.tooManyPixels, "\(size) need too much memory to decode")
        case CODEC_TOO_LARGE: ImageError(.tooManyPixels, "\(size) with layers or channels of too many pixels")
        case CODEC_UNSUPPORTED: ImageError(.unsupportedFormat, "CMYK JPEG XL")
        default: ImageError(.corrupt, "libjxl cannot read the file")
        }
    }
}
