import HTTPTypes

/// The bytes of an image as they came.
public struct LoadedData: Sendable {
    /// The body of the response, or the content of the file.
    public let bytes: [UInt8]
    /// The HTTP status; nil for what did not come by HTTP.
    public var status: Int?
    /// The fields of the response; empty for data that did not come by HTTP.
    public var headers: HTTPFields
    /// Where the bytes came from, after redirects.
    public var address: WebAddress?
    /// Where the bytes came from.
    public var origin: ImageOrigin
    /// Tells these bytes from others of the same address.
    let version: ContentVersion
    var retention = Retention()
    /// Lets them be stored, where they may be and are not yet.
    var pendingWrite: PendingWrite?
    /// What they are stored under, where they came from the store.
    var storeKey: String?

    /// Creates data, by default such that did not come by HTTP.
    public init(
        bytes: [UInt8], status: Int? = nil, headers: HTTPFields = [:], address: WebAddress? = nil,
        origin: ImageOrigin
    ) {
        self.bytes = bytes
        self.status = status
        self.headers = headers
        self.address = address
        self.origin = origin
        version = ContentVersion(bytes)
    }
}

/// The identity of bytes: images made of the same bytes have the same version.
struct ContentVersion: Hashable, Sendable {
    private let checksum: UInt64
    private let byteCount: Int

    init(_ bytes: [UInt8]) {
        checksum = XXHash64.hash(bytes)
        byteCount = bytes.count
    }

    /// One that no other is equal to.
    init() {
        checksum = .random(in: 0 ... .max)
        byteCount = -1
    }
}
