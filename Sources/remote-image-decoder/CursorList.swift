import RemoteImageDecoders

/// The animations that play in an application and were decoded here last.
struct CursorList {
    /// The last used at the end.
    private var cursors: [FrameCursor] = []

    /// Bytes that all animations but the last may hold, and how many there may be.
    private static let (maxByteCount, maxCount) = (256 << 20, 64)

    /// The cursor for one of the application.
    mutating func cursor(_ identifier: Int) -> FrameCursor {
        let index = cursors.firstIndex { $0.identifier == identifier }
        let cursor = index.map { cursors.remove(at: $0) } ?? FrameCursor(identifier: identifier)
        cursors.append(cursor)
        return cursor
    }

    /// Drops all animations; whether one of them held memory.
    mutating func removeAll() -> Bool {
        defer { cursors = [] }
        return cursors.contains { $0.byteCount > 0 }
    }

    /// Drops the animations that were used least recently: they start anew when they are used
    /// again.
    mutating func trim() {
        var byteCount = cursors.dropLast().reduce(0) { $0 + $1.byteCount }
        while byteCount > Self.maxByteCount || cursors.count > Self.maxCount {
            byteCount -= cursors.removeFirst().byteCount
        }
    }
}
