import DequeModule

/// Plays an animation from its start: ``next()`` returns one frame after another.
///
/// Some frames are decoded at once, before they are needed. If all frames at the drawn size take at
/// most 1 MiB, or less memory than decoding them, they are decoded once and kept.
public final class AnimationPlayer: Sendable {
    /// A composed frame and its delay.
    public struct Frame: Sendable {
        /// The whole canvas after the frame was drawn, scaled down to the size of the image.
        public let pixels: PixelBuffer
        /// The time for which the frame is shown.
        public let delay: Duration
    }

    /// How far an animation has played.
    package struct Position: Equatable, Sendable {
        /// The number of the next frame.
        package var frame = 0
        /// The number of complete plays.
        package var playedCount = 0

        package init() {}
    }

    /// The next frame of an animation.
    package enum Next: Sendable {
        case ready(Frame)
        /// ``AnimationPlayer/decodeAhead()`` has to be called first.
        case undecoded
        /// The animation has played, or cannot be played further.
        case ended
    }

    private struct State {
        /// The next frame that the caller takes.
        var position: Position
        /// The next frame that is decoded.
        var decoding: Position
        /// The number of frames that the canvas contains.
        var composedCount = 0
        /// The decoded frames that the caller has not taken, or all frames if they are kept.
        var frames: Deque<PixelBuffer> = []
        var hasFailed = false
    }

    private let animation: ImageAnimation
    private let state: Lock<State>
    private let cursor = FrameCursor()
    private let keepsAllFrames: Bool

    /// Creates a player that starts with the first frame of an animation.
    public convenience init(_ animation: ImageAnimation) {
        self.init(animation, from: Position())
    }

    /// Creates a player that continues where another one ended.
    package init(_ animation: ImageAnimation, from position: Position) {
        self.animation = animation
        keepsAllFrames = animation.keepsAllFrames
        var position = position
        if position.frame >= animation.frameCount {
            position.frame = 0
            position.playedCount += 1
        }
        state = Lock(State(position: position, decoding: animation.keepsAllFrames ? Position() : position))
    }

    /// Returns the next frame, which is decoded on a decode thread unless it was decoded before.
    /// `nil` after the last frame, if the file is damaged, and if a decode takes longer than
    /// ``DecodeLimits/timeout``. A player has one caller at a time.
    public func next() async -> Frame? {
        while true {
            switch takeNext() {
            case .ready(let frame): return frame
            case .ended: return nil
            case .undecoded: await decodeAhead()
            }
        }
    }

    /// How far the animation has played.
    package var position: Position { state.withLock { $0.position } }

    /// The memory of the player, in bytes: less once it keeps all frames.
    package var byteCount: Int {
        guard keepsAllFrames else { return animation.playingByteCount }
        let isComplete = state.withLock { $0.frames.count == animation.frameCount }
        return animation.allFramesByteCount + (isComplete ? 0 : animation.playingByteCount)
    }

    /// Takes the next frame if it is decoded. Does not wait.
    package func takeNext() -> Next {
        state.withLock { state in
            if state.position.frame == animation.frameCount {
                state.position.frame = 0
                state.position.playedCount += 1
            }
            if let count = animation.playCount, state.position.playedCount >= count { return .ended }
            let index = keepsAllFrames ? state.position.frame : 0
            guard index < state.frames.count else { return state.hasFailed ? .ended : .undecoded }
            let pixels = keepsAllFrames ? state.frames[index] : state.frames.removeFirst()
            defer { state.position.frame += 1 }
            return .ready(Frame(pixels: pixels, delay: animation.outline.frames[state.position.frame].delay))
        }
    }

    /// Whether ``decodeAhead()`` should be called, so that a frame is ready when it is needed.
    package var shouldDecode: Bool {
        state.withLock { state in
            guard !state.hasFailed else { return false }
            if keepsAllFrames { return state.frames.count < animation.frameCount }
            // The last play has no frames after it.
            if let count = animation.playCount, state.decoding.playedCount >= count { return false }
            return state.frames.count <= animation.frameCountAhead / 2
        }
    }

    /// Decodes the next frames on a decode thread. One call at a time.
    package func decodeAhead() async {
        do throws(ImageError) {
            try await animation.decodeScheduler.result { [self] expire async throws(ImageError) in
                try await makeFrames(expire)
            }
        } catch {
            state.withLock { $0.hasFailed = true }
        }
    }

    private func makeFrames(_ expire: @escaping @Sendable () -> Void) async throws(ImageError) {
        var lossCount = 0
        while true {
            let first = state.withLock { state in
                // A decoder that decodes by number needs no earlier frames.
                if animation.outline.isDecodedByNumber { state.composedCount = state.decoding.frame }
                return state.composedCount
            }
            do throws(ImageError) {
                let made = try await animation.decode(from: first, cursor, expire: expire)
                if add(made, from: first) { return }
            } catch {
                // The decoder process ended with the canvas, which is composed again.
                guard error.code == .io, cursor.isEmpty, first > 0, lossCount < Self.maxLossCount else { throw error }
                lossCount += 1
                state.withLock { $0.composedCount = 0 }
            }
        }
    }

    /// How often a canvas is composed again for the same frame.
    private static let maxLossCount = 2

    /// Adds decoded frames. Returns whether enough were added.
    private func add(_ made: [PixelBuffer], from first: Int) -> Bool {
        let (isEnough, isComplete) = state.withLock { state in
            let count = state.frames.count
            // Earlier frames were only composed again.
            for (number, pixels) in zip(first..., made) where number == state.decoding.frame {
                state.frames.append(pixels)
                state.decoding.frame += 1
            }
            let hasAdded = state.frames.count > count
            state.composedCount = first + made.count
            if state.composedCount == animation.frameCount {
                state.composedCount = 0
                state.decoding.frame = 0
                state.decoding.playedCount += 1
            }
            if keepsAllFrames, state.frames.count == animation.frameCount { return (true, true) }
            // Frames that are decoded by number come one at a time.
            let needsMore = animation.outline.isDecodedByNumber && state.frames.count <= animation.frameCountAhead / 2
            return (hasAdded && (!needsMore || state.composedCount == 0), false)
        }
        // The canvas is needed no more.
        if isComplete { _ = cursor.take() }
        return isEnough
    }
}
