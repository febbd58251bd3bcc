import HTTPTypes
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(
    "TLS and HTTP/2", .timeLimit(.minutes(5)),
    .enabled(if: NginxServer.isAvailable, "needs nginx and openssl (Debian: nginx-light, openssl)"))
struct CurlTLSTests {
    private static let locations = """
        location = /protocol { return 200 $server_protocol; }
        location = /connection { return 200 $connection; }
        location = /headers { return 200 "$http_authorization|$http_x_api_key"; }
        location = /away { return 302 $arg_to; }
        location = /slow { limit_rate 4k; try_files /body =404; }
        """

    private func address(_ path: String, of server: NginxServer, host: String = "127.0.0.1") throws -> WebAddress {
        try WebAddress("https://\(host):\(server.port)\(path)")
    }

    private func transport(trusting server: NginxServer) -> CurlTransport {
        CurlTransport(.direct { $0.certificateBundle = server.certificate })
    }

    @Test(
        "HTTP/2 is used where the server offers it, and HTTP/1.1 elsewhere",
        arguments: [(true, "HTTP/2.0"), (false, "HTTP/1.1")])
    func version(http2: Bool, name: String) async throws {
        let server = try NginxServer(locations: Self.locations, http2: http2)
        let record = try await transport(trusting: server).load(try address("/protocol", of: server))
        #expect(record.isSuccess)
        #expect(record.text == name)
        #expect(record.head?.status == 200)
        #expect(record.head?.headers[.contentType] != nil)
        #expect(record.head?.expectedByteCount == 8)
    }

    @Test("A certificate without a trusted issuer is refused, and the error says so")
    func untrusted() async throws {
        let server = try NginxServer(locations: Self.locations)
        let record = try await CurlTransport(.direct).load(try address("/protocol", of: server))
        #expect(record.errorCode == .tls)
        #expect(record.error?.description.contains("certificate") == true)
    }

    @Test("A certificate for another host is refused")
    func otherHost() async throws {
        let server = try NginxServer(locations: Self.locations)
        let record = try await transport(trusting: server).load(
            try address("/protocol", of: server, host: "localhost"))
        #expect(record.errorCode == .tls)
    }

    @Test("An expired certificate is refused")
    func expired() async throws {
        let server = try NginxServer(locations: Self.locations, days: -1)
        let record = try await transport(trusting: server).load(try address("/protocol", of: server))
        #expect(record.errorCode == .tls)
        #expect(record.error?.description.contains("expired") == true)
    }

    @Test("Certificates may be trusted beside those of the system")
    func additionalCertificates() async throws {
        let server = try NginxServer(locations: Self.locations)
        let transport = CurlTransport(.direct { $0.additionalCertificates = server.certificate })
        #expect(try await transport.load(try address("/protocol", of: server)).text == "HTTP/2.0")
        let unreadable = CurlTransport(.direct { $0.additionalCertificates = "/nonexistent/more.pem" })
        #expect(try await unreadable.load(try address("/protocol", of: server)).errorCode == .tls)
    }

    @Test("A requested client certificate is sent, and an unreadable certificate fails the connection")
    func clientCertificate() async throws {
        let server = try NginxServer(locations: Self.locations, asksForCertificate: true)
        let identity = CurlTransport.ClientCertificate(certificatePath: server.certificate, keyPath: server.key)
        let known = CurlTransport(
            .direct {
                $0.certificateBundle = server.certificate
                $0.clientCertificate = identity
            })
        #expect(try await known.load(try address("/protocol", of: server)).text == "HTTP/2.0")
        #expect(try await transport(trusting: server).load(try address("/protocol", of: server)).head?.status == 400)
        let unreadable = CurlTransport(
            .direct {
                $0.certificateBundle = server.certificate
                $0.clientCertificate = CurlTransport.ClientCertificate(certificatePath: "/nonexistent/me.pem")
            })
        #expect(try await unreadable.load(try address("/protocol", of: server)).errorCode == .tls)
    }

    @Test("A server must present one of the pinned keys")
    func pinnedKeys() async throws {
        let server = try NginxServer(locations: Self.locations)
        let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for (pins, isRight) in [([other, try server.publicKeyHash()], true), ([other], false)] {
            let transport = CurlTransport(
                .direct {
                    $0.certificateBundle = server.certificate
                    $0.pinnedPublicKeys = pins
                })
            let record = try await transport.load(try address("/protocol", of: server))
            #expect(record.errorCode == (isRight ? nil : .tls))
        }
    }

