import HTTPTypes

/// Authorizes the requests of one account, and replaces credentials that a server refuses.
///
/// The pipeline calls the closure for each transfer to one of the origins, never for a cached image
/// that is fresh. If the server refuses the credential, with status 401, or with 403 and a
/// `WWW-Authenticate` header (RFC 9110 section 11.6.1), the pipeline calls the closure again with
/// the refusal, once for all transfers with the refused credential, to any of the origins. It then
/// repeats these transfers with the new credential. If the server refuses that one too, the image
/// fails with the status of the refusal.
///
/// ```swift
/// let authorization = AuthorizationProvider(
///     account: "anna@example.org", origins: ["https://example.org"]
/// ) { request in
///     if let refusal = request.refusal {
///         return "Bearer \(try await session.token(replacing: refusal.credential))"
///     }
///     return "Bearer \(try await session.token())"
/// }
/// let options = ImageOptions(authorization: authorization)
/// ```
///
/// Cached images belong to the account, in memory and on disk: another credential of the same
/// account finds them again, another account does not. The credential itself is part of no key and
/// is never stored, and `Vary: Authorization` distinguishes accounts, not credentials.
///
/// A redirect to another origin does not receive the credential.
public struct AuthorizationProvider: Sendable, Equatable {
    /// The account, by a name that the program chooses. Stored as a hash.
    public let account: String
    /// The origins whose requests are authorized, as given to the initializer.
    public let origins: [String]
    /// The header field of the credential: `Authorization` by default.
    public let field: HTTPField.Name
    let patterns: [OriginPattern]
    let accountHash: String
    let credential: @Sendable (AuthorizationRequest) async throws -> String?

    /// Creates a provider.
    ///
    /// If the closure throws an ``ImageError``, the load fails with that error; after any other
    /// error, with ``ImageError/Code/source``. After ``ImageError/Code/connection`` and
    /// ``ImageError/Code/timeout``, stored images are used as if the server could not be reached.
    ///
    /// A load whose credential takes longer than ``ImageOptions/timeout`` fails with
    /// ``ImageError/Code/timeout``. The replacement of a refused credential has the time limit of
    /// the pipeline (``ImagePipeline/Configuration/transferLimits``) instead. A load that is
    /// cancelled or times out does not end it.
    ///
    /// - Parameters:
    ///   - account: The name of the account.
    ///   - origins: Scheme, host and port, such as `https://example.org` or
    ///     `https://media.example.org:8443`. `https://*.example.org` stands for all hosts below
    ///     `example.org`, without that host itself. Requests to other origins are sent without a
    ///     credential, and all accounts share their images. If one of the texts is not an origin,
    ///     all requests fail with ``ImageError/Code/invalidURL``.
    ///   - field: The header field of the credential.
    ///   - credential: Returns the whole value of the field, such as `Bearer` and a token; `nil`
    ///     sends no credential. Without a refusal, it is called for each transfer, concurrently,
    ///     and is cancelled with its transfer: return the token at hand. With a refusal, it is
    ///     called once for each refused credential and pipeline, for all providers with the same
    ///     account, origins and field, and is not cancelled.
    public init(
        account: String, origins: [String], field: HTTPField.Name = .authorization,
        credential: @escaping @Sendable (AuthorizationRequest) async throws -> String?
    ) {
        self.account = account
        self.origins = origins
        self.field = field
        self.credential = credential
        patterns = origins.map(OriginPattern.init)
        accountHash = SHA256.name(of: account)
    }

    /// Providers are equal if account, origins and field are equal.
    public static func == (left: AuthorizationProvider, right: AuthorizationProvider) -> Bool {
        left.account == right.account && left.origins == right.origins && left.field == right.field
    }

    /// Whether requests to an address are authorized.
    public func covers(_ address: WebAddress) -> Bool {
        patterns.contains { $0.matches(address) }
    }

    /// Whether the image of a source belongs to the account. A provider or a step of a sized source
    /// may give an address that is authorized, so their images belong to the account too.
    func applies(to source: ImageSource) -> Bool {
        // The key of a step is made before its address.
        if source.step != nil { return true }
        if case .web(let address) = source.kind { return covers(address) || invalidOrigin != nil }
        return source.mayBeSent
    }

    /// The error of the first of the origins that is not one.
    var invalidOrigin: ImageError? { patterns.contains(.invalid) ? Self.invalidOrigin(among: origins) : nil }

    /// The error of the first text that is not an origin.
    package static func invalidOrigin(among origins: [String]) -> ImageError? {
        origins.first { OriginPattern($0) == .invalid }.map { origin in
            ImageError(
                .invalidURL, "“\(origin)” is not an origin; write a scheme and a host, such as https://example.org")
        }
    }
}

/// A request that needs a credential.
public struct AuthorizationRequest: Sendable {
    /// The address of the request.
    public let address: WebAddress
    /// Why a new credential is needed; `nil` for the first credential of a transfer.
    public let refusal: Refusal?

    /// The answer of a server that refused a credential.
    public struct Refusal: Sendable {
        /// The refused credential; `nil` if the request was sent without one.
        public let credential: String?
        /// The status of the response: 401 or 403.
        public let status: Int
        /// The values of the `WWW-Authenticate` header.
        public let challenges: [String]
    }
}

/// An origin, or all subdomains of a host, in one scheme and port.
enum OriginPattern: Sendable, Equatable {
    case origin(WebAddress)
    case subdomains(of: WebAddress)
    case invalid

    init(_ text: String) {
        let marker = "://*."
        let start = text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[$0...] } ?? ""
        let isWildcard = start.hasPrefix(marker)
        let plain = isWildcard ? "\(text[..<start.startIndex])://\(start.dropFirst(marker.count))" : text
        guard let address = try? WebAddress(plain), !address.host.contains("*"),
            address.string == "\(address.scheme)://\(address.authority)/"
        else {
            self = .invalid
            return
        }
        self = isWildcard ? .subdomains(of: address) : .origin(address)
    }

    func matches(_ address: WebAddress) -> Bool {
        switch self {
        case .origin(let origin): address.hasSameOrigin(as: origin)
        case .subdomains(let parent):
            address.scheme == parent.scheme && address.port == parent.port && address.host.hasSuffix(".\(parent.host)")
        case .invalid: false
        }
    }
}
