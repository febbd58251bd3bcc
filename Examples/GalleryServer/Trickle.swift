import FlyingSocks

/// Bytes that come in a few pieces with a pause between them.
struct Trickle: AsyncBufferedSequence {
    let bytes: [UInt8]
    let pieceCount: Int
    let pause: Duration

    struct AsyncIterator: AsyncBufferedIteratorProtocol {
        typealias Element = UInt8

        fileprivate var rest: ArraySlice<UInt8>
        fileprivate let pieceSize: Int
        fileprivate let pause: Duration

        mutating func next() async throws -> UInt8? {
            rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else { return nil }
            try await Task.sleep(for: pause)
            let piece = rest.prefix(pieceSize).prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: bytes[...], pieceSize: bytes.count / pieceCount + 1, pause: pause)
    }
}
