// The C functions of responses that a filter checks. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_response_get_type() -> GType { ResponseObject.type }

@c @implementation
public func remote_image_response_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    ResponseObject.string(self, "uri") { $0.content?.data.address?.string ?? "" }
}

@c @implementation
public func remote_image_response_get_status(_ self: OpaquePointer?) -> Int32 {
    ResponseObject.with(self, default: 0) { Int32(clamping: $0.content?.data.status ?? 0) }
}

@c @implementation
public func remote_image_response_get_header(
    _ self: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
    let name = name.map { String(cString: $0) } ?? ""
    return ResponseObject.string(self, "header-\(name.lowercased())") { $0.header(name) }
}

@c @implementation
public func remote_image_response_get_bytes(_ self: OpaquePointer?) -> OpaquePointer? {
    ResponseObject.with(self, default: nil) { $0.bytes }
}

@c @implementation
public func remote_image_response_get_attempt(_ self: OpaquePointer?) -> Int32 {
    ResponseObject.with(self, default: 0) { Int32(clamping: $0.content?.context.attempt ?? 0) }
}
