// Web addresses. libcurl parses them, so that the address that is compared and stored is the one
// that is requested; a second parser would differ on unusual input.

/// A normalised absolute `http` or `https` address (RFC 3986), without a fragment.
///
/// Text is read as browsers read it (the URL standard): white space around it is ignored, `\` in a
/// path is a slash, dot segments are resolved, and characters that need it are percent-encoded.
/// Unlike browsers, `\` before the path is an error. Scheme and host are in lower case, and the
/// scheme's default port is left out. Other percent-encoded octets stay as they are, since servers
/// differ on which of them are equivalent. Two addresses are equal if their strings are.
///
/// A user name and a password before the host are kept and sent as Basic authentication (RFC 7617).
/// Only ``string`` contains them; descriptions, logs and storage use ``stringWithoutUserInfo``.
///
/// A host name with non-ASCII characters is converted to its ASCII form (RFC 5891). libcurl does
/// this only in a UTF-8 locale: call `setlocale(LC_ALL, "")` when the program starts; otherwise
/// such an address is invalid.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The schemes that are allowed.
    package enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    /// A class, so that a copy is one reference: addresses are copied with every image.
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

    /// The whole address in ASCII, percent-encoded where needed.
    public var string: String { parts.string }
    /// The scheme of the address.
    package var scheme: Scheme { parts.scheme }
    /// The host in lower case. An IPv6 address is in brackets.
    public var host: String { parts.host }
    /// The port. If the address has none, the scheme's default.
    public var port: UInt16 { parts.port }

    /// Parses and normalises `text`.
    ///
    /// Throws ``ImageError/Code/invalidURL`` if it is not an absolute address, and
    /// ``ImageError/Code/forbiddenScheme`` for schemes other than http and https.
    public init(_ text: String) throws(ImageError) {
        self = try AddressParser.parse(text)
    }

    /// For the parser, which passes normalised parts.
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
    /// Whether scheme, host and port are the same (RFC 6454 section 5), so that credentials for one
    /// address are valid for the other.
    public func hasSameOrigin(as other: WebAddress) -> Bool {
        scheme == other.scheme && port == other.port && host == other.host
    }

    /// The address for display and logs: without user name and password.
    public var stringWithoutUserInfo: String {
        guard let userInfo else { return string }
        return String(string[..<userInfo.startIndex] + string[string.utf8.index(after: userInfo.endIndex)...])
    }

    /// The user name and the password as they appear in the address.
    var userInfo: Substring? {
        guard string.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let start = string.utf8.index(string.startIndex, offsetBy: scheme.rawValue.utf8.count + 3)
        let end = string[start...].utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let at = string[start..<(end ?? string.endIndex)].utf8.lastIndex(of: UInt8(ascii: "@"))
        return at.map { string[start..<$0] }
    }

    /// The path, which starts with a slash, without the query.
    var path: Substring {
        let start = string.utf8.index(string.startIndex, offsetBy: scheme.rawValue.utf8.count + 3)
        let path = string[start...].prefix { $0 != "?" }
        return path[(path.firstIndex(of: "/") ?? path.endIndex)...]
    }

    /// The address without user name and password.
    package var withoutUserInfo: WebAddress {
        let string = stringWithoutUserInfo
        return string == self.string ? self : WebAddress(string: string, scheme: scheme, host: host, port: port)
    }

    /// The address with the user name and the password of another one, if it has none itself.
    func withUserInfo(of other: WebAddress) -> WebAddress {
        guard userInfo == nil, let userInfo = other.userInfo else { return self }
        let start = string.utf8.index(string.startIndex, offsetBy: scheme.rawValue.utf8.count + 3)
        return WebAddress(
            string: "\(string[..<start])\(userInfo)@\(string[start...])", scheme: scheme, host: host, port: port)
    }

    /// Whether the addresses name the same resource apart from the query, which differs if an
    /// address is signed anew for each request.
    func isSame(exceptQuery other: WebAddress) -> Bool {
        func name(_ address: WebAddress) -> Substring { address.stringWithoutUserInfo.prefix { $0 != "?" } }
        return name(self) == name(other)
    }

    /// The host, and the port if it is not the scheme's default.
    package var authority: String {
        port == (scheme == .http ? 80 : 443) ? host : "\(host):\(port)"
    }
}
