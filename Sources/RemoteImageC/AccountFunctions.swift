// The C functions that remove accounts and identities. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_pipeline_remove_account_async(
    _ self: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let account else { return shim_critical("remote_image_pipeline_remove_account_async: account is NULL") }
    let name = String(cString: account)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in
        try await pipeline.pipeline.removeAll(ofAccount: name)
        return .count(1)
    }
}

@c @implementation
public func remote_image_pipeline_remove_identity_async(
    _ self: OpaquePointer?, _ identity: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let identity else { return shim_critical("remote_image_pipeline_remove_identity_async: identity is NULL") }
    let name = String(cString: identity)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in .count(try await pipeline.pipeline.remove(named: name))
    }
}
