/// The limits of a transfer.
public struct TransferLimits: Hashable, Sendable {
    /// The maximum size of the body after decoding its content coding, in bytes: 32 MiB by default.
    /// A larger body fails with ``ImageError/Code/tooLarge``, as soon as it is announced or
    /// received.
    public var maxBodyByteCount: Int
    /// The maximum size of the header in bytes, including folded lines and interim responses: 256
    /// KiB by default. A larger header fails with ``ImageError/Code/protocol``, and so does one
    /// with 2,000 or more fields, or with more than 100 folded lines.
    public var maxHeaderByteCount: Int
    /// The time limit of name lookup, connection and TLS handshake together: 10 s by default.
    public var connectTimeout: Duration
    /// The time after which a transfer slower than 1 KiB/s fails: 15 s by default.
    public var stallTimeout: Duration
    /// The time limit of the whole transfer: 60 s by default. It also applies to each request hook
    /// and provider call.
    public var timeout: Duration
    /// The maximum number of redirects: 10 by default.
    public var maxRedirects: Int

    /// Creates limits; those that are left out have their defaults.
    public init(
        maxBodyByteCount: Int = 32 << 20, maxHeaderByteCount: Int = 256 << 10, connectTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(15), timeout: Duration = .seconds(60), maxRedirects: Int = 10
    ) {
        self.maxBodyByteCount = maxBodyByteCount
        self.maxHeaderByteCount = maxHeaderByteCount
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.timeout = timeout
        self.maxRedirects = maxRedirects
    }
}
