/// The frames of an animation that its decoder decodes by number, because they depend on the frames
/// before.
package struct FrameTiming: Equatable, Sendable {
    /// Milliseconds that each frame asks for.
    package var delays: [UInt32]
    /// `nil` for ever.
    package var playCount: Int?

    package init(delays: [UInt32], playCount: Int?) {
        self.delays = delays
        self.playCount = playCount
    }

    /// Frames of one animation, whatever the limits are: as many as fit into an answer of a decoder
    /// process.
    package static let maxCount = 1024
}

/// What a decoder keeps between the frames of one playback. In the process that keeps it, the next
/// frame costs one frame; in another process, all frames before it.
///
/// A decoder takes the value out while it decodes and puts it back after that. Without a value, it
/// starts with the first frame.
package final class FrameCursor: Sendable {
    /// What a decoder holds between two frames, at most about.
    package static let bytesPerPixel = 48

    /// Differs from those of all other cursors that exist in this process, and is above 0.
    package let identifier: Int
    private let state = Lock<(value: (any Sendable)?, byteCount: Int)>((nil, 0))

    private static let lastIdentifier = Lock(0)

    package init() {
        identifier = Self.lastIdentifier.withLock { last in
            last += 1
            return last
        }
    }

    /// A cursor of a decoder process for the one of its application.
    package init(identifier: Int) {
        self.identifier = identifier
    }

    /// The memory that the value takes, by estimate.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    package func take() -> (any Sendable)? {
        state.withLock { state in
            defer { state = (nil, 0) }
            return state.value
        }
    }

    package func keep(_ value: any Sendable, byteCount: Int) {
        // An earlier value ends outside the lock.
        _ = state.withLock { state in
            defer { state = (value, byteCount) }
            return state.value
        }
    }
}
