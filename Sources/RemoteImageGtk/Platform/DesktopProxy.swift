import CGtk

/// The proxy of the desktop's settings, in the terms of libcurl.
enum DesktopProxy {
    /// Asks for the proxy of web addresses. May wait for the settings; for a thread of its own.
    ///
    /// One proxy is asked for and used for all: libcurl has one setting for a transport, and of the exceptions it knows
    /// those of the environment. The machine itself is always one.
    static func current() -> CurlTransport.Proxy {
        guard let resolver = g_proxy_resolver_get_default(), g_proxy_resolver_is_supported(resolver) != 0,
            let answers = g_proxy_resolver_lookup(resolver, "https://images.example.org/", nil, nil)
        else { return .environment }
        defer { g_strfreev(answers) }
        guard let first = answers[0] else { return .environment }
        return proxy(from: String(cString: first))
    }

    /// What GLib's spelling of a proxy means. Where the desktop wants none, the environment may: programs started from a
    /// terminal expect it to hold.
    static func proxy(from address: String) -> CurlTransport.Proxy {
        guard let end = address.range(of: "://") else { return .environment }
        let rest = address[end.upperBound...]
        return switch address[..<end.lowerBound].lowercased() {
        case "http": .desktop("http://\(rest)")
        case "https": .desktop("https://\(rest)")
        // The names are left to the proxy, as browsers do.
        case "socks", "socks5": .desktop("socks5h://\(rest)")
        case "socks4": .desktop("socks4://\(rest)")
        case "socks4a": .desktop("socks4a://\(rest)")
        default: .environment
        }
    }
}

extension String {
    /// The first place of `part`; the standard library has this for regular expressions only.
    fileprivate func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
