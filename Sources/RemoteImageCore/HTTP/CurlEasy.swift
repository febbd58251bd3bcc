// An easy handle of libcurl and the memory that it references. This file contains the unsafe code
// of the transport: C callbacks, and options that libcurl keeps by reference.

import CRemoteImageCurl
import Glibc
import HTTPTypes

/// Owns a `CURL`, its error text and its request headers. Used on the curl thread only. While the
/// handle is in a multi handle, the owner of this object keeps it and its transfer alive.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let identityCode: CURLcode

    /// Sets the options that all transfers of a transport share.
    init?(_ configuration: CurlTransport.Configuration) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        ccurl_set_error_buffer(handle, errorText)
        ccurl_set_protocols(handle, "http,https")
        ccurl_set_follow_location(handle, 0)
        ccurl_set_http_version(handle, Int(CURL_HTTP_VERSION_2TLS))
        // All codings that libcurl can decode.
        ccurl_set_accept_encoding(handle, "")
        ccurl_set_user_agent(handle, HTTPField(name: .userAgent, value: configuration.userAgent).value)
        ccurl_set_low_speed_limit(handle, 1024)
        ccurl_set_no_signal(handle, 1)
        // A cancelled name lookup ends later by itself; without this option, cancelling waits for
        // it.
        ccurl_set_quick_exit(handle, 1)
        ccurl_set_tcp_keepalive(handle, 1)
        ccurl_set_suppress_connect_headers(handle, 1)
        ccurl_set_buffer_size(handle, Self.bufferSize)
        identityCode = configuration.setIdentities(handle)
        ccurl_set_header_function(handle, receiveHeader)
        ccurl_set_write_function(handle, receiveBody)
        ccurl_set_open_socket_function(handle, openSocket)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        errorText.deallocate()
    }

    /// Prepares the handle for a GET of `transfer` by setting all options that differ between
    /// transfers.
    func prepare(
        for address: WebAddress, headers: HTTPFields, decodesBody: Bool, timeout: Duration, limits: TransferLimits,
        configuration: CurlTransport.Configuration, transfer: CurlTransfer
    ) {
        errorText.pointee = 0
        ccurl_set_content_decoding(handle, decodesBody ? 1 : 0)
        ccurl_set_url(handle, address.string)
        // Waits for a connection that may support HTTP/2 instead of opening another one.
        // Connections without TLS never do, and libcurl would wait for their first response.
        ccurl_set_pipe_wait(handle, address.scheme == .https ? 1 : 0)
        set(headers)
        ccurl_set_proxy(handle, configuration.proxyOption(for: address))
        ccurl_set_connect_timeout_ms(handle, limits.connectTimeout.milliseconds)
        ccurl_set_timeout_ms(handle, timeout.milliseconds)
        ccurl_set_low_speed_time(handle, limits.stallTimeout.wholeSeconds)

        let context = Unmanaged.passUnretained(transfer).toOpaque()
        ccurl_set_header_data(handle, context)
        ccurl_set_write_data(handle, context)
        ccurl_set_open_socket_data(handle, context)
    }

    /// The error for an https address if libcurl has refused the certificate settings; otherwise
    /// `nil`.
    func refusal(of address: WebAddress) -> ImageError? {
        guard address.scheme == .https, identityCode != CURLE_OK else { return nil }
        return ImageError(.tls, "\(address.authority): \(String(cString: curl_easy_strerror(identityCode)))")
    }

    /// Stops decoding the body of the current response, if
    /// ``CurlTransport/Configuration/canLeaveBodyEncoded``.
    func leaveBodyEncoded() {
        ccurl_set_content_decoding(handle, 0)
    }

    /// The error message of libcurl for the last failure.
    func message(for code: CURLcode) -> String {
        String(cString: errorText.pointee == 0 ? UnsafePointer(curl_easy_strerror(code)) : UnsafePointer(errorText))
    }

    /// The time from the start of the current hop until its connection was established; `nil` if it
    /// uses an open connection.
    var connectTime: Duration? {
        let microseconds = ccurl_connect_time(handle)
        return microseconds < 0 ? nil : .microseconds(microseconds)
    }

    /// The size of the buffer that libcurl allocates for each transfer. Measured with bodies of 200
    /// KB on the loopback interface, a transfer needed 46 µs of CPU time with 16 KiB, 36 µs with 64
    /// KiB, and 70 µs or more from 128 KiB on, where each allocation is a system call.
    private static let bufferSize = 64 << 10

    private func set(_ fields: HTTPFields) {
        curl_slist_free_all(headers)
        headers = nil
        var cookies: [String] = []
        for field in fields {
            // `HTTPFields` splits a cookie header, but HTTP/1 allows only one (RFC 6265 section
            // 5.4).
            if field.name == .cookie {
                cookies.append(field.value)
            } else {
                append(field.name.rawName, field.value)
            }
        }
        if !cookies.isEmpty { append("Cookie", cookies.joined(separator: "; ")) }
        ccurl_set_headers(handle, headers)
    }

    private func append(_ name: String, _ value: String) {
        // In libcurl's notation, a colon without a value removes the header, and a semicolon sends
        // it empty.
        let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
        let bytes = (Latin1.encode(line) ?? Array(line.utf8)) + [0]
        let longer = bytes.withUnsafeBytes {
            curl_slist_append(headers, $0.bindMemory(to: CChar.self).baseAddress)
        }
        if let longer { headers = longer }
    }
}

