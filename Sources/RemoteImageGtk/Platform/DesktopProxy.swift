import CRemoteImageGtk

/// The proxy of the desktop's settings, in libcurl's syntax.
enum DesktopProxy {
    /// Looks up the proxy for web addresses. Blocks until the settings are read: call on a separate
    /// thread.
    ///
    /// One lookup serves all addresses: a libcurl transport has one proxy setting, with the
    /// exceptions of the environment variables. The local machine is always an exception.
    static func current() -> CurlTransport.Proxy {
        guard let resolver = g_proxy_resolver_get_default(), g_proxy_resolver_is_supported(resolver) != 0,
            let answers = g_proxy_resolver_lookup(resolver, "https://images.example.org/", nil, nil)
        else { return .environment }
        defer { g_strfreev(answers) }
        guard let first = answers[0] else { return .environment }
        return proxy(from: String(cString: first))
    }

    /// Converts a proxy from GLib's syntax. If the desktop sets no proxy, the environment variables
    /// apply, as programs that are started from a terminal expect.
    static func proxy(from address: String) -> CurlTransport.Proxy {
        Self.address(from: address).map { .desktop($0) } ?? .environment
    }

    /// The proxy that a program chose with a text; `nil` for `default`, the desktop's. An address
    /// that is not valid fails all requests.
    static func chosen(_ text: String?) -> CurlTransport.Proxy? {
        switch text {
        case nil, "", "default": nil
        case "none": .direct
        case let text?: .address(address(from: text) ?? text)
        }
    }

    /// Converts an address of a proxy from GLib's syntax; `nil` for another scheme.
    private static func address(from address: String) -> String? {
        guard let colon = address.firstIndex(of: ":"), address[colon...].hasPrefix("://") else { return nil }
        let (scheme, rest) = (address[..<colon].lowercased(), address[colon...].dropFirst(3))
        return switch scheme {
        case "http", "https", "socks4", "socks4a": "\(scheme)://\(rest)"
        // The proxy resolves the names, as in browsers.
        case "socks", "socks5": "socks5h://\(rest)"
        default: nil
        }
    }
}
