/// The frame delays of an animation whose decoder decodes frames by number, because they depend on
/// earlier frames.
package struct FrameTiming: Equatable, Sendable {
    /// The delay of each frame in milliseconds, as stored in the file.
    package var delays: [UInt32]
    /// The number of times that the animation plays; `nil` means forever.
    package var playCount: Int?

    package init(delays: [UInt32], playCount: Int?) {
        self.delays = delays
        self.playCount = playCount
    }

    /// The maximum number of frames, regardless of the limits: as many as fit into an answer of a
    /// decoder process.
    package static let maxCount = 1024
}

/// The state that a decoder keeps between the frames of one playback. With this state, the decoder
/// decodes only the next frame; without it, also all earlier frames.
///
/// A decoder takes the value while it decodes and returns it afterwards. Without a value, it starts
/// with the first frame.
package final class FrameCursor: Sendable {
    /// The approximate maximum that a decoder holds between two frames. libjxl 0.7 held 31 to 37.
    package static let bytesPerPixel = 48

    /// Unique among the existing cursors of this process, and greater than 0.
    package let identifier: Int
    private let state = Lock<(value: (any Sendable)?, byteCount: Int)>((nil, 0))

    private static let lastIdentifier = Lock(0)

    package init() {
        identifier = Self.lastIdentifier.withLock { last in
            last += 1
            return last
        }
    }

    /// Creates the cursor of a decoder process for a cursor of its application.
    package init(identifier: Int) {
        self.identifier = identifier
    }

    /// Whether a decoder keeps no state: it has decoded no frame, or the state was lost.
    package var isEmpty: Bool { state.withLock { $0.value == nil } }

    /// The estimated memory of the value, in bytes.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    package func take() -> (any Sendable)? {
        state.withLock { state in
            defer { state = (nil, 0) }
            return state.value
        }
    }

    package func keep(_ value: any Sendable, byteCount: Int) {
        // An earlier value is released outside the lock.
        _ = state.withLock { state in
            defer { state = (value, byteCount) }
            return state.value
        }
    }
}
