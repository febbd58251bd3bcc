/// One frame of an animation, as its file describes it.
struct AnimationFrame: Sendable {
    /// What becomes of the frame's place before the next one is drawn.
    enum Disposal: Sendable {
        case keep
        /// The place becomes transparent.
        case clear
        /// The place becomes what it was before the frame.
        case restore
    }

    /// Where the frame is on the canvas.
    var x: Int
    var y: Int
    var size: PixelSize
    var delay: Duration
    var disposal: Disposal
    /// Whether what is below shows through; else the frame takes its place.
    var blends: Bool
    /// Pieces of the animation's file that make a file of this frame alone, with bytes of our own
    /// between. None of a frame that is decoded by its number.
    var pieces: [Piece]

    enum Piece: Sendable {
        case bytes([UInt8])
        case range(Range<Int>)

        var count: Int {
            switch self {
            case .bytes(let own): own.count
            case .range(let range): range.count
            }
        }
    }

    /// A file with this frame alone, for the decoder of still images.
    func file(from bytes: [UInt8]) -> [UInt8] {
        pieces.reduce(into: []) { file, piece in
            switch piece {
            case .bytes(let own): file += own
            case .range(let range): file += bytes[range]
            }
        }
    }

    /// A frame that wants to be shown for 10 ms or less is shown for 100, as browsers do: old
    /// programs wrote 0 and meant their own slow pace.
    static func delay(milliseconds: Int) -> Duration {
        .milliseconds(milliseconds <= 10 ? 100 : milliseconds)
    }
}

/// The frames of a file, and how often they are played.
struct AnimationOutline: Sendable {
    var canvas: PixelSize
    var frames: [AnimationFrame] = []
    /// nil for ever.
    var playCount: Int?
    /// Whether the decoder makes each frame from the whole file, as large as the canvas and with
    /// all that is below it.
    var isDecodedByNumber = false
}

extension AnimationOutline {
    /// `nil` where there are not two frames.
    init?(_ timing: FrameTiming, canvas: PixelSize, frameLimit: Int) {
        guard timing.delays.prefix(frameLimit).count > 1 else { return nil }
        self.canvas = canvas
        playCount = timing.playCount
        isDecodedByNumber = true
        frames = timing.delays.prefix(frameLimit).map { delay in
            AnimationFrame(
                x: 0, y: 0, size: canvas, delay: AnimationFrame.delay(milliseconds: Int(delay)), disposal: .keep,
                blends: false, pieces: [])
        }
    }

    /// Bytes that playing holds.
    var byteCount: Int {
        // The state of the decoder, a frame, and the two that are shown next. libjxl 0.7 held 31 to
        // 37 bytes a pixel.
        if isDecodedByNumber { return canvas.pixelCount * (FrameCursor.bytesPerPixel + 4 * 3) }
        // A canvas, what is restored to it, a frame, and the two images that are shown next.
        return canvas.pixelCount * 4 * 5
    }
}
