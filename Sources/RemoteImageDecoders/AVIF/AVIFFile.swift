import CRemoteImageCodecs

/// Owns the libavif decoder of one file; used by one thread at a time.
///
/// The decoder keeps no pointer to the bytes between calls. The caller passes the same bytes to
/// each call. Between two frames of an animation, a cursor keeps this object: libavif decodes the
/// next frame from its state, and any other one from the nearest key frame.
final class AVIFFile: @unchecked Sendable {
    // Unchecked: only the thread that took it from its cursor uses it.

    private let file: OpaquePointer
    private let image: HEIFImage
    /// The length of the file.
    let byteCount: Int
    /// `nil` if fewer than two frames can be played.
    let timing: FrameTiming?

    /// Reads everything before the pixels.
    ///
    /// - Parameters:
    ///   - image: The header of the file, whose sizes have been checked.
    ///   - playableCount: The number of frames of a sequence that may be decoded; 0 decodes the
    ///     primary item.
    ///   - limits: The limits for the items of a sequence, which are not decoded.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ image: HEIFImage, playableCount: Int, _ limits: DecodeLimits
    ) throws(ImageError) {
        var question = codec_avif_request()
        question.is_sequence = playableCount > 0
        // Encoders may code whole superblocks. The frames of a sequence have been checked; its
        // items may be larger.
        let most = PixelSize(
            width: HEIFHeader.aligned(image.codedSize.width), height: HEIFHeader.aligned(image.codedSize.height)
        ).pixelCount
        question.max_pixel_count = UInt32(clamping: question.is_sequence ? max(most, limits.maxPixelCount) : most)
        question.max_frame_count = 1 << 16
        var header = codec_avif_header()
        guard let file = codec_avif_open(bytes.baseAddress, bytes.count, &question, &header) else {
            throw Self.error(header)
        }
        self.file = file
        self.image = image
        byteCount = bytes.count
        timing = Self.timing(file, bytes, count: min(playableCount, Int(header.frame_count)))
    }

    private static func timing(
        _ file: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>, count: Int
    ) -> FrameTiming? {
        guard count > 1 else { return nil }
        var delays = [UInt32](repeating: 0, count: count)
        guard codec_avif_read_delays(file, &delays, UInt32(count)) else { return nil }
        return FrameTiming(delays: delays, playCount: AVIFTrack.playCount(of: bytes))
    }

    deinit {
        codec_avif_close(file)
    }

    /// The number of frames that can be played, at least 1.
    var playableCount: Int { timing?.delays.count ?? 1 }

    /// Decodes a frame, scaled down for `target`. Never scales up.
    func pixels(
        _ bytes: UnsafeBufferPointer<UInt8>, frame: Int, for target: TargetSize?
    ) throws(ImageError) -> PixelBuffer {
        var header = codec_avif_header()
        guard codec_avif_decode(file, bytes.baseAddress, bytes.count, UInt32(frame), &header) else {
            throw Self.error(header)
        }
        let size = PixelSize(width: Int(header.width), height: Int(header.height))
        // libavif checks this for items; the frames of a track may differ.
        guard size.width >= image.cropSize.width, size.height >= image.cropSize.height,
            size.pixelCount <= image.codedSize.pixelCount
        else {
            throw ImageError(.corrupt, "the header says \(image.codedSize), the image is \(size)")
        }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: size.pixelCount * 4)
        defer { memory.deallocate() }
        guard codec_avif_convert(file, memory, &header) else { throw Self.error(header) }
        let part = DecodedPixels(memory, image.cropSize, channels: 4, stride: size.width * 4)
        Self.colors(header, image.maxLight)?.apply(to: memory, size: part.size, channels: 4, stride: part.stride)
        let wanted = target?.drawnSize(of: image.size).applyingOrientation(image.orientation)
        return part.packed(scaledDownTo: wanted).applyingOrientation(image.orientation)
    }

    /// The ICC profile takes precedence over the code points, which every frame has.
    private static func colors(_ header: codec_avif_header, _ maxLight: Int?) -> ColorConversion? {
        guard let profile = header.profile else {
            return CodePoints(
                primaries: Int(header.primaries), transfer: Int(header.transfer), maxLight: maxLight
            ).conversion
        }
        return .from(profile, count: header.profile_byte_count)
    }

    private static func error(_ header: codec_avif_header) -> ImageError {
        ImageError(ImageError.Code(header.status), header.message.map { String(cString: $0) })
    }
}
