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
        guard let end = address.range(of: "://") else { return .environment }
        let rest = address[end.upperBound...]
        return switch address[..<end.lowerBound].lowercased() {
        case "http": .desktop("http://\(rest)")
        case "https": .desktop("https://\(rest)")
        // The proxy resolves the names, as in browsers.
        case "socks", "socks5": .desktop("socks5h://\(rest)")
        case "socks4": .desktop("socks4://\(rest)")
        case "socks4a": .desktop("socks4a://\(rest)")
        default: .environment
        }
    }
}

extension String {
    /// The first range of `part`. The standard library has this for regular expressions only.
    fileprivate func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
