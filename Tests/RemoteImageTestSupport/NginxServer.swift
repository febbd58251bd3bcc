import Glibc

/// A server with TLS and HTTP/2: an nginx process with a self-signed certificate for 127.0.0.1.
///
/// The process stops when the last reference is released.
public final class NginxServer: Sendable {
    /// Whether the programs are installed (packages `nginx-light` and `openssl` in Debian).
    public static let isAvailable = ChildProcess.path(of: "nginx") != nil && ChildProcess.path(of: "openssl") != nil

    private let folder: TemporaryFolder
    private let process: ChildProcess
    public let port: UInt16

    /// The path of the certificate in PEM format, for clients that trust the server.
    public var certificate: String { folder.path("certificate.pem") }
    /// The path of the certificate's private key in PEM format.
    public var key: String { folder.path("key.pem") }

    /// The SHA-256 hash of the server's public key, in Base64.
    public func publicKeyHash() throws -> String {
        let shell = try ChildProcess(
            "sh",
            [
                "-c",
                "openssl pkey -in \(key) -pubout -outform der | openssl dgst -sha256 -binary | openssl base64 -A > \(folder.path("pin"))",
            ])
        guard shell.waitForExit() == 0 else { throw SystemError("openssl", EINVAL) }
        return String(decoding: try folder.read("pin"), as: UTF8.self)
    }

    /// The lines of the access log.
    public func log() throws -> [String] {
        String(decoding: try folder.read("access.log"), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// - Parameters:
    ///   - locations: nginx directives for the `server` block.
    ///   - http2: Whether the server offers HTTP/2.
    ///   - days: Negative for an expired certificate. Otherwise the certificate is valid for two
    ///     days, whatever the value.
    ///   - asksForCertificate: Whether clients must present the server's certificate as their own.
    public init(locations: String, http2: Bool = true, days: Int = 2, asksForCertificate: Bool = false) throws {
        folder = try TemporaryFolder()
        let openssl = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=remote-image test", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", folder.path("key.pem"), "-out", folder.path("certificate.pem"),
            ])
        guard openssl.waitForExit() == 0 else { throw SystemError("openssl", EINVAL) }
        if days < 0 {
            // `openssl req` cannot create an expired certificate; `openssl x509` can sign it again
            // with past dates. OpenSSL 3.4 added options for the dates; 3.5 rejects negative days.
            let search = try ChildProcess("sh", ["-c", "openssl x509 -help 2>&1 | grep -q not_after"])
            let hasDates = search.waitForExit() == 0
            let validity =
                hasDates ? ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"] : ["-days", "\(days)"]
            let again = try ChildProcess(
                "openssl",
                ["x509", "-in", folder.path("certificate.pem"), "-signkey", folder.path("key.pem")] + validity
                    + ["-out", folder.path("certificate.pem")])
            guard again.waitForExit() == 0 else { throw SystemError("openssl", EINVAL) }
        }

        // nginx inherits the listening socket: no other program can bind the port, and connections
        // are queued until nginx is ready.
        let socket = try LoopbackSocket.bound()
        defer { close(socket.descriptor) }
        port = socket.port
        guard listen(socket.descriptor, 512) == 0 else { throw SystemError("listen") }
        try folder.write(
            """
            daemon off;
            worker_processes 1;
            \(geteuid() == 0 ? "user root;" : "")
            pid FOLDER/nginx.pid;
            error_log FOLDER/error.log;
            events { worker_connections 512; }
            http {
                log_format connections "$connection $connection_requests $server_protocol $status $http_range";
                access_log FOLDER/access.log connections;
                client_body_temp_path FOLDER/received;
                proxy_temp_path FOLDER/proxy;
                fastcgi_temp_path FOLDER/fastcgi;
                uwsgi_temp_path FOLDER/uwsgi;
                scgi_temp_path FOLDER/scgi;
                server {
                    listen 127.0.0.1:\(port) ssl \(http2 ? "http2" : "");
                    ssl_certificate FOLDER/certificate.pem;
                    ssl_certificate_key FOLDER/key.pem;
                    \(asksForCertificate ? "ssl_verify_client on; ssl_client_certificate FOLDER/certificate.pem;" : "")
                    root FOLDER;
                    \(locations)
                }
            }
            """.replacing("FOLDER", with: folder.path), to: "nginx.conf")
        process = try ChildProcess(
            "nginx", ["-e", folder.path("error.log"), "-c", folder.path("nginx.conf")],
            environment: ["NGINX": "3;"], inheriting: socket.descriptor, as: 3)
    }

    deinit { stop() }

    /// Stops the server, even during a response.
    public func stop() {
        process.terminate()
    }

    /// Serves `bytes` under `/name`.
    public func serve(_ bytes: [UInt8], as name: String) throws {
        try folder.write(bytes, to: name)
    }
}
