// The C functions of requests that a filter changes. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_transfer_request_get_type() -> GType { TransferRequestObject.type }

@c @implementation
public func remote_image_transfer_request_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    TransferRequestObject.string(self, "uri") { $0.address }
}

@c @implementation
public func remote_image_transfer_request_set_uri(_ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?) {
    let text = uri.map { String(cString: $0) } ?? ""
    TransferRequestObject.with(self, default: ()) { $0.setAddress(text) }
}

@c @implementation
public func remote_image_transfer_request_get_header(
    _ self: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
    let name = name.map { String(cString: $0) } ?? ""
    return TransferRequestObject.string(self, "header-\(name.lowercased())") { $0.header(name) }
}

@c @implementation
public func remote_image_transfer_request_set_header(
    _ self: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) {
    let (name, value) = (name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) })
    TransferRequestObject.with(self, default: ()) {
        $0.setHeader(name, value, in: "remote_image_transfer_request_set_header")
    }
}

@c @implementation
public func remote_image_transfer_request_get_target_width(_ self: OpaquePointer?) -> Int32 {
    TransferRequestObject.with(self, default: 0) {
        Int32(clamping: $0.request?.question.context.target?.box.width ?? 0)
    }
}

@c @implementation
public func remote_image_transfer_request_get_target_height(_ self: OpaquePointer?) -> Int32 {
    TransferRequestObject.with(self, default: 0) {
        Int32(clamping: $0.request?.question.context.target?.box.height ?? 0)
    }
}

@c @implementation
public func remote_image_transfer_request_get_attempt(_ self: OpaquePointer?) -> Int32 {
    TransferRequestObject.with(self, default: 0) { Int32(clamping: $0.request?.question.context.attempt ?? 0) }
}

@c @implementation
public func remote_image_transfer_request_get_cancellable(
    _ self: OpaquePointer?
) -> UnsafeMutablePointer<GCancellable>? {
    TransferRequestObject.with(self, default: nil) { $0.cancellable?.assumingMemoryBound(to: GCancellable.self) }
}

@c @implementation
public func remote_image_transfer_request_proceed(_ self: OpaquePointer?) {
    TransferRequestObject.with(self, default: ()) { $0.proceed(in: "remote_image_transfer_request_proceed") }
}

@c @implementation
public func remote_image_transfer_request_fail(_ self: OpaquePointer?, _ error: UnsafePointer<GError>?) {
    nonisolated(unsafe) let error = error  // Never leaves this call, which is on the main thread.
    TransferRequestObject.with(self, default: ()) {
        $0.fail(with: error, hidesMessage: true, in: "remote_image_transfer_request_fail")
    }
}
