// Cookies (RFC 6265) of one transfer. They are kept in memory and end with it.

import HTTPTypes

/// The cookies that the redirects of a transfer set. Some servers redirect to the same address
/// until a cookie comes back.
///
/// A cookie is sent only to the origin that set it (scheme, host and port), whatever its `Domain`.
/// A `Cookie` header of the request takes precedence: such a transfer neither accepts nor sends
/// other cookies, also after a redirect has dropped the header.
struct TransferCookies {
    private let isEnabled: Bool
    /// In the order of their creation.
    private var cookies: [Cookie] = []

    // The number that browsers keep of a host, and a limit for all cookies together, since many
    // servers refuse longer request headers.
    private static let maxCount = 180
    private static let maxByteCount = 8 << 10

    /// - Parameter headers: The header fields of the request.
    init(for headers: HTTPFields) {
        isEnabled = !headers.contains(.cookie)
    }

    /// Keeps the cookies of a redirect.
    ///
    /// - Parameter now: Seconds since 1970.
    mutating func receive(_ headers: HTTPFields, from address: WebAddress, now: Double) {
        guard isEnabled else { return }
        for line in headers[values: .setCookie] {
            guard let cookie = Cookie(line, from: address, now: now) else { continue }
            if let old = cookies.firstIndex(where: { cookie.replaces($0) }) {
                cookies[old] = cookie
            } else {
                cookies.append(cookie)
            }
        }
        cookies.removeAll { $0.expiry <= now }
        while cookies.count > Self.maxCount || cookies.reduce(0, { $0 + $1.byteCount }) > Self.maxByteCount {
            cookies.removeFirst()
        }
    }

    /// The header fields of a request with the cookies for its address.
    ///
    /// - Parameter now: Seconds since 1970.
    func added(to headers: HTTPFields, for address: WebAddress, now: Double) -> HTTPFields {
        let valid = cookies.indices.filter { cookies[$0].expiry > now && cookies[$0].applies(to: address) }
        guard !valid.isEmpty else { return headers }
        // Cookies with longer paths come first, then older ones (RFC 6265 section 5.4).
        let ordered = valid.sorted { (cookies[$0].path.utf8.count, $1) > (cookies[$1].path.utf8.count, $0) }
        var headers = headers
        headers[.cookie] = ordered.map { cookies[$0].text }.joined(separator: "; ")
        return headers
    }
}

/// A cookie as a `Set-Cookie` header describes it (RFC 6265 section 5.2).
private struct Cookie {
    let name: String
    let value: String
    let origin: WebAddress
    let path: String
    /// Seconds since 1970; infinite for a cookie without an expiry.
    let expiry: Double

    private static let maxByteCount = 4096
    private static let maxAttributeByteCount = 1024

    /// Returns `nil` if the cookie is malformed, too large, or not allowed for the address.
    init?(_ line: String, from address: WebAddress, now: Double) {
        var parts = line.split(separator: ";", omittingEmptySubsequences: false).map { Self.split($0) }
        let first = parts.removeFirst()
        // A cookie without an equals sign is a value without a name, as in browsers.
        (name, value) = first.value.map { (first.name, $0) } ?? ("", first.name)
        guard 1...Self.maxByteCount ~= name.utf8.count + value.utf8.count else { return nil }

        var attributes: [String: String] = [:]
        for (name, value) in parts where (value ?? "").utf8.count <= Self.maxAttributeByteCount {
            attributes[name.lowercased()] = value ?? ""
        }
        guard Self.isAllowed(name, attributes, for: address) else { return nil }
        origin = address.withoutUserInfo
        let path = attributes["path"] ?? ""
        self.path = path.hasPrefix("/") ? path : Self.folder(of: address.path)
        expiry = Self.expiry(attributes, now: now) ?? .infinity
    }

    var text: String { name.isEmpty ? value : "\(name)=\(value)" }
    var byteCount: Int { text.utf8.count }

    func replaces(_ other: Cookie) -> Bool {
        name == other.name && path == other.path && origin.hasSameOrigin(as: other.origin)
    }

    func applies(to address: WebAddress) -> Bool {
        let requested = address.path
        return origin.hasSameOrigin(as: address) && requested.hasPrefix(path)
            && (requested == path || path.hasSuffix("/") || requested.dropFirst(path.count).first == "/")
    }

    // MARK: Parsing

    private static func split(_ part: Substring) -> (name: String, value: String?) {
        guard let mark = part.firstIndex(of: "=") else { return (String(part.trimmed), nil) }
        return (String(part[..<mark].trimmed), String(part[part.index(after: mark)...].trimmed))
    }

    /// The attributes that limit where a cookie may be set, with the rules of RFC 6265bis section
    /// 5.7 for prefixes of names.
    private static func isAllowed(_ name: String, _ attributes: [String: String], for address: WebAddress) -> Bool {
        let (name, isSecure) = (name.lowercased(), attributes["secure"] != nil)
        let needsSecure =
            attributes["samesite"]?.lowercased() == "none" || attributes["partitioned"] != nil
            || name.hasPrefix("__secure-") || name.hasPrefix("__host-")
        if needsSecure && !isSecure || isSecure && address.scheme != .https { return false }
        if name.hasPrefix("__host-"), attributes["domain"] != nil || attributes["path"] != "/" { return false }

        let named = (attributes["domain"] ?? "").lowercased()
        let domain = named.hasPrefix(".") ? String(named.dropFirst()) : named
        // No suffix of an IP address is a domain. The last label of an IPv4 address is a number,
        // and that of a name is not (URL standard, “ends in a number”).
        let lastLabel = address.host.split(separator: ".").last ?? ""
        let isName = !lastLabel.hasSuffix("]") && !lastLabel.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return domain.isEmpty || domain == address.host || isName && address.host.hasSuffix(".\(domain)")
    }

    /// The time at which the cookie ends; `nil` if no attribute states it. `Max-Age` takes
    /// precedence over `Expires`.
    private static func expiry(_ attributes: [String: String], now: Double) -> Double? {
        if let text = attributes["max-age"], let lifetime = Double(text),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        {
            return lifetime > 0 ? now + lifetime : -.infinity
        }
        guard let text = attributes["expires"] else { return nil }
        let year = 1970 + Int(now / 31_556_952)
        // Many servers write `01-Jan-1970`.
        let date =
            HTTPDate(text, currentYear: year)
            ?? HTTPDate(String(text.map { $0 == "-" ? " " : $0 }), currentYear: year)
        return date.map { Double($0.secondsSince1970) }
    }

    /// The path up to its last slash, without it; `/` if that is empty (RFC 6265 section 5.1.4).
    private static func folder(of path: Substring) -> String {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}
