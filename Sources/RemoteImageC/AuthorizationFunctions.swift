// The C functions of authorizations. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_authorization_get_type() -> GType { AuthorizationObject.type }

@c @implementation
public func remote_image_authorization_new(_ account: UnsafePointer<CChar>?) -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_authorization_new") else { return nil }
    guard let account, account.pointee != 0 else {
        shim_critical("remote_image_authorization_new: account is NULL or empty")
        return nil
    }
    return shim_object_new_with_text(AuthorizationObject.type, "account", account).map { OpaquePointer($0) }
}
