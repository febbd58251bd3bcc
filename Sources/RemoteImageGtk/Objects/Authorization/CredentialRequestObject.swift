// `RemoteImageCredentialRequest`: a request that needs a credential.

import CRemoteImageGtk

/// The state of a `RemoteImageCredentialRequest`.
@MainActor
package final class CredentialRequestObject: RequestObject {
    package var request: (question: AuthorizationRequest, answer: AnswerOnce<String?>)?

    package init(_ object: UnsafeMutablePointer<GObject>) {}

    /// Answers with a credential; `nil` sends none.
    package func respond(_ value: String?, in function: String) {
        if let value, !value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            // Without the value, which is secret.
            shim_critical("\(function): value has characters that a header cannot contain, so its requests fail")
        }
        answer(.success(value), in: function)
    }
}

extension CredentialRequestObject {
    nonisolated package static let typeName: StaticString = "RemoteImageCredentialRequest"

    nonisolated package static let type: GType = register()
}
