// Who brings bytes from the network. The default is `CurlTransport`; an application may bring its own.

import HTTPTypes

/// Carries out HTTP transfers.
///
/// A transport knows no cache and no image: it follows redirects, enforces the limits of the
/// request as bytes come, and reports.
public protocol Transport: Sendable {
    /// Starts a GET and returns at once: the loads of all models are begun and cancelled on one thread.
    ///
    /// The receiver is called from threads of the transport's own, never from within this method, one
    /// call at a time for one transfer, and its `transferDidFinish` exactly once, also after a
    /// cancellation. The transport retains it until then; the caller need not retain the transfer.
    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer
}

/// A transfer under way.
public protocol Transfer: Sendable {
    /// Closes the connection, or gives up the stream, at once; the receiver is told
    /// ``ImageError/Code/cancelled`` unless the transfer had ended. May be called at any time, from
    /// any thread, and repeatedly.
    func cancel()
}

/// Told what a transfer brings.
public protocol TransferReceiver: AnyObject, Sendable {
    /// The head of the final response, once, after redirects, whatever its status.
    func transferDidReceive(_ head: TransferHead)

    /// A piece of the body, decoded of its content coding, in order. The bytes are valid during the call.
    func transferDidReceive(_ bytes: borrowing RawSpan)

    /// The transfer ended: the whole body was received, or it failed.
    func transferDidFinish(_ result: Result<Void, ImageError>)
}

/// A receiver that takes a body which is there already as it is, rather than collecting its pieces.
protocol WholeBodyReceiver: TransferReceiver {
    func transferDidReceive(whole body: [UInt8])
}

/// What a transport is asked for.
public struct TransferRequest: Sendable {
    /// The address of the image.
    public var address: WebAddress
    /// Sent as given. The transport adds `User-Agent` and `Accept-Encoding` where they are missing; with
    /// `Range` it asks for no content coding, since ranges count coded bytes.
    public var headers: HTTPFields
    /// The limits on time, size and redirects.
    public var limits: TransferLimits

    /// Creates a request: without fields of its own and with the default limits, by default.
    public init(_ address: WebAddress, headers: HTTPFields = [:], limits: TransferLimits = TransferLimits()) {
        self.address = address
        self.headers = headers
        self.limits = limits
    }
}

/// The head of a response.
///
/// The headers are as they came, with bytes above 0x7F as Latin-1: where there is a `Content-Encoding`,
/// it and `Content-Length` tell of the body on the way, not of the one that is delivered.
public struct TransferHead: Sendable {
    /// The status code of the response.
    public var status: Int
    /// The fields of the response.
    public var headers: HTTPFields
    /// Where the response came from, after redirects.
    public var address: WebAddress
    /// Bytes of body to come, where the response tells and the body has no content coding.
    public var expectedByteCount: Int?
    /// Where the response came from; a transport leaves it at `network`.
    public var origin = ImageOrigin.network
    /// Until when, on the pipeline's clock, it answers without being asked for; nil for ever.
    var freshUntil: Duration?
    /// When the response came or was last confirmed, in seconds since 1970.
    var storedAt: Double?
    /// Whether it must not be kept (RFC 9111 section 5.2.2.5).
    var isKeptOnlyWhileInUse = false
    /// The redirects that led to it.
    var redirects: [RedirectTerms.Hop] = []
    /// Lets it be stored, where it may be.
    var pendingWrite: PendingWrite?
    /// Whether the body may be shorter than what the server sent, and nothing tells (RFC 9112 section 9.8). Such a response
    /// is shown, and never stored.
    var mayBeTruncated = false
    /// What it is stored under, where it came from the store.
    var storeKey: String?

    var redirectTerms: RedirectTerms? { redirects.isEmpty ? nil : RedirectTerms(redirects) }

    /// Creates the head of a response: without fields and with a body of unknown length, by
    /// default.
    public init(status: Int, headers: HTTPFields = [:], address: WebAddress, expectedByteCount: Int? = nil) {
        self.status = status
        self.headers = headers
        self.address = address
        self.expectedByteCount = expectedByteCount
    }
}

/// What a transfer may cost before it is given up.
public struct TransferLimits: Hashable, Sendable {
    /// Bytes of body after its content coding is undone: 32 MiB by default. More is
    /// ``ImageError/Code/tooLarge``, as soon as it is announced or received.
    public var maxBodyByteCount: Int = 32 << 20
    /// Bytes of header of one response, folded lines and those of interim responses included: 256 KiB by default. More is
    /// ``ImageError/Code/protocol``, and so are more than 2,000 fields or 100 folded lines.
    public var maxHeaderByteCount: Int = 256 << 10
    /// Name look-up, connection and TLS together: 10 s by default.
    public var connectTimeout: Duration = .seconds(10)
    /// A transfer slower than 1 KiB/s for this long is given up: 15 s by default.
    public var stallTimeout: Duration = .seconds(15)
    /// From start to end: 60 s by default. A request hook and a provider may take as long each.
    public var timeout: Duration = .seconds(60)
    /// Redirects that are followed: 10 by default.
    public var maxRedirects: Int = 10

    /// Creates the default limits.
    public init() {}
}
