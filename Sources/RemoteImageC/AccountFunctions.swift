// The C functions of accounts: the authorizations of pipelines, views and paintables, and removal.
// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_pipeline_get_authorization(_ self: OpaquePointer?) -> OpaquePointer? {
    PipelineObject.with(self, default: nil) { $0.properties.authorization.pointer.map { OpaquePointer($0) } }
}

@c @implementation
public func remote_image_pipeline_set_authorization(_ self: OpaquePointer?, _ authorization: OpaquePointer?) {
    PipelineObject.set(self, "authorization", authorization.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_view_get_authorization(_ self: OpaquePointer?) -> OpaquePointer? {
    View.object(self, \.authorization).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_view_set_authorization(_ self: OpaquePointer?, _ authorization: OpaquePointer?) {
    View.set(self, "authorization", authorization.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_paintable_get_authorization(_ self: OpaquePointer?) -> OpaquePointer? {
    PaintableObject.object(self, \.authorization).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_paintable_set_authorization(_ self: OpaquePointer?, _ authorization: OpaquePointer?) {
    PaintableObject.set(self, "authorization", authorization.map { UnsafeRawPointer($0) })
}

// MARK: Removal

@c @implementation
public func remote_image_pipeline_remove_account_async(
    _ self: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let account else { return shim_critical("remote_image_pipeline_remove_account_async: account is NULL") }
    let name = String(cString: account)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.removeAccount(name)
    }
}

@c @implementation
public func remote_image_pipeline_remove_account_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
    AsyncResult.count(self, result, error) >= 0 ? 1 : 0
}

@c @implementation
public func remote_image_pipeline_remove_identity_async(
    _ self: OpaquePointer?, _ identity: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let identity else { return shim_critical("remote_image_pipeline_remove_identity_async: identity is NULL") }
    let name = String(cString: identity)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.removeIdentity(name)
    }
}

@c @implementation
public func remote_image_pipeline_remove_identity_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
    AsyncResult.count(self, result, error) >= 0 ? 1 : 0
}
