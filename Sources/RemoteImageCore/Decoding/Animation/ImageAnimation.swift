/// The frames of an image that moves, decoded when they are wanted: what is kept is the file,
/// whatever its length.
///
/// GIF, APNG, animated WebP and JPEG XL play, and AVIF sequences whose frames can be decoded by
/// themselves.
///
/// A front end shows them with an ``AnimationPlayer``.
public final class ImageAnimation: Sendable {
    /// How many frames are shown. Of a file that has more than ``DecodeLimits/maxFrameCount`` the
    /// first ones are.
    public var frameCount: Int { outline.frames.count }
    /// How often the animation is played; nil for ever.
    public var playCount: Int? { outline.playCount }
    /// How long one playing takes. A frame that asks for 10 ms or less has 100, as browsers do.
    public var duration: Duration { outline.frames.reduce(.zero) { $0 + $1.delay } }

    let outline: AnimationOutline
    private let bytes: [UInt8]
    private let decoder: OrientedDecoder
    private let limits: DecodeLimits
    fileprivate let scheduler: DecodeScheduler
    /// What frames are scaled down to.
    let size: PixelSize

    /// nil where the file has one frame, or its canvas is too large, or smaller than a frame.
    init?(
        _ bytes: [UInt8], _ format: ImageFormat, _ timing: FrameTiming? = nil, size: PixelSize,
        decoder: OrientedDecoder, limits: DecodeLimits,
        scheduler: DecodeScheduler = DecodeScheduler(clock: SystemClock())
    ) {
        let outline: AnimationOutline? = bytes.withUnsafeBytes { buffer in
            if let timing {
                guard let canvas = try? ImageHeader.read(bytes).size else { return nil }
                return AnimationOutline(timing, canvas: canvas, frameLimit: limits.maxFrameCount)
            }
            return switch format {
            case .gif: GIFAnimation.outline(ByteReader(buffer), frameLimit: limits.maxFrameCount)
            case .webp: WebPAnimation.outline(ByteReader(buffer), frameLimit: limits.maxFrameCount)
            case .png: PNGAnimation.outline(ByteReader(buffer), frameLimit: limits.maxFrameCount)
            case .avif: AVIFAnimation.outline(ByteReader(buffer), frameLimit: limits.maxFrameCount)
            case .jpeg, .heic, .jxl, .ico, .bmp, .svg, .other: nil
            }
        }
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

    /// Bytes that are kept as long as the image is.
    var byteCount: Int { bytes.count }

    /// The pixels of one frame alone, decoded on the calling decode thread. Of an outline whose
    /// frames are decoded by number, they are what is shown.
    fileprivate func decode(
        _ number: Int, _ cursor: FrameCursor, expire: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> PixelBuffer {
        let file = outline.isDecodedByNumber ? bytes : outline.frames[number].file(from: bytes)
        let header = try ImageHeader.read(file)
        try limits.check(header)
        // What is in a frame may claim another size than the frame.
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
        return try await scheduler.run(byteCount, .high, limit: limits.timeout, expire: expire) {
            () throws(ImageError) in try decoder.decode(file, request).pixels
        }
    }
}

/// Plays an animation once more each time it is made: returns one frame after another, each decoded
/// when it is asked for.
public final class AnimationPlayer: Sendable {
    /// A frame as it is shown, and how long.
    public struct Frame: Sendable {
        /// The whole frame, with what earlier frames left of the canvas.
        public let pixels: PixelBuffer
        /// How long the frame is shown.
        public let delay: Duration
    }

    private struct State {
        /// Made with the first frame: to clear so much memory is work for a decode thread.
        var canvas: AnimationCanvas?
        var next = 0
        var playedCount = 0
    }

    private let animation: ImageAnimation
    private let state: Lock<State>
    private let cursor = FrameCursor()

    /// Creates a player before the first frame of an animation.
    public init(_ animation: ImageAnimation) {
        self.animation = animation
        state = Lock(State())
    }

    /// The next frame, made on a decode thread. `nil` after the last one, when the file turns out
    /// to be damaged, and when the frame takes longer than ``DecodeLimits/timeout``. Frames come in
    /// their order, to one caller at a time.
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
        // There is one caller at a time: no other one waits for the lock while the frame is drawn.
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
