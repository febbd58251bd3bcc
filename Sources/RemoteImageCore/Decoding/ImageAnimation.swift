/// An animated image. It keeps the file; an ``AnimationPlayer`` decodes each frame shortly before
/// it is needed.
///
/// The formats are GIF, APNG, animated WebP, animated JPEG XL, and AVIF sequences: with libavif all
/// of them, with libheif those whose frames can be decoded independently.
public final class ImageAnimation: Sendable {
    /// The number of frames that play: at most the first ``DecodeLimits/maxFrameCount`` of the
    /// file.
    public var frameCount: Int { outline.frames.count }
    /// The number of times that the animation plays; `nil` means forever.
    public var playCount: Int? { outline.playCount }
    /// The duration of one play. A frame with a delay of 10 ms or less counts as 100 ms, as in
    /// browsers.
    public var duration: Duration { outline.frames.reduce(.zero) { $0 + $1.delay } }

    let outline: AnimationOutline
    private let bytes: [UInt8]
    private let format: ImageFormat
    private let decoder: OrientedDecoder
    private let limits: DecodeLimits
    let decodeScheduler: DecodeScheduler
    /// The size to which frames are scaled down.
    let size: PixelSize
    /// The room for the frames that one exchange with the decoder decodes.
    private let room: (fileByteCount: Int, frameCount: Int)

    /// `nil` if the file has one frame, or if its canvas or a frame is too large.
    init?(
        _ bytes: [UInt8], _ format: ImageFormat, _ timing: FrameTiming? = nil, size: PixelSize,
        decoder: OrientedDecoder, limits: DecodeLimits,
        decodeScheduler: DecodeScheduler = DecodeScheduler(clock: SystemClock())
    ) {
        let outline = AnimationOutline.read(bytes, format, timing, frameLimit: limits.maxFrameCount)
        guard let outline, outline.byteCount <= limits.maxAnimationByteCount else { return nil }
        self.outline = outline
        self.bytes = bytes
        self.format = format
        self.decoder = decoder
        self.limits = limits
        self.decodeScheduler = decodeScheduler
        // The still image of an AVIF sequence may be larger.
        let size = PixelSize(
            width: min(size.width, outline.canvas.width), height: min(size.height, outline.canvas.height))
        self.size = size
        let fileByteCounts = outline.frames.map(\.fileByteCount)
        room = (
            max(fileByteCounts.max() ?? 0, min(Self.maxFileRoom, fileByteCounts.reduce(0, +))),
            max(1, min(Self.maxFrameCountAhead, outline.frames.count, Self.maxByteCountAhead / (size.pixelCount * 4)))
        )
    }

    /// The bytes that the animation keeps in memory: the size of its file.
    var byteCount: Int { bytes.count }

    // MARK: Memory

    /// The maximum number of frames, and of their bytes, that are decoded at once. Small frames
    /// share the cost of one exchange with a decoder process.
    private static let (maxFrameCountAhead, maxByteCountAhead) = (8, 2 << 20)
    /// The bytes of the files of these frames; a larger frame is decoded alone.
    private static let maxFileRoom = 128 << 10
    /// The least memory of an animation that plays, since it also has a file descriptor and pages
    /// that it does not fill.
    private static let minPlayingByteCount = 256 << 10

    /// The bytes of frames that are kept in any case: 100 animations of this size use no processor
    /// time, in a budget of 128 MiB.
    private static let maxKeptByteCount = 1 << 20

    /// The number of frames that are decoded at once.
    var frameCountAhead: Int { room.frameCount }

    private var restores: Bool { outline.frames.contains { $0.disposal == .restore } }

    /// The memory of all frames at the drawn size, in bytes.
    var allFramesByteCount: Int { frameCount * size.pixelCount * 4 }

    /// The memory for playing the animation, in bytes: the canvas, the files and the frames of one
    /// exchange, the frames that wait, at most half as many again, and the shown frame.
    var playingByteCount: Int {
        let canvas =
            outline.isDecodedByNumber
            ? outline.canvas.pixelCount * outline.heldBytesPerPixel
            : AnimationCanvas.byteCount(of: outline.canvas, restores: restores) ?? .max
        return max(
            Self.minPlayingByteCount,
            canvas + room.fileByteCount + (frameCountAhead * 5 / 2 + 1) * size.pixelCount * 4)
    }

    /// Whether a player keeps all frames: they are small, or need no more memory than decoding them
    /// again and again.
    var keepsAllFrames: Bool { allFramesByteCount <= max(Self.maxKeptByteCount, playingByteCount) }

    // MARK: Decoding

    /// Decodes some consecutive frames on the calling decode thread, at least one of them.
    ///
    /// - Parameters:
    ///   - first: The number of the first frame. Unless the frames are decoded by number, it
    ///     follows the last frame that was decoded with the cursor, or is 0.
    ///   - cursor: The state of the decoder between frames. Empty after an error of the code `io`
    ///     if the state is lost.
    func decode(
        from first: Int, _ cursor: FrameCursor, expire: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> [PixelBuffer] {
        if outline.isDecodedByNumber { return [try await decode(number: first, cursor, expire: expire)] }
        var files: [[UInt8]] = []
        var byteCount = 0
        for frame in outline.frames[first...].prefix(room.frameCount) {
            byteCount += frame.fileByteCount
            guard files.isEmpty || byteCount <= room.fileByteCount else { break }
            files.append(frame.file(from: bytes))
        }
        let request = FramesRequest(
            format: format, canvas: outline.canvas, restores: restores, size: size, limits: limits,
            previous: first == 0 ? nil : outline.frames[first - 1],
            frames: Array(outline.frames[first...].prefix(files.count)), room: room)
        return try await decodeScheduler.run(
            request.estimatedByteCount, .high, limit: limits.timeout, isConfined: decoder.isConfined, expire: expire
        ) { () throws(ImageError) in try decoder.frames(request, from: files, cursor) }
    }

    private func decode(
        number: Int, _ cursor: FrameCursor, expire: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> PixelBuffer {
        let header = try ImageHeader.read(bytes)
        try limits.check(header)
        guard header.storedSize.pixelCount <= outline.canvas.pixelCount else {
            throw ImageError(.corrupt, "a frame that is larger than the animation")
        }
        // At least as large as the image on both sides, whose rounding may differ.
        var request = DecodeRequest(header: header, target: TargetSize(size, fit: .cover), limits: limits)
        request.frame = (number, cursor)
        let image = try await decodeScheduler.run(
            request.estimatedByteCount(of: bytes), .high, limit: limits.timeout, isConfined: decoder.isConfined,
            expire: expire
        ) { () throws(ImageError) in try decoder.decode(bytes, request) }
        return image.pixels.scaledDown(to: size)
    }
}