    @Test("If libcurl refuses a pinned key, no certificate is trusted")
    func refusedPins() async throws {
        let server = try NginxServer(locations: Self.locations)
        let transport = CurlTransport(
            .direct {
                $0.certificateBundle = server.certificate
                // Longer than libcurl accepts for any option. Without pins it would accept every
                // key of a trusted server.
                $0.pinnedPublicKeys = [String(repeating: "A", count: 9_000_000)]
            })
        #expect(try await transport.load(try address("/protocol", of: server)).errorCode == .tls)
    }

    @Test("A hundred images are loaded over one HTTP/2 connection")
    func hundredImages() async throws {
        let server = try NginxServer(locations: Self.locations)
        for number in 0..<100 { try server.serve(SampleImage.palettePNG, as: "\(number).png") }
        let pipeline = ImagePipeline(
            .init(transport: transport(trusting: server), decoders: .standard()))
        pipeline.setConcurrency(transfers: 100, perHost: 100)
        // The first one opens the connection.
        _ = try await pipeline.image(for: try address("/0.png", of: server))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1..<100 {
                let source = try address("/\(number).png", of: server)
                group.addTask {
                    let width = try await pipeline.image(for: source).info.size.width
                    #expect(width == 16)
                }
            }
            try await group.waitForAll()
        }
        server.stop()
        let log = try server.log().map { $0.split(separator: " ") }
        #expect(log.count == 100)
        #expect(Set(log.map { $0[0] }).count == 1, "connections")
        #expect(Set(log.map { $0[2] }) == ["HTTP/2.0"])
    }

    @Test("A connection that the server closes between requests is replaced silently", arguments: [true, false])
    func closedInBetween(http2: Bool) async throws {
        let server = try NginxServer(locations: Self.locations + "keepalive_requests 7;", http2: http2)
        let transport = transport(trusting: server)
        for _ in 0..<30 {
            #expect(try await transport.load(try address("/protocol", of: server)).isSuccess)
        }
        server.stop()
        #expect(Set(try server.log().map { $0.split(separator: " ")[0] }).count >= 5)
    }

    @Test("With an unreadable bundle no certificate is trusted")
    func missingBundle() async throws {
        let server = try NginxServer(locations: Self.locations)
        let transport = CurlTransport(.direct { $0.certificateBundle = "/nonexistent/bundle.pem" })
        #expect(try await transport.load(try address("/protocol", of: server)).errorCode == .tls)
    }

    /// The additional certificates used to be trusted alone.
    @Test func `with an unreadable bundle, additional certificates are not trusted either`() async throws {
        let server = try NginxServer(locations: Self.locations)
        let transport = CurlTransport(
            .direct {
                $0.certificateBundle = "/nonexistent/bundle.pem"
                $0.additionalCertificates = server.certificate
            })
        #expect(try await transport.load(try address("/protocol", of: server)).errorCode == .tls)
    }

    @Test("Concurrent transfers share one HTTP/2 connection")
    func multiplexing() async throws {
        let server = try NginxServer(locations: Self.locations)
        let transport = transport(trusting: server)
        let receivers = (0..<50).map { _ in RecordingReceiver() }
        for receiver in receivers {
            _ = transport.start(TransferRequest(try address("/connection", of: server)), receiver: receiver)
        }
        var connections: Set<String> = []
        for receiver in receivers {
            let record = try await receiver.ended()
            #expect(record.isSuccess)
            connections.insert(record.text)
        }
        #expect(connections.count == 1)
    }

    @Test("Cancelling a stream keeps its connection for other streams")
    func cancelledStream() async throws {
        let server = try NginxServer(locations: Self.locations)
        try server.serve([UInt8](repeating: 0, count: 1 << 20), as: "body")
        let transport = transport(trusting: server)
        let before = try await transport.load(try address("/connection", of: server)).text

        let receiver = RecordingReceiver()
        let transfer = transport.start(TransferRequest(try address("/slow", of: server)), receiver: receiver)
        #expect(try await receiver.receivedHead().status == 200)
        try await receiver.received(byteCount: 1)
        transfer.cancel()
        #expect(try await receiver.ended().errorCode == .cancelled)
        #expect(try await transport.load(try address("/connection", of: server)).text == before)
    }

    @Test("A stream over the limit keeps its connection for other streams")
    func refusedStream() async throws {
        let server = try NginxServer(locations: Self.locations)
        try server.serve([UInt8](repeating: 0, count: 1 << 20), as: "body")
        let transport = transport(trusting: server)
        let before = try await transport.load(try address("/connection", of: server)).text
        let record = try await transport.load(
            try address("/body", of: server), limits: .limits { $0.maxBodyByteCount = 1 << 10 })
        #expect(record.errorCode == .tooLarge)
        #expect(try await transport.load(try address("/connection", of: server)).text == before)
    }

    @Test("A body is incomplete when its connection is cut", arguments: [true, false])
    func cut(http2: Bool) async throws {
        let server = try NginxServer(locations: Self.locations, http2: http2)
        try server.serve([UInt8](repeating: 0, count: 1 << 20), as: "body")
        let receiver = RecordingReceiver()
        let transport = transport(trusting: server)
        _ = transport.start(TransferRequest(try address("/slow", of: server)), receiver: receiver)
        #expect(try await receiver.receivedHead().status == 200)
        try await receiver.received(byteCount: 1)
        server.stop()
        #expect(try await receiver.ended().errorCode == .incomplete)
    }

    /// It is unknown whether the server itself closed a TLS connection (RFC 9112 section 9.8).
    @Test(
        "A body over TLS that ends with its connection is delivered, but not stored",
        arguments: [("/endless", false), ("/chunked", true)])
    func bodyWithoutEnd(path: String, isStored: Bool) async throws {
        let origin = try RawOrigin()
        let text = "HTTP/1.0 200 OK\nCache-Control: max-age=60\n\nhello"
        for path in ["/endless", "/chunked"] { origin.respond(to: path, with: .lines(text, then: .close)) }
        let server = try NginxServer(
            locations: """
                location = /endless { proxy_pass http://127.0.0.1:\(origin.port); chunked_transfer_encoding off; }
                location = /chunked { proxy_pass http://127.0.0.1:\(origin.port); }
                """, http2: false)
        let (store, transport) = (DictionaryStore(), transport(trusting: server))
        let client = HTTPCache(store: store, transport: transport)
        let request = TransferRequest(try address(path, of: server))
        let response = try await client.response(for: request, policy: .http)
        #expect(String(decoding: response.bytes, as: UTF8.self) == "hello")
        await client.finished()
        let second = try await client.response(for: request, policy: .http)
        #expect(second.origin == (isStored ? .disk : .network))
        #expect(second.bytes == response.bytes)
        let record = try await transport.load(try address(path, of: server))
        #expect(record.head?.mayBeTruncated == !isStored)
    }

    @Test("A redirect from https to http is refused unless it was allowed")
    func insecureRedirect() async throws {
        let server = try NginxServer(locations: Self.locations)
        let origin = try RawOrigin()
        origin.respond(to: "/end", with: .ok("end"))
        let start = try address("/away?to=\(try origin.address("/end"))", of: server)

        let refused = try await transport(trusting: server).load(start)
        #expect(refused.errorCode == .forbiddenScheme)
        #expect(origin.connectionCount == 0)

        let lenient = CurlTransport(
            .direct {
                $0.certificateBundle = server.certificate
                $0.allowsInsecureRedirects = true
            })
        #expect(try await lenient.load(start).text == "end")
    }

    @Test("Credentials are not sent on a redirect from http to https, which is another origin")
    func upgrade() async throws {
        let server = try NginxServer(locations: Self.locations)
        let origin = try RawOrigin()
        origin.respond(to: "/a", with: .redirect(to: try address("/headers", of: server).string))
        var headers: HTTPFields = [.authorization: "Bearer secret"]
        if let name = HTTPField.Name("X-Api-Key") { headers[name] = "secret" }
        let transport = transport(trusting: server)
        #expect(try await transport.load(try origin.address("/a"), headers: headers).text == "|")
        let direct = try await transport.load(try address("/headers", of: server), headers: headers)
        #expect(direct.text == "Bearer secret|secret")
    }
}