// MARK: Callbacks, on the curl thread, within `curl_multi_perform`

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context) else { return 0 }
    return transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : aborted(count)
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context) else { return 0 }
    return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : aborted(count)
}

/// A return value other than `count` without a special meaning, which aborts the transfer.
private func aborted(_ count: Int) -> Int {
    count == 0 ? 1 : 0
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = transfer(context), let address else { return -1 }
    let isAllowed = withUnsafePointer(to: &address.pointee.addr) {
        transfer.mayConnect(to: $0, length: Int(address.pointee.addrlen))
    }
    guard isAllowed else { return -1 }
    // libcurl opens sockets without `SOCK_CLOEXEC`. Child processes would inherit them and keep
    // connections open.
    return socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
}

// MARK: Options

extension Duration {
    /// In milliseconds; at least 1, since 0 selects libcurl's default, and at most the maximum of a
    /// 32-bit `long`.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max / 1000) else { return Int(Int32.max) }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    /// In seconds, rounded up; at least 1, and at most the maximum of every libcurl version.
    fileprivate var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(max(1, seconds + (attoseconds > 0 ? 1 : 0)), Int64(UInt16.max)))
    }
}

extension CurlTransport.Configuration {
    /// The value of `CURLOPT_PROXY`; `nil` uses the environment, an empty string no proxy.
    fileprivate func proxyOption(for target: WebAddress) -> String? {
        // A proxy would resolve the name, so the resolved address could not be checked. The
        // transfer uses a proxy on the loopback address instead, whose connection is refused as
        // private; libcurl still applies `no_proxy`.
        if blocksPrivateNetworks, proxy.isSet(for: target.scheme) { return "http://127.0.0.1:9" }
        return switch proxy {
        case .environment: nil
        // A transfer that waits for its proxy is not prepared.
        case .direct, .pending: ""
        case .address(let address): address
        case .desktop(let address): target.isOnThisMachine ? "" : address
        }
    }
}

extension WebAddress {
    /// Whether the host is the loopback host, by its name or address.
    fileprivate var isOnThisMachine: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "::1"
            || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
    }
}

extension CurlTransport.Proxy {
    /// Whether the environment sets a proxy for the scheme.
    private static func isInEnvironment(_ scheme: WebAddress.Scheme) -> Bool {
        // `HTTP_PROXY` is ignored, since web servers set it from the request header `Proxy`.
        let names =
            switch scheme {
            case .http: ["http_proxy", "all_proxy", "ALL_PROXY"]
            case .https: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            }
        return names.contains { getenv($0).map { $0.pointee != 0 } ?? false }
    }

    fileprivate func isSet(for scheme: WebAddress.Scheme) -> Bool {
        switch self {
        case .environment: Self.isInEnvironment(scheme)
        case .direct, .pending: false
        case .address(let address), .desktop(let address): !address.isEmpty
        }
    }
}
