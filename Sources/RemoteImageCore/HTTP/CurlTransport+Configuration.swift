// The settings of a curl transport, which apply to all its transfers.

import CRemoteImageCurl

extension CurlTransport {
    /// The settings of a transport. All have defaults.
    public struct Configuration: Hashable, Sendable {
        /// The maximum number of concurrent connections to one host: 6 by default, at least 1. Over
        /// HTTP/2 one connection carries many transfers.
        public var maxConnectionsPerHost: Int

        /// The maximum number of connections, active and idle: 16 by default, at least 1. Further
        /// transfers wait, and their timeouts run meanwhile; the caller is responsible for the
        /// order of transfers.
        public var maxConnections: Int

        /// The `User-Agent` of requests that do not set the header: by default the names of the
        /// program and of this library, `gallery RemoteImage/1.0.0`. Control characters are sent as
        /// spaces, as in all header fields.
        public var userAgent: String

        /// The proxy: by default that of the environment.
        public var proxy: Proxy

        /// The path of a PEM file with certificates that are trusted instead of those of the
        /// system. `nil`, the default, trusts those of the system. If the file cannot be read,
        /// every https transfer fails with ``ImageError/Code/tls``.
        public var certificateBundle: String?

        /// The path of a PEM file with certificates that are trusted in addition to those of the
        /// system or of ``certificateBundle``, such as those of a company. `nil`, the default, adds
        /// none. If the file cannot be read, every https transfer fails with
        /// ``ImageError/Code/tls``.
        public var additionalCertificates: String?

        /// The certificate for servers that require client authentication. `nil`, the default,
        /// sends none. If it cannot be read, every https transfer fails with
        /// ``ImageError/Code/tls``.
        public var clientCertificate: ClientCertificate?

        /// Public keys of which a server must have one, in addition to a trusted certificate. Each
        /// is the Base64 text of the SHA-256 hash of a key (`CURLOPT_PINNEDPUBLICKEY`, without
        /// `sha256//`). Empty, the default, requires none. With another key, the transfer fails
        /// with ``ImageError/Code/tls``.
        public var pinnedPublicKeys: [String]

        /// Whether redirects from https to http are allowed: `false` by default. Such a redirect
        /// then fails with ``ImageError/Code/forbiddenScheme``.
        public var allowsInsecureRedirects: Bool

        /// Whether loopback, link-local, private and other non-public addresses fail with
        /// ``ImageError/Code/forbiddenAddress``, also after redirects: `false` by default. The
        /// address that a name resolves to is checked. Transfers through a proxy fail too, since
        /// the proxy resolves the name.
        public var blocksPrivateNetworks: Bool

        /// Ports whose servers count as public, for tests of redirects from a public to a private
        /// server.
        var portsTakenForPublic: Set<UInt16> = []

        /// Whether the decoding of a body can be switched off after its head. libcurl up to 8.5
        /// checks the option with each piece of the body. Later versions fail on unknown codings,
        /// so the response is requested again without decoding.
        var canLeaveBodyEncoded = curl_version_info(CURLVERSION_FIRST).pointee.version_num < 0x080600

        /// Creates a configuration; settings that are left out have their defaults. A `userAgent`
        /// of `nil` is the default one.
        public init(
            maxConnectionsPerHost: Int = 6, maxConnections: Int = 16, userAgent: String? = nil,
            proxy: Proxy = .environment, certificateBundle: String? = nil, additionalCertificates: String? = nil,
            clientCertificate: ClientCertificate? = nil, pinnedPublicKeys: [String] = [],
            allowsInsecureRedirects: Bool = false, blocksPrivateNetworks: Bool = false
        ) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
            self.maxConnections = maxConnections
            self.userAgent = userAgent ?? UserAgent.standard
            self.proxy = proxy
            self.certificateBundle = certificateBundle
            self.additionalCertificates = additionalCertificates
            self.clientCertificate = clientCertificate
            self.pinnedPublicKeys = pinnedPublicKeys
            self.allowsInsecureRedirects = allowsInsecureRedirects
            self.blocksPrivateNetworks = blocksPrivateNetworks
        }
    }

    /// A client certificate and its key, as PEM files.
    public struct ClientCertificate: Hashable, Sendable {
        /// The path of the certificate file.
        public var certificatePath: String
        /// The path of the key file; `nil` if the certificate file contains the key.
        public var keyPath: String?
        /// The password of the key; `nil`, the default, for an unencrypted key.
        public var keyPassword: String?

        /// Creates a client certificate from PEM files, which are read when a connection is opened.
        public init(certificatePath: String, keyPath: String? = nil, keyPassword: String? = nil) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
            self.keyPassword = keyPassword
        }
    }

    /// The proxy between the transport and the servers.
    public enum Proxy: Hashable, Sendable {
        /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as libcurl reads them.
        case environment
        /// No proxy, regardless of the environment.
        case direct
        /// The address of a proxy, with the schemes of `CURLOPT_PROXY`: `http`, `https`, `socks4a`,
        /// `socks5h` and others. The environment variable `no_proxy` still applies.
        case address(String)
        /// The address of a proxy from the desktop's settings. Unlike ``address(_:)``, it is not
        /// used for servers on the local machine.
        case desktop(String)
        /// Not known yet: transfers wait until ``CurlTransport/setProxy(_:)`` is called. Their
        /// timeouts run meanwhile.
        case pending
    }
}

extension CurlTransport.Configuration {
    mutating func raiseLimits(connections: Int, perHost: Int) {
        maxConnections = max(maxConnections, connections)
        maxConnectionsPerHost = max(maxConnectionsPerHost, perHost)
    }
}
