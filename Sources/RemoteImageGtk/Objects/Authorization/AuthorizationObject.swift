// `RemoteImageAuthorization`: an account whose credentials the program supplies in a signal.

import CRemoteImageGtk
import HTTPTypes

/// The property values of an authorization.
package struct AuthorizationSettings: Equatable {
    package var account: String?
    package var origins: [String] = []
    package var headerName: String? = "Authorization"
}

/// The state of a `RemoteImageAuthorization`.
@MainActor
package final class AuthorizationObject: ObjectState {
    private enum Life {
        case configurable
        case used
    }

    private var settings = AuthorizationSettings()
    private var life = Life.configurable
    private var hasReportedMissingHandler = false
    // Not owned: the instance owns this state.
    private let object: UnsafeMutablePointer<GObject>

    package init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    package var properties: AuthorizationSettings {
        get { settings }
        set {
            guard case .configurable = life else {
                shim_critical("RemoteImageAuthorization: it is in use already; set its properties before its first use")
                return
            }
            if newValue.headerName != settings.headerName, newValue.headerName.flatMap({ HTTPField.Name($0) }) == nil {
                shim_critical("RemoteImageAuthorization: the header-name is not the name of a header, and is not set")
                return
            }
            if newValue.origins != settings.origins,
                let error = AuthorizationProvider.invalidOrigin(among: newValue.origins)
            {
                shim_critical("RemoteImageAuthorization: \(error.detailedMessage), so its requests fail")
            }
            settings = newValue
        }
    }

    /// The provider of the authorization of a property; `nil` without one.
    static func provider(of slot: ObjectSlot) -> AuthorizationProvider? {
        slot.pointer.map { of($0).makeProvider() }
    }

    // The provider retains the object, so the object does not retain the provider.
    private func makeProvider() -> AuthorizationProvider {
        let field = settings.headerName.flatMap { HTTPField.Name($0) } ?? .authorization
        guard let account = settings.account, !account.isEmpty else {
            if life == .configurable {
                shim_critical("RemoteImageAuthorization: it has no account, so its requests fail")
            }
            life = .used
            return AuthorizationProvider(account: "", origins: settings.origins, field: field) { _ in
                throw ImageError(.source, "the RemoteImageAuthorization has no account")
            }
        }
        life = .used
        let reference = ObjectReference(borrowing: UnsafeMutableRawPointer(object))
        return AuthorizationProvider(account: account, origins: settings.origins, field: field) { request in
            try await CredentialRequestObject.ask(request) { AuthorizationObject.of(reference.pointer).emit($0) }
        }
    }

    /// Passes a request to the handlers of the signal.
    private func emit(_ request: UnsafeMutableRawPointer) {
        guard g_signal_has_handler_pending(object, Self.credentialNeeded, 0, 0) != 0 else {
            let message = "the signal credential-needed of the RemoteImageAuthorization has no handler"
            if !hasReportedMissingHandler { shim_warning("\(message), so its requests fail") }
            hasReportedMissingHandler = true
            return CredentialRequestObject.of(request).answer(.failure(ImageError(.source, message)), in: "emit")
        }
        shim_emit_object(object, Self.credentialNeeded, request)
    }

    nonisolated private static let credentialNeeded: guint = shim_signal_new_object(
        "credential-needed", type, CredentialRequestObject.type)
}

extension AuthorizationObject {
    nonisolated package static let table = PropertyTable<AuthorizationObject>(
        AuthorizationSettings(),
        [
            .writable("account", .string, \.account).constructOnly(),
            .writable("origins", .strings, \.origins),
            .writable("header-name", .string, \.headerName),
        ])

    nonisolated package static let typeName: StaticString = "RemoteImageAuthorization"

    nonisolated package static let type: GType = register()

    nonisolated package static func initialize(_ classPointer: UnsafeMutableRawPointer) {
        // Registered here, so that handlers can be connected before the first emission.
        _ = credentialNeeded
    }
}
