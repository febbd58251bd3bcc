// The C functions of credential requests. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_credential_request_get_type() -> GType { CredentialRequestObject.type }

@c @implementation
public func remote_image_credential_request_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    CredentialRequestObject.string(self, "uri") { $0.request?.question.address.string ?? "" }
}

@c @implementation
public func remote_image_credential_request_get_refused_credential(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    CredentialRequestObject.string(self, "refused-credential") { $0.request?.question.refusal?.credential }
}

@c @implementation
public func remote_image_credential_request_get_status(_ self: OpaquePointer?) -> Int32 {
    CredentialRequestObject.with(self, default: 0) { Int32(clamping: $0.request?.question.refusal?.status ?? 0) }
}

@c @implementation
public func remote_image_credential_request_get_challenges(
    _ self: OpaquePointer?
) -> UnsafePointer<UnsafePointer<CChar>?>? {
    CredentialRequestObject.strings(self, "challenges") { $0.request?.question.refusal?.challenges ?? [] }
}

@c @implementation
public func remote_image_credential_request_get_cancellable(
    _ self: OpaquePointer?
) -> UnsafeMutablePointer<GCancellable>? {
    CredentialRequestObject.with(self, default: nil) { $0.cancellable?.assumingMemoryBound(to: GCancellable.self) }
}

@c @implementation
public func remote_image_credential_request_respond(_ self: OpaquePointer?, _ value: UnsafePointer<CChar>?) {
    let credential = value.map { String(cString: $0) }
    CredentialRequestObject.with(self, default: ()) {
        $0.respond(credential, in: "remote_image_credential_request_respond")
    }
}

@c @implementation
public func remote_image_credential_request_fail(_ self: OpaquePointer?, _ error: UnsafePointer<GError>?) {
    nonisolated(unsafe) let error = error  // Never leaves this call, which is on the main thread.
    CredentialRequestObject.with(self, default: ()) {
        $0.fail(with: error, hidesMessage: true, in: "remote_image_credential_request_fail")
    }
}
