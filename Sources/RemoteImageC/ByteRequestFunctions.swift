// The C functions of requests for bytes. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_byte_request_get_type() -> GType { ByteRequestObject.type }

@c @implementation
public func remote_image_byte_request_get_identity(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    ByteRequestObject.string(self, "identity") { $0.request?.question }
}

@c @implementation
public func remote_image_byte_request_get_cancellable(_ self: OpaquePointer?) -> UnsafeMutablePointer<GCancellable>? {
    ByteRequestObject.with(self, default: nil) { $0.cancellable?.assumingMemoryBound(to: GCancellable.self) }
}

@c @implementation
public func remote_image_byte_request_set_length(_ self: OpaquePointer?, _ length: gint64) {
    ByteRequestObject.with(self, default: ()) {
        $0.setLength(Int64(length), in: "remote_image_byte_request_set_length")
    }
}

@c @implementation
public func remote_image_byte_request_set_content_type(
    _ self: OpaquePointer?, _ content_type: UnsafePointer<CChar>?
) {
    let type = SourceArguments.optional(content_type)
    ByteRequestObject.with(self, default: ()) {
        $0.setContentType(type, in: "remote_image_byte_request_set_content_type")
    }
}

@c @implementation
public func remote_image_byte_request_append(_ self: OpaquePointer?, _ bytes: OpaquePointer?) {
    guard let piece = SourceArguments.bytes(bytes) else { return }
    ByteRequestObject.with(self, default: ()) { $0.append(piece, in: "remote_image_byte_request_append") }
}

@c @implementation
public func remote_image_byte_request_finish(_ self: OpaquePointer?) {
    ByteRequestObject.with(self, default: ()) { $0.finish(in: "remote_image_byte_request_finish") }
}

@c @implementation
public func remote_image_byte_request_send_stream(
    _ self: OpaquePointer?, _ stream: UnsafeMutablePointer<GInputStream>?
) {
    guard let stream, shim_is_a(stream, g_input_stream_get_type()) != 0 else {
        return shim_critical("remote_image_byte_request_send_stream: stream is no GInputStream")
    }
    // Neither leaves the main thread.
    nonisolated(unsafe) let (request, input) = (self.map { UnsafeMutableRawPointer($0) }, stream)
    ByteRequestObject.with(self, default: ()) { state in
        guard let request else { return }
        state.send(input, from: request, in: "remote_image_byte_request_send_stream")
    }
}

@c @implementation
public func remote_image_byte_request_use_source(_ self: OpaquePointer?, _ source: OpaquePointer?) {
    guard let source = SourceArguments.source(source) else { return }
    ByteRequestObject.with(self, default: ()) { $0.use(source, in: "remote_image_byte_request_use_source") }
}

@c @implementation
public func remote_image_byte_request_fail(_ self: OpaquePointer?, _ error: UnsafePointer<GError>?) {
    nonisolated(unsafe) let error = error  // Never leaves the main thread.
    ByteRequestObject.with(self, default: ()) { $0.fail(error, in: "remote_image_byte_request_fail") }
}
