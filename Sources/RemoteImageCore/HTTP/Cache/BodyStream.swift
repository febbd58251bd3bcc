// A large body goes to the store in pieces while it comes, so that a program that is killed has not loaded it for nothing.
//
// Not to save memory: a decoder wants the whole in one array, and what is written at the end is that very array. And not a
// small body, nor each piece as it comes: a call to the file system for each costs more than the transfer.

/// Hands pieces of one body to the threads of the disk, one at a time, and never waits for them.
///
/// While a piece is being written more may come: it goes with a later piece, or with the end. So a slow disk holds up
/// nothing, and takes no more memory than one piece.
final class BodyStream: Sendable {
    /// A body that is shorter is written once, when it is whole: 1 MiB.
    static let pieceByteCount = 1 << 20

    /// What is stored so far of a body.
    final class Writer: Sendable {
        private let target: any BodyWriter
        /// Used by one at a time; the lock only says so to the compiler.
        private let byteCount = Lock(0)

        init(_ target: any BodyWriter) {
            self.target = target
        }

        func append(_ bytes: ArraySlice<UInt8>) -> Bool {
            byteCount.withLock { $0 += bytes.count }
            return target.append(bytes)
        }

        /// Adds what is missing of a body that broke off.
        func append(restOf body: [UInt8]) {
            let rest = rest(of: body)
            if !rest.isEmpty { _ = append(rest) }
        }

        /// Keeps the whole of `body`; false where that could not be.
        func finish(
            _ body: [UInt8], as response: StoredResponse, for key: String,
            replacing replaces: (StoredResponse) -> Bool
        ) -> Bool {
            target.finish(with: rest(of: body), as: response, for: key, replacing: replaces)
        }

        private func rest(of body: [UInt8]) -> ArraySlice<UInt8> { body.dropFirst(byteCount.withLock { $0 }) }

        func discard() { target.discard() }
    }

    private enum Step {
        /// Nothing is being written.
        case resting
        case writing
        /// Something is being written, and then comes the end.
        case ending(@Sendable (Writer?) -> Void)
        /// Nothing more is wanted, or nothing could be written.
        case ended
    }

    private struct State {
        var step = Step.resting
        /// Bytes that were handed to the disk.
        var byteCount = 0
        var writer: Writer?
    }

    private let background: PendingCacheWork
    private let makeWriter: @Sendable () -> (any BodyWriter)?
    private let state = Lock(State())

    init(_ background: PendingCacheWork, makeWriter: @escaping @Sendable () -> (any BodyWriter)?) {
        self.background = background
        self.makeWriter = makeWriter
    }

    /// - Parameter body: All that came so far.
    func receive(_ body: [UInt8]) {
        guard body.count >= Self.pieceByteCount else { return }
        let piece = state.withLock { state -> Range<Int>? in
            let end = state.byteCount + Self.pieceByteCount
            guard case .resting = state.step, end <= body.count else { return nil }
            defer { (state.step, state.byteCount) = (.writing, end) }
            return state.byteCount..<end
        }
        guard let piece else { return }
        // A copy: the body grows while this is written, and a second reference would copy all of it.
        let bytes = Array(body[piece])
        background.onDisk { [self] in write(bytes) }
    }

    /// Does `last` after what is being written, on a thread of the disk: with what is stored, or nil where nothing is.
    func end(_ last: @escaping @Sendable (Writer?) -> Void) {
        let writer: Writer?? = state.withLock { state in
            switch state.step {
            case .resting, .ended:
                defer { state = State(step: .ended) }
                return .some(state.writer)
            case .writing:
                state.step = .ending(last)
                return nil
            case .ending(let first):
                state.step = .ending { writer in
                    first(writer)
                    last(nil)
                }
                return nil
            }
        }
        guard let writer else { return }
        background.onDisk { last(writer) }
    }

    /// Forgets what is stored, if there is any. The body may still be stored as a whole.
    func discard() {
        let writer = state.withLock { state -> Writer? in
            switch state.step {
            case .resting:
                defer { state = State(step: .ended) }
                return state.writer
            case .writing:
                state.step = .ending { $0?.discard() }
                return nil
            case .ending, .ended: return nil
            }
        }
        if let writer { background.onDisk { writer.discard() } }
    }

    private func write(_ bytes: [UInt8]) {
        let known = state.withLock { $0.writer }
        let writer = known ?? makeWriter().map { Writer($0) }
        let isWritten = writer?.append(bytes[...]) ?? false
        let last = state.withLock { state -> (@Sendable (Writer?) -> Void)? in
            if case .ending(let last) = state.step {
                state = State(step: .ended)
                return last
            }
            if isWritten { (state.step, state.writer) = (.resting, writer) } else { state = State(step: .ended) }
            return nil
        }
        last?(isWritten ? writer : nil)
    }
}
