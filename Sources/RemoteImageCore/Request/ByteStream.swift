import HTTPTypes

/// Encoded image data that the program produces in pieces, such as a decrypted attachment or a row
/// of a database.
///
/// The pipeline reads the pieces as fast as they come, reports the progress, and fails with
/// ``ImageError/Code/tooLarge`` beyond ``TransferLimits/maxBodyByteCount``. When the last request
/// for the image is cancelled, the task that iterates is cancelled.
///
/// ```swift
/// let source: ImageSource = .stream(identity: attachment.id) {
///     ByteStream(
///         attachment.decrypted(), byteCount: attachment.byteCount, contentType: "image/jpeg")
/// }
/// ```
public struct ByteStream: Sendable {
    /// The number of bytes of all pieces; `nil` if it is unknown.
    public let byteCount: Int?
    /// The media type of the data, such as `image/jpeg`; `nil` if it is unknown. The format is
    /// recognized from the data itself: ``ImagePipeline/data(for:)`` returns the type in
    /// ``LoadedData/headers``.
    public let contentType: String?
    /// Passes the pieces in order; returns after the last one.
    let read: @Sendable (_ receive: ([UInt8]) throws -> Void) async throws -> Void

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - pieces: The pieces in order; empty ones are allowed. If the sequence throws an
    ///     ``ImageError``, the load fails with that error; after any other error, with
    ///     ``ImageError/Code/source``.
    ///   - byteCount: The number of bytes of all pieces, for the progress. Fewer bytes fail with
    ///     ``ImageError/Code/incomplete``, more with ``ImageError/Code/source``.
    ///   - contentType: The media type of the data.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, byteCount: Int? = nil, contentType: String? = nil
    ) where Pieces.Element == [UInt8] {
        self.byteCount = byteCount
        self.contentType = contentType
        read = { receive in
            for try await piece in pieces { try receive(piece) }
        }
    }

    /// Collects the pieces.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - progress: Called with all bytes received so far after each piece.
    func bytes(limit: Int, of name: String, progress: ([UInt8]) -> Void) async throws -> [UInt8] {
        if let byteCount, byteCount > limit { throw ImageError(.tooLarge, "\(name): \(byteCount) bytes") }
        var bytes: [UInt8] = []
        // The announced size may be false.
        bytes.reserveCapacity(min(max(0, byteCount ?? 0), 1 << 20))
        try await read { piece in
            guard !piece.isEmpty else { return }
            guard bytes.count + piece.count <= limit else {
                throw ImageError(.tooLarge, "\(name): over \(limit) bytes")
            }
            bytes += piece
            if let byteCount, bytes.count > byteCount {
                throw ImageError(.source, "\(name): more than the announced \(byteCount) bytes")
            }
            progress(bytes)
        }
        // A sequence may end early when its task is cancelled.
        try Task.checkCancellation()
        if let byteCount, bytes.count < byteCount {
            throw ImageError(.incomplete, "\(name): \(bytes.count) of \(byteCount) bytes")
        }
        return bytes
    }
}
