// A server that speaks TLS and HTTP/2, for tests of what only a real one shows.

import Glibc

/// An nginx of the test's own, with a certificate for 127.0.0.1 that nobody but the test trusts.
///
/// Stopped when the last reference goes.
public final class NginxServer: Sendable {
    /// Whether the machine has what this takes (`nginx-light` and `openssl` in Debian).
    public static let isAvailable = ChildProcess.path(of: "nginx") != nil && ChildProcess.path(of: "openssl") != nil

    private let folder: TemporaryFolder
    private let process: ChildProcess
    public let port: UInt16

    /// The certificate, in PEM format: for who is to trust the server.
    public var certificate: String { folder.path("certificate.pem") }

    /// - Parameters:
    ///   - locations: What nginx serves, in its own language.
    ///   - http2: Whether it offers HTTP/2.
    public init(locations: String, http2: Bool = true) throws {
        folder = try TemporaryFolder()
        let openssl = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=remote-image test", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", folder.path("key.pem"), "-out", folder.path("certificate.pem"),
            ])
        guard openssl.waitForExit() == 0 else { throw SystemError("openssl", EINVAL) }

        // nginx takes the listening socket over, so that no other program can take the port, and
        // connections wait until it is ready.
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
                access_log off;
                client_body_temp_path FOLDER/body;
                proxy_temp_path FOLDER/proxy;
                fastcgi_temp_path FOLDER/fastcgi;
                uwsgi_temp_path FOLDER/uwsgi;
                scgi_temp_path FOLDER/scgi;
                server {
                    listen 127.0.0.1:\(port) ssl \(http2 ? "http2" : "");
                    ssl_certificate FOLDER/certificate.pem;
                    ssl_certificate_key FOLDER/key.pem;
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

    /// Ends the server in the middle of whatever it does.
    public func stop() {
        process.terminate()
    }

    /// Serves `bytes` under `/name`.
    public func serve(_ bytes: [UInt8], as name: String) throws {
        try folder.write(bytes, to: name)
    }
}
