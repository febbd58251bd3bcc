import HTTPTypes

/// The encoded data of an image as it was received.
public struct LoadedData: Sendable {
    /// The body of the response, or the content of the file.
    public let bytes: [UInt8]
    /// The HTTP status; `nil` for data that was not loaded over HTTP.
    public var status: Int?
    /// The header fields of the response. For data that was not loaded over HTTP, only the
    /// `Content-Type` of a ``ByteStream``, if it has one.
    public var headers: HTTPFields
    /// The final address, after redirects; `nil` for data that was not loaded over HTTP.
    public var address: WebAddress?
    /// Whether the data comes from the network, the store or the program.
    public var origin: ImageOrigin
    /// Distinguishes this data from other data of the same address.
    let version: ContentVersion
    var retention = Retention()
    /// Stores the data when it is known to be an image, or removes the stored data that it
    /// replaces. `nil` if the store does not change.
    var pendingWrite: PendingWrite?
    /// The times of the steps that made the data; `nil` for data that the program created.
    var times: TransferTimes?
    /// The key in the store, for data that was loaded from it.
    var storeKey: String?
    /// Whether the server announced the number of bytes. Otherwise, a truncated image may be the
    /// result of a broken connection.
    var hasKnownLength = true
    /// Set if ``bytes`` are a resized image from the store, instead of the original.
    let resized: ResizedContent?

    /// Creates data, by default without HTTP metadata.
    public init(
        bytes: [UInt8], status: Int? = nil, headers: HTTPFields = [:], address: WebAddress? = nil,
        origin: ImageOrigin
    ) {
        self.init(bytes: bytes, resized: nil, status: status, headers: headers, address: address, origin: origin)
    }

    init(
        bytes: [UInt8], resized: ResizedContent?, status: Int?, headers: HTTPFields, address: WebAddress?,
        origin: ImageOrigin
    ) {
        self.bytes = bytes
        self.status = status
        self.headers = headers
        self.address = address
        self.origin = origin
        self.resized = resized
        version = resized?.version ?? ContentVersion(bytes)
    }

    /// Whether the data is the complete resource, and not the body of an error response.
    var isSuccess: Bool { status.map(TransferHead.isSuccess) ?? true }
}
