import HTTPTypes

/// A response as it is stored, without its body.
public struct StoredResponse: Sendable {
    /// The status code of the response.
    public var status: Int
    /// As they came, less what belongs to the connection (RFC 9111 section 3.1).
    public var headers: HTTPFields
    /// Where it came from, after redirects.
    public var address: WebAddress
    /// When the request was sent and the response came, in seconds since 1970.
    public var requestTime: Double
    /// When the response came, in seconds since 1970.
    public var responseTime: Double
    /// Of each field that `Vary` names, in lower case, a hash of the request's values (RFC 9111 section 4.1): they may be
    /// secret.
    public var varying: [String: String]
    /// What the redirects on the way allow; nil where there were none that matter.
    public var redirect: RedirectTerms?
    /// The name of the body in its store, and what it must be.
    public var body: StoredBody

    /// Creates a response without `Vary` and redirects, by default.
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

/// Where the body of a stored response is.
public struct StoredBody: Hashable, Sendable {
    /// Given by the store.
    public var name: String
    /// The size of the body, in bytes.
    public var byteCount: Int
    /// Given by the store, to tell a damaged body.
    public var checksum: UInt64

    /// Creates an empty body that no store has named yet, by default.
    public init(name: String = "", byteCount: Int = 0, checksum: UInt64 = 0) {
        self.name = name
        self.byteCount = byteCount
        self.checksum = checksum
    }
}

extension HTTPFields {
    /// The fields of a response that may be stored: those of the connection are left out, and what `Connection` names
    /// (RFC 9111 section 3.1, RFC 9110 section 7.6.1).
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
