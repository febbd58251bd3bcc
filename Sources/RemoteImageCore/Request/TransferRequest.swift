import HTTPTypes

/// A request to a transport.
public struct TransferRequest: Sendable {
    /// The address to load.
    public var address: WebAddress
    /// The header fields, sent as given. The transport adds `User-Agent` and `Accept-Encoding` if
    /// they are missing. With `Range` it requests no content coding, since ranges count encoded
    /// bytes.
    public var headers: HTTPFields
    /// The limits on time, size and redirects.
    public var limits: TransferLimits
    /// The proxy: by default `nil`, that of the transport. See ``ImagePipeline/proxy``.
    public var proxy: CurlTransport.Proxy?

    /// Creates a request, by default without header fields and with the default limits.
    public init(_ address: WebAddress, headers: HTTPFields = [:], limits: TransferLimits = TransferLimits()) {
        self.address = address
        self.headers = headers
        self.limits = limits
    }
}
