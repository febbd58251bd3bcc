/// An animated image. It keeps the file; an ``AnimationPlayer`` decodes each frame when it is
/// needed.
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
    private let decoder: OrientedDecoder
    private let limits: DecodeLimits
    fileprivate let scheduler: DecodeScheduler
    /// The size to which frames are scaled down.
    let size: PixelSize

    /// `nil` if the file has one frame, or if its canvas is too large or smaller than a frame.
    init?(
        _ bytes: [UInt8], _ format: ImageFormat, _ timing: FrameTiming? = nil, size: PixelSize,
        decoder: OrientedDecoder, limits: DecodeLimits,
        scheduler: DecodeScheduler = DecodeScheduler(clock: SystemClock())
    ) {
        let outline = AnimationOutline.read(bytes, format, timing, frameLimit: limits.maxFrameCount)
        guard let outline, outline.byteCount <= limits.maxAnimationByteCount,
            outline.frames.allSatisfy({ $0.size.pixelCount <= outline.canvas.pixelCount })
        else { return nil }
        self.outline = outline
        self.bytes = bytes
        self.decoder = decoder
        self.limits = limits
        self.scheduler = scheduler
        self.size = size
    }

    /// The bytes that the animation keeps in memory: the size of its file.
    var byteCount: Int { bytes.count }

    /// Decodes one frame on the calling decode thread. If the frames are decoded by number, the
    /// result is already composed.
    fileprivate func decode(
        _ number: Int, _ cursor: FrameCursor, expire: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> PixelBuffer {
        let file = outline.isDecodedByNumber ? bytes : outline.frames[number].file(from: bytes)
        let header = try ImageHeader.read(file)
        try limits.check(header)
        // The image data may have another size than the frame.
        guard header.storedSize.pixelCount <= outline.canvas.pixelCount else {
            throw ImageError(.corrupt, "a frame that is larger than the animation")
        }
        var request = DecodeRequest(header: header, limits: limits)
        var byteCount = request.estimatedByteCount
        if outline.isDecodedByNumber {
            request.target = TargetSize(size)
            request.frame = (number, cursor)
            byteCount = request.estimatedByteCount(of: bytes)
        }
        return try await scheduler.run(
            byteCount, .high, limit: limits.timeout, isConfined: decoder.isConfined, expire: expire
        ) { () throws(ImageError) in try decoder.decode(file, request).pixels }
    }
}

/// Plays an animation from its start: ``next()`` decodes and returns one frame after another.
public final class AnimationPlayer: Sendable {
    /// A composed frame and its delay.
    public struct Frame: Sendable {
        /// The whole canvas after the frame was drawn.
        public let pixels: PixelBuffer
        /// The time for which the frame is shown.
        public let delay: Duration
    }

    private struct State {
        /// Created with the first frame, on a decode thread, since clearing the memory takes time.
        var canvas: AnimationCanvas?
        var next = 0
        var playedCount = 0
    }

    private let animation: ImageAnimation
    private let state: Lock<State>
    private let cursor = FrameCursor()

    /// Creates a player that starts with the first frame of an animation.
    public init(_ animation: ImageAnimation) {
        self.animation = animation
        state = Lock(State())
    }

    /// Decodes the next frame on a decode thread. `nil` after the last frame, if the file is
    /// damaged, and if the frame takes longer than ``DecodeLimits/timeout``. A player has one
    /// caller at a time.
    public func next() async -> Frame? {
        try? await animation.scheduler.result { [self] expire async throws(ImageError) in
            try await makeNext(expire)
        }
    }

    private func makeNext(_ expire: @escaping @Sendable () -> Void) async throws(ImageError) -> Frame? {
        let frames = animation.outline.frames
        let next: Int? = state.withLock { state in
            if state.next == frames.count {
                state.playedCount += 1
                if let count = animation.playCount, state.playedCount >= count { return nil }
                state.next = 0
                state.canvas = nil
            }
            return state.next
        }
        guard let next else { return nil }
        let frame = frames[next]
        let pixels = try await animation.decode(next, cursor, expire: expire)
        // A player has one caller at a time, so no caller waits for the lock while the frame is
        // drawn.
        return state.withLock { state in
            state.next += 1
            if animation.outline.isDecodedByNumber {
                return Frame(pixels: pixels.scaledDown(to: animation.size), delay: frame.delay)
            }
            var canvas = state.canvas.take() ?? AnimationCanvas(animation.outline.canvas)
            canvas.draw(frame, pixels)
            defer { state.canvas = canvas }
            return Frame(pixels: canvas.image(scaledDownTo: animation.size), delay: frame.delay)
        }
    }
}
