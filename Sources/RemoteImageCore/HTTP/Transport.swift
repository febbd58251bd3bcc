// The interface of transports. The default is `CurlTransport`; a program may provide its own.

import HTTPTypes

/// Performs HTTP transfers.
///
/// A transport follows redirects, decodes the content coding, enforces the limits of the request
/// while data arrives, and passes the response to the receiver. It does not cache.
///
/// A program may put its own HTTP client in place of libcurl. With ``leavesRedirects``, the client
/// need not follow redirects or enforce limits:
///
/// ```swift
/// struct ClientTransport: Transport {
///     let leavesRedirects = true
///
///     func load(
///         _ request: TransferRequest, into receiver: any TransferReceiver
///     ) async throws(ImageError) {
///         // Send a GET for request.address.string with request.headers.
///         try receiver.receive(TransferHead(status: 200, address: request.address))
///         // Pass each piece of the body, with its content coding decoded.
///         try receiver.receive([0x89, 0x50])
///     }
/// }
///
/// let transport = ClientTransport()
/// let configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
/// let pipeline = ImagePipeline(configuration)
/// ```
public protocol Transport: Sendable {
    /// Performs one GET: passes the head of the response and the pieces of its body to the
    /// receiver, and returns when the body is complete, whatever the status.
    ///
    /// The receiver is called on any thread, one call at a time, and never after the method has
    /// returned. An error that it throws ends the transfer, and this method throws the same error.
    /// Cancelling the task closes the connection, or resets the stream, and the method soon throws
    /// ``ImageError/cancelled``.
    ///
    /// The method is called on a thread that many loads share: it must not block, and must leave
    /// computing to other threads.
    ///
    /// A transfer that fails throws ``ImageError/Code/connection`` before the head, and
    /// ``ImageError/Code/incomplete`` after it, or another code that says more.
    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError)

    /// Whether the transport passes on redirects as it receives them and enforces no limits:
    /// `false` by default.
    ///
    /// With `true`, the library follows the redirects as ``CurlTransport`` does: never from https
    /// to http, with credentials only to the origin of the request, and with the cookies that the
    /// redirects set. It enforces ``TransferLimits/timeout``, ``TransferLimits/maxBodyByteCount``
    /// and ``TransferLimits/maxRedirects``, and a body that is shorter than its `Content-Length`
    /// fails with ``ImageError/Code/incomplete``. Of each head it uses the status, the header
    /// fields and ``TransferHead/timeSinceConnected`` alone.
    var leavesRedirects: Bool { get }
}

extension Transport {
    public var leavesRedirects: Bool { false }
}

/// Receives the response of a transfer.
public protocol TransferReceiver: AnyObject, Sendable {
    /// Called once with the head of the final response, after redirects, whatever its status.
    /// Interim responses (1xx) are not passed on.
    func receive(_ head: TransferHead) throws(ImageError)

    /// Called with each piece of the body, in order, with its content coding decoded. The bytes are
    /// valid only during the call.
    func receive(_ bytes: borrowing RawSpan) throws(ImageError)
}

extension TransferReceiver {
    /// Receives a piece of the body.
    public func receive(_ bytes: some Sequence<UInt8>) throws(ImageError) {
        let bytes = Array(bytes)
        if !bytes.isEmpty { try receive(bytes.span.bytes) }
    }
}

/// The head of a response.
///
/// The header fields are as received, with bytes above 0x7F as Latin-1. If there is a
/// `Content-Encoding`, it and `Content-Length` describe the encoded body, not the delivered one.
public struct TransferHead: Sendable {
    /// The status code of the response.
    public var status: Int
    /// The header fields of the response.
    public var headers: HTTPFields
    /// The final address, after redirects.
    public var address: WebAddress
    /// The size of the body in bytes. `nil` if the response does not state it or has a content
    /// coding.
    public var expectedByteCount: Int?
    /// The time from the establishment of the connection, including TLS, to this head. `nil`, the
    /// default, if the transport does not measure it or used an open connection.
    public var timeSinceConnected: Duration?
    /// The redirects that led to the response.
    var redirects: [RedirectTerms.Hop] = []
    /// Whether the body may have been truncated without detection (RFC 9112 section 9.8). Such a
    /// response is shown but never stored.
    var mayBeTruncated = false
    /// Whether the body is the complete resource: 2xx except 206, a partial response (RFC 9110
    /// section 15.3.7), which was not asked for.
    var isSuccess: Bool { Self.isSuccess(status) }

    static func isSuccess(_ status: Int) -> Bool { (200..<300).contains(status) && status != 206 }

    var redirectTerms: RedirectTerms? { redirects.isEmpty ? nil : RedirectTerms(redirects) }

    /// Creates the head of a response, by default without header fields and with a body of unknown
    /// length.
    public init(status: Int, headers: HTTPFields = [:], address: WebAddress, expectedByteCount: Int? = nil) {
        self.status = status
        self.headers = headers
        self.address = address
        self.expectedByteCount = expectedByteCount
    }
}

extension HTTPFields {
    /// The name of the first header that belongs to the connection and that a request must not set:
    /// the transport frames the message (RFC 9110 section 7.6.1, RFC 9112 section 6) and takes
    /// `Host` from the address (RFC 9112 section 3.2). `nil` if there is none.
    package var nameOfConnection: String? {
        first { Self.namesOfConnection.contains($0.name.canonicalName) }?.name.rawName
    }

    private static let namesOfConnection: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]
}
