import CRemoteImageGtk
import Glibc

/// Writes to a `GOutputStream` without blocking.
@MainActor
final class StreamWriter {
    private let stream: ObjectReference
    private let priority: Int32
    private let cancellable: ObjectReference?

    init(_ stream: UnsafeMutableRawPointer, _ priority: Int32, _ cancellable: UnsafeMutablePointer<GCancellable>?) {
        self.stream = ObjectReference(borrowing: stream)
        self.priority = priority
        Self.unblock(stream)
        self.cancellable = cancellable.map { ObjectReference(borrowing: UnsafeMutableRawPointer($0)) }
    }

    /// On Wayland, GTK passes a blocking pipe to another program, for which GLib would wait on the
    /// main thread.
    private static func unblock(_ stream: UnsafeMutableRawPointer) {
        guard shim_is_a(stream, g_type_from_name("GUnixOutputStream")) != 0 else { return }
        let descriptor = shim_get_int(stream, "fd")
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    func write(_ bytes: [UInt8]) async throws(ImageError) {
        guard let content = SharedBytes.make(bytes) else { return }
        // The stream reads the bytes until it calls back.
        defer { g_bytes_unref(content) }
        let failure = await withCheckedContinuation { continuation in
            g_output_stream_write_all_async(
                stream.pointer.assumingMemoryBound(to: GOutputStream.self),
                UnsafeMutableRawPointer(mutating: g_bytes_get_data(content, nil)), g_bytes_get_size(content), priority,
                cancellable?.pointer.assumingMemoryBound(to: GCancellable.self),
                { stream, result, data in
                    guard let data else { return }
                    let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
                    waiting.value.resume(returning: StreamWriter.failure(of: stream, result))
                }, Unmanaged.passRetained(Waiting(continuation)).toOpaque())
        }
        if let failure { throw failure }
    }

    private nonisolated static func failure(
        of stream: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?
    ) -> ImageError? {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        let output = stream.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GOutputStream.self) }
        guard g_output_stream_write_all_finish(output, result, nil, &error) == 0 else { return nil }
        return ImageError(.io, error.map { String(cString: $0.pointee.message) } ?? "")
    }

    private typealias Waiting = Box<CheckedContinuation<ImageError?, Never>>
}
