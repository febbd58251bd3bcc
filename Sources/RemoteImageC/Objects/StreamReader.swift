import CRemoteImageGtk
import RemoteImageGtk

/// Reads a `GInputStream` to its end, without blocking.
@MainActor
final class StreamReader {
    private static let pieceSize: gsize = 1 << 16

    private let stream: ObjectReference
    private let cancellable: ObjectReference?
    private let receive: @MainActor (Result<[UInt8], ImageError>) -> Void

    /// - Parameter receive: Called with each piece. The last one is empty or an error.
    init(
        _ stream: UnsafeMutableRawPointer, cancellable: UnsafeMutableRawPointer?,
        _ receive: @escaping @MainActor (Result<[UInt8], ImageError>) -> Void
    ) {
        self.stream = ObjectReference(borrowing: stream)
        self.cancellable = cancellable.map { ObjectReference(borrowing: $0) }
        self.receive = receive
    }

    private var input: UnsafeMutablePointer<GInputStream> { stream.pointer.assumingMemoryBound(to: GInputStream.self) }

    /// Reads the next piece. The operation keeps the reader.
    func readNext() {
        g_input_stream_read_bytes_async(
            input, Self.pieceSize, G_PRIORITY_DEFAULT,
            cancellable?.pointer.assumingMemoryBound(to: GCancellable.self),
            { _, result, data in
                guard let data else { return }
                nonisolated(unsafe) let result = result  // Never leaves this call, which is on the main thread.
                let reader = Unmanaged<StreamReader>.fromOpaque(data)
                MainLoop.assumeIsolated { reader.takeRetainedValue().finish(result) }
            }, Unmanaged.passRetained(self).toOpaque())
    }

    private func finish(_ result: OpaquePointer?) {
        var error: UnsafeMutablePointer<GError>?
        guard let bytes = g_input_stream_read_bytes_finish(input, result, &error) else {
            let reason = error.map { ImageError(ofProgram: $0) } ?? ImageError(.source, "an unreadable stream")
            g_clear_error(&error)
            return receive(.failure(reason))
        }
        let piece = [UInt8](gbytes: bytes)
        g_bytes_unref(bytes)
        receive(.success(piece))
        if !piece.isEmpty { readNext() }
    }
}
