// What a curl transport can be told once, for all its transfers.

extension CurlTransport {
    /// The settings of a transport, all with defaults.
    public struct Configuration: Hashable, Sendable {
        /// Connections to one host at the same time: 6 by default, at least 1. Over HTTP/2 one
        /// connection carries many transfers.
        public var maxConnectionsPerHost = 6

        /// Connections at the same time, open and idle: 16 by default, at least 1. Transfers beyond
        /// wait, and their timeouts run meanwhile: order and patience are the caller's.
        public var maxConnections = 16

        /// Sent where a request has no `User-Agent` of its own. By default the name of the program
        /// and of this library: `gallery RemoteImage/0.1`. Control characters are sent as spaces, as in all header fields.
        public var userAgent = UserAgent.standard

        /// By default what the environment says.
        public var proxy = Proxy.environment

        /// The path of a file with certificates in PEM format that are trusted instead of the
        /// system's; nil, the default, trusts the system's. A file that cannot be read makes every
        /// https transfer fail with ``ImageError/Code/tls``.
        public var certificateBundle: String?

        /// The path of a file with certificates in PEM format that are trusted as well as the system's: those of a
        /// company, or of a server of one's own. Where ``certificateBundle`` is set they are trusted as well as that. A
        /// file that cannot be read makes every https transfer fail with ``ImageError/Code/tls``; nil, the default, adds
        /// nothing.
        public var additionalCertificates: String?

        /// What the program shows to servers that ask who it is; nil, the default, shows nothing. One that cannot be read
        /// makes every https transfer fail with ``ImageError/Code/tls``.
        public var clientCertificate: ClientCertificate?

        /// Public keys of which a server must have one, beside a certificate that is trusted: each the Base64 text of the
        /// SHA-256 hash of the key (`CURLOPT_PINNEDPUBLICKEY`, without `sha256//`). Empty, the default, asks for none. Another key is
        /// ``ImageError/Code/tls``.
        public var pinnedPublicKeys: [String] = []

        /// Whether a redirect may lead from https to http: false by default, and such a redirect
        /// then fails with ``ImageError/Code/forbiddenScheme``.
        public var allowsInsecureRedirects = false

        /// Whether loopback, link-local, private and other addresses that are not of the public
        /// network are refused with ``ImageError/Code/forbiddenAddress``, for redirects too: false by
        /// default. What counts is the address that a name resolves to. A transfer that would go
        /// through a proxy is refused, since the proxy resolves the name.
        public var blocksPrivateNetworks = false

        /// Ports whose servers are never taken for private: a test has no server in the public network to be redirected from.
        var portsTakenForPublic: Set<UInt16> = []

        /// Creates the default settings.
        public init() {}
    }

    /// A certificate and its key, as files in PEM format.
    public struct ClientCertificate: Hashable, Sendable {
        /// The path of the certificate, in PEM format.
        public var certificatePath: String
        /// nil where the certificate's file has the key too.
        public var keyPath: String?
        /// What the key is locked with; nil, the default, for none.
        public var keyPassword: String?

        /// Creates a certificate from files in PEM format, which are read when a connection is
        /// made.
        public init(certificatePath: String, keyPath: String? = nil, keyPassword: String? = nil) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
            self.keyPassword = keyPassword
        }
    }

    /// Who stands between the transport and the servers.
    public enum Proxy: Hashable, Sendable {
        /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as libcurl reads them.
        case environment
        /// None, whatever the environment says.
        case direct
        /// The address of a proxy, with the schemes of `CURLOPT_PROXY`: `http`, `https`, `socks4a`,
        /// `socks5h` and others. `no_proxy` of the environment still holds.
        case address(String)
        /// The same, out of the desktop's settings: the machine itself is never behind it.
        case desktop(String)
        /// Not known yet: transfers wait until ``CurlTransport/setProxy(_:)`` tells. Their time runs meanwhile.
        case pending
    }
}
