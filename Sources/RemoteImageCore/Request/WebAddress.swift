// The address of a picture on the network. libcurl parses it, so that what is compared, stored and
// looked up is what is asked for: two parsers would differ on odd input.

import CCurl

/// A normalised absolute `http` or `https` address (RFC 3986), without a fragment.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    /// The whole address, percent-encoded where needed.
    public let string: String
    public let scheme: Scheme
    /// The host in lower case; an IPv6 address stands in brackets.
    public let host: String
    /// The port, also where the address leaves it to the scheme's default.
    public let port: UInt16

    /// Parses and normalises `text`.
    ///
    /// Throws ``ImageError/Code/invalidURL`` where it is no absolute address, and
    /// ``ImageError/Code/forbiddenScheme`` where it is one of another scheme than http and https.
    public init(_ text: String) throws(ImageError) {
        self = try AddressParser.parse(text)
    }

    public var description: String { string }
}
