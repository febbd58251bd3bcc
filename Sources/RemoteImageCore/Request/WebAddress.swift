// The address of an image on the network. libcurl parses it, so that what is compared, stored and
// looked up is what is asked for: two parsers would differ on odd input.

/// A normalised absolute `http` or `https` address (RFC 3986), without a fragment.
///
/// Scheme and host are in lower case, the scheme's default port is left out, dot segments are
/// resolved, and what an address may not contain is percent-encoded. Percent-encoded octets stay as
/// they are given, since servers differ on what they take for the same. Two addresses are equal when
/// their strings are.
///
/// A user name and a password in front of the host are kept, and sent as Basic authentication
/// (RFC 7617). They are in ``string`` alone: descriptions, logs and what is stored have ``stringWithoutUserInfo``.
///
/// A host name with other characters than ASCII becomes its international form (RFC 5891). libcurl
/// does that only in a UTF-8 locale, so a program calls `setlocale(LC_ALL, "")` at its start; without
/// it such an address is invalid.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The schemes that are allowed.
    public enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    /// One reference, however many parts: addresses are copied with every image.
    private final class Parts: Sendable {
        let string: String
        let scheme: Scheme
        let host: String
        let port: UInt16

        init(string: String, scheme: Scheme, host: String, port: UInt16) {
            self.string = string
            self.scheme = scheme
            self.host = host
            self.port = port
        }
    }

    private let parts: Parts

    /// The whole address, percent-encoded where needed. ASCII.
    public var string: String { parts.string }
    /// The scheme of the address.
    public var scheme: Scheme { parts.scheme }
    /// The host in lower case; an IPv6 address stands in brackets.
    public var host: String { parts.host }
    /// The port, also where the address leaves it to the scheme's default.
    public var port: UInt16 { parts.port }

    /// Parses and normalises `text`.
    ///
    /// Throws ``ImageError/Code/invalidURL`` where it is no absolute address, and
    /// ``ImageError/Code/forbiddenScheme`` where it is one of another scheme than http and https.
    public init(_ text: String) throws(ImageError) {
        self = try AddressParser.parse(text)
    }

    /// For the parser, which has normalised the parts.
    init(string: String, scheme: Scheme, host: String, port: UInt16) {
        parts = Parts(string: string, scheme: scheme, host: host, port: port)
    }

    /// ``stringWithoutUserInfo``.
    public var description: String { stringWithoutUserInfo }

    public var customMirror: Mirror { Mirror(self, children: [("string", stringWithoutUserInfo)]) }

    public static func == (left: WebAddress, right: WebAddress) -> Bool {
        left.parts === right.parts || left.string == right.string
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(string)
    }
}

extension WebAddress {
    /// Whether scheme, host and port are the same (RFC 6454 section 5): credentials for one address
    /// are then good for the other.
    public func hasSameOrigin(as other: WebAddress) -> Bool {
        scheme == other.scheme && port == other.port && host == other.host
    }

    /// The address as it may be shown and logged: without a user name and a password.
    public var stringWithoutUserInfo: String {
        guard let userInfo else { return string }
        return String(string[..<userInfo.startIndex] + string[string.utf8.index(after: userInfo.endIndex)...])
    }

    /// The user name and the password, as they stand in the address.
    var userInfo: Substring? {
        let start = string.utf8.index(string.startIndex, offsetBy: scheme.rawValue.utf8.count + 3)
        let end = string[start...].utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let at = string[start..<(end ?? string.endIndex)].utf8.lastIndex(of: UInt8(ascii: "@"))
        return at.map { string[start..<$0] }
    }

    /// The address without a user name and a password.
    package var withoutUserInfo: WebAddress {
        let string = stringWithoutUserInfo
        return string == self.string ? self : WebAddress(string: string, scheme: scheme, host: host, port: port)
    }

    /// Host and port, the latter unless it is the scheme's default.
    var authority: String {
        port == (scheme == .http ? 80 : 443) ? host : "\(host):\(port)"
    }
}
