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
    /// Pieces of the animation's file that make a file of this frame alone, with bytes of our own between.
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

    /// A file with this frame alone, for the decoder of still pictures.
    func file(from bytes: [UInt8]) -> [UInt8] {
        pieces.reduce(into: []) { file, piece in
            switch piece {
            case .bytes(let own): file += own
            case .range(let range): file += bytes[range]
            }
        }
    }

    /// A frame that wants to be shown for 10 ms or less is shown for 100, as browsers do: old programs wrote 0 and meant
    /// their own slow pace.
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
}
