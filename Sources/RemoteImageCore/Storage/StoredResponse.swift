import HTTPTypes

/// The metadata of a stored response, without its body.
public struct StoredResponse: Sendable {
    /// The status code of the response.
    public var status: Int
    /// The header fields, without those of the connection (RFC 9111 section 3.1).
    public var headers: HTTPFields
    /// The final address, after redirects.
    public var address: WebAddress
    /// The time at which the request was sent, in seconds since 1970.
    public var requestTime: Double
    /// The time at which the response was received, in seconds since 1970.
    public var responseTime: Double
    /// For each field named in `Vary`, in lower case, a hash of the request's values (RFC 9111
    /// section 4.1). Hashes, since the values may be secret.
    public var varying: [String: String]
    /// The constraints of the redirects; `nil` if there are none.
    public var redirect: RedirectTerms?
    /// The location of the body in its store, its size and its checksum.
    public var body: StoredBody

    /// Creates a response, by default without `Vary` and redirects.
    public init(
        status: Int, headers: HTTPFields, address: WebAddress, requestTime: Double, responseTime: Double,
        varying: [String: String] = [:], redirect: RedirectTerms? = nil, body: StoredBody = StoredBody()
    ) {
        self.status = status
        self.headers = headers
        self.address = address
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.varying = varying
        self.redirect = redirect
        self.body = body
    }
}

/// Identifies the body of a stored response.
public struct StoredBody: Hashable, Sendable {
    /// The name of the body; the store sets it.
    public var name: String
    /// The size of the body, in bytes.
    public var byteCount: Int
    /// A checksum that detects damage; the store sets it.
    public var checksum: UInt64

    /// Creates a description, by default of an empty body that the store has not named yet.
    public init(name: String = "", byteCount: Int = 0, checksum: UInt64 = 0) {
        self.name = name
        self.byteCount = byteCount
        self.checksum = checksum
    }
}

extension HTTPFields {
    /// The header fields of a response that may be stored: all except those of the connection and
    /// those that `Connection` names (RFC 9111 section 3.1, RFC 9110 section 7.6.1).
    var storable: HTTPFields {
        var dropped: Set<String> = [
            "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
            "proxy-authentication-info", "proxy-authorization", "trailer",
        ]
        for value in self[values: .connection] {
            for name in value.split(separator: ",") {
                dropped.insert(name.filter { $0 != " " && $0 != "\t" }.lowercased())
            }
        }
        return HTTPFields(filter { !dropped.contains($0.name.canonicalName) })
    }
}

extension ContentVersion {
    /// The version of the body of a stored response.
    init(_ body: StoredBody) { self.init(checksum: body.checksum, byteCount: body.byteCount) }
}
