import FlyingSocks

/// Bytes that are sent in pieces with pauses between them.
struct Trickle: AsyncBufferedSequence {
    let bytes: [UInt8]
    let pieceCount: Int
    let pause: Duration
    /// The pause before the last piece.
    let lastPause: Duration

    struct AsyncIterator: AsyncBufferedIteratorProtocol {
        typealias Element = UInt8

        fileprivate var rest: ArraySlice<UInt8>
        fileprivate let pieceSize: Int
        fileprivate let pause: Duration
        fileprivate let lastPause: Duration

        mutating func next() async throws -> UInt8? {
            rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(pieceSize).prefix(count)
            try await Task.sleep(for: piece.count == rest.count ? lastPause : pause)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: bytes[...], pieceSize: bytes.count / pieceCount + 1, pause: pause, lastPause: lastPause)
    }
}
