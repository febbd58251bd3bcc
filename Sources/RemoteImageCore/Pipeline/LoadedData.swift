import HTTPTypes

/// The bytes of a picture as they came.
public struct LoadedData: Sendable {
    public var bytes: [UInt8]
    /// The HTTP status; nil for what did not come by HTTP.
    public var status: Int?
    public var headers: HTTPFields
    /// Where the bytes came from, after redirects.
    public var address: WebAddress?
    public var origin: ImageOrigin
    /// Tells these bytes from others of the same address.
    let version = ContentVersion()

    public init(
        bytes: [UInt8], status: Int? = nil, headers: HTTPFields = [:], address: WebAddress? = nil,
        origin: ImageOrigin
    ) {
        self.bytes = bytes
        self.status = status
        self.headers = headers
        self.address = address
        self.origin = origin
    }
}

/// The identity of what one transfer brought: pictures made of the same bytes have the same version.
final class ContentVersion: Sendable {}
