import RemoteImageDecoders

/// The cursors of the animations that this process decoded most recently.
struct CursorList {
    /// The most recently used cursor is last.
    private var cursors: [FrameCursor] = []

    /// The maximum memory of all cursors except the last one, and the maximum number of cursors.
    private static let (maxByteCount, maxCount) = (256 << 20, 64)

    /// The cursor with the identifier of a cursor in the application.
    mutating func cursor(_ identifier: Int) -> FrameCursor {
        let index = cursors.firstIndex { $0.identifier == identifier }
        let cursor = index.map { cursors.remove(at: $0) } ?? FrameCursor(identifier: identifier)
        cursors.append(cursor)
        return cursor
    }

    /// Removes all cursors. Returns whether one of them held memory.
    mutating func removeAll() -> Bool {
        defer { cursors = [] }
        return cursors.contains { $0.byteCount > 0 }
    }

    /// Removes the least recently used cursors; their animations are decoded from the first frame
    /// when they are used again.
    mutating func trim() {
        var byteCount = cursors.dropLast().reduce(0) { $0 + $1.byteCount }
        while byteCount > Self.maxByteCount || cursors.count > Self.maxCount {
            byteCount -= cursors.removeFirst().byteCount
        }
    }
}
