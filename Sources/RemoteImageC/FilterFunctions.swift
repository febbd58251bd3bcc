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
    return error.map { ImageError(ofProgram: $0, isForPeople: true) }
        ?? ImageError(.source, "the program refused the response")
}
