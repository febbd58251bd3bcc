// Writes a large body to the store in pieces while it is received, so that its first part survives
// if the program is killed.
//
// This does not save memory: a decoder needs the whole body in one array, which is also written at
// the end. Small bodies and small pieces are not written early, since a file system call for each
// would cost more than the transfer.

/// Writes the pieces of one body on the disk threads, one at a time, without blocking the receiver.
///
/// Data that is received while a piece is being written goes with a later piece or with the end. A
/// slow disk thus delays nothing and needs no more memory than one piece.
final class BodyStream: Sendable {
    /// The size of a piece: 1 MiB. Shorter bodies are written once, when they are complete.
    static let pieceByteCount = 1 << 20

    /// The stored part of a body, and its size in bytes.
    typealias Stored = (writer: any BodyWriter, byteCount: Int)

    private enum Step {
        /// No write is in progress.
        case resting
        case writing
        /// A write is in progress; the closure runs after it.
        case ending(@Sendable (Stored?) -> Void)
        /// No more data is accepted, or a write failed.
        case ended
    }

    private struct State {
        var step = Step.resting
        /// The number of bytes passed to the disk threads.
        var byteCount = 0
        var writer: (any BodyWriter)?

        var stored: Stored? { writer.map { ($0, byteCount) } }
    }

    private let background: PendingCacheWork
    private let makeWriter: @Sendable () -> (any BodyWriter)?
    private let state = Lock(State())

    init(_ background: PendingCacheWork, makeWriter: @escaping @Sendable () -> (any BodyWriter)?) {
        self.background = background
        self.makeWriter = makeWriter
    }

    /// - Parameter body: All bytes received so far.
    func receive(_ body: [UInt8]) {
        guard body.count >= Self.pieceByteCount else { return }
        let piece = state.withLock { state -> Range<Int>? in
            let end = state.byteCount + Self.pieceByteCount
            guard case .resting = state.step, end <= body.count else { return nil }
            defer { (state.step, state.byteCount) = (.writing, end) }
            return state.byteCount..<end
        }
        guard let piece else { return }
        // A copy, because the body grows during the write; a second reference would make its next
        // append copy all of it.
        let bytes = Array(body[piece])
        background.onDisk { [self] in write(bytes) }
    }

    /// Calls `last` on a disk thread after the current write, with the stored part, or `nil` if
    /// nothing is stored.
    func end(_ last: @escaping @Sendable (Stored?) -> Void) {
        let stored: Stored?? = state.withLock { state in
            switch state.step {
            case .resting, .ended:
                defer { state = State(step: .ended) }
                return .some(state.stored)
            case .writing:
                state.step = .ending(last)
                return nil
            case .ending(let first):
                state.step = .ending { stored in
                    first(stored)
                    last(nil)
                }
                return nil
            }
        }
        guard let stored else { return }
        background.onDisk { last(stored) }
    }

    /// Discards the stored part, if any. The body may still be stored as a whole.
    func discard() {
        let writer = state.withLock { state -> (any BodyWriter)? in
            switch state.step {
            case .resting:
                defer { state = State(step: .ended) }
                return state.writer
            case .writing:
                state.step = .ending { $0?.writer.discard() }
                return nil
            case .ending, .ended: return nil
            }
        }
        if let writer { background.onDisk { writer.discard() } }
    }

    private func write(_ bytes: [UInt8]) {
        let writer = state.withLock { $0.writer } ?? makeWriter()
        let isWritten = writer?.append(bytes[...]) ?? false
        let (step, stored) = state.withLock { state in
            let step = state.step
            state.writer = isWritten ? writer : nil
            let stored = state.stored
            if case .writing = step, isWritten { state.step = .resting } else { state = State(step: .ended) }
            return (step, stored)
        }
        if case .ending(let last) = step { last(stored) }
    }
}
