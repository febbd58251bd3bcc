// The C functions of the filters of a pipeline. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_pipeline_set_request_filter(
    _ self: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
    _ filter: RemoteImageRequestFilter?, _ user_data: gpointer?, _ destroy: GDestroyNotify?
) {
    let data = CallbackData(user_data, destroy)
    guard let name else { return shim_critical("remote_image_pipeline_set_request_filter: name is NULL") }
    let (filterName, accountName) = (String(cString: name), account.map { String(cString: $0) })
    PipelineObject.with(self, default: ()) { pipeline in
        guard let filter else { return pipeline.setRequestFilter(filterName, account: accountName, nil) }
        pipeline.setRequestFilter(filterName, account: accountName) { request in
            filter(OpaquePointer(request), data.pointer)
        }
    }
}

@c @implementation
public func remote_image_pipeline_set_response_filter(
    _ self: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ filter: RemoteImageResponseFilter?,
    _ user_data: gpointer?, _ destroy: GDestroyNotify?
) {
    let data = CallbackData(user_data, destroy)
    guard let name else { return shim_critical("remote_image_pipeline_set_response_filter: name is NULL") }
    let filterName = String(cString: name)
    PipelineObject.with(self, default: ()) { pipeline in
        guard let filter else { return pipeline.setResponseFilter(filterName, nil) }
        pipeline.setResponseFilter(filterName) { response in refusal(of: response, by: filter, data) }
    }
}

/// The error with which a filter refuses a response; `nil` if it accepts the response.
@MainActor
private func refusal(
    of response: UnsafeMutableRawPointer, by filter: RemoteImageResponseFilter, _ data: CallbackData
) -> ImageError? {
    var error: UnsafeMutablePointer<GError>?
    let isAccepted = filter(OpaquePointer(response), data.pointer, &error) != 0
    defer { if let error { g_error_free(error) } }
    guard !isAccepted else { return nil }
    return error.map { ImageError(ofProgram: $0) } ?? ImageError(.source, "the program refused the response")
}

// MARK: Requests

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

// MARK: Responses

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
