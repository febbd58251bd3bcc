import CRemoteImageCurl
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite("Failures of transfers", .timeLimit(.minutes(5)))
struct CurlFailureTests {
    let origin: RawOrigin
    let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
    }

    private func load(
        _ response: RawResponse, limits: TransferLimits = TransferLimits()
    ) async throws
        -> RecordingReceiver.Record
    {
        origin.respond(to: "/a", with: response)
        let record = try await transport.load(try origin.address("/a"), limits: limits)
        #expect(record.results.count == 1)
        #expect(record.callsAfterEnd == 0)
        return record
    }

    // MARK: Connections

    @Test("A refused connection is reported with the host, the port and the reason")
    func refused() async throws {
        let refusing = try RefusingPort()
        let record = try await transport.load(try WebAddress("http://127.0.0.1:\(refusing.port)/a"))
        #expect(record.errorCode == .connection)
        #expect(record.error?.description.contains("127.0.0.1:\(refusing.port): ") == true)
    }

    @Test("An unknown host name is a connection error")
    func unknownName() async throws {
        // A label of more than 63 bytes is invalid without asking a name server (RFC 1035 section
        // 2.3.4).
        let name = String(repeating: "a", count: 64) + ".example"
        let record = try await transport.load(try WebAddress("http://\(name)/a"))
        #expect(record.errorCode == .connection)
        #expect(record.error?.description.contains(name) == true)
    }

    @Test(
        "A connection that breaks before the response is a connection error",
        arguments: [RawResponse.Ending.close, .reset])
    func brokenBeforeHead(ending: RawResponse.Ending) async throws {
        #expect(try await load(RawResponse([], then: ending)).errorCode == .connection)
    }

    @Test("A proxy that refuses connections is a connection error")
    func proxy() async throws {
        let refusing = try RefusingPort()
        let transport = CurlTransport(.direct { $0.proxy = .address("http://127.0.0.1:\(refusing.port)") })
        #expect(try await transport.load(try origin.address("/a")).errorCode == .connection)
    }

    @Test("A server that does not speak TLS is a TLS error")
    func noTLS() async throws {
        origin.greet(with: .raw("HTTP/1.1 400 Bad Request\r\n\r\n", then: .close))
        let record = try await transport.load(try WebAddress("https://127.0.0.1:\(origin.port)/a"))
        #expect(record.errorCode == .tls)
    }

    /// It used to be a TLS error, which is neither retried nor answered with a stale image.
    @Test(
        "A connection that breaks during the TLS handshake is a connection error",
        arguments: [RawResponse.Ending.close, .reset])
    func brokenHandshake(ending: RawResponse.Ending) async throws {
        origin.greet(with: RawResponse([], then: ending))
        let record = try await transport.load(try WebAddress("https://127.0.0.1:\(origin.port)/a"))
        #expect(record.errorCode == .connection)
    }

    @Test(
        "A failed handshake is a connection error only if the connection was lost",
        arguments: [
            ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h:443", ImageError.Code.connection),
            ("OpenSSL SSL_connect: Connection reset by peer in connection to h:443", .connection),
            ("Recv failure: Connection reset by peer", .connection), ("Send failure: Broken pipe", .connection),
            ("TLS connect error: error:0A000126:SSL routines::unexpected eof while reading", .connection),
            ("gnutls_handshake() failed: The TLS connection was non-properly terminated.", .connection),
            ("gnutls_handshake() failed: Error in the pull function.", .connection),
            ("gnutls_handshake() failed: Error in the push function.", .connection),
            ("error:0A00010B:SSL routines::wrong version number", .tls),
            ("gnutls_handshake() failed: Handshake failed", .tls), ("", .tls),
        ])
    func handshakeMessages(text: String, code: ImageError.Code) {
        #expect(CurlFailure.code(CURLE_SSL_CONNECT_ERROR, text: text, hasHead: false) == code)
        #expect(CurlFailure.code(CURLE_PEER_FAILED_VERIFICATION, text: text, hasHead: false) == .tls)
    }

    // MARK: Truncation

    @Test("A body that ends before its length is incomplete", arguments: [RawResponse.Ending.close, .reset])
    func truncated(ending: RawResponse.Ending) async throws {
        let record = try await load(.truncated(Array("half".utf8), announced: 8, then: ending))
        #expect(record.errorCode == .incomplete)
        #expect(record.head?.expectedByteCount == 8)
    }

    @Test("The bytes before a truncation are delivered")
    func truncatedBody() async throws {
        let record = try await load(.truncated(Array("half".utf8), announced: 8))
        #expect(record.text == "half")
    }

    @Test("A chunked body without its last chunk is incomplete")
    func truncatedChunks() async throws {
        let record = try await load(
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", then: .close))
        #expect(record.errorCode == .incomplete)
        #expect(record.text == "half")
    }

    @Test("A body of unannounced length is incomplete when the connection is reset")
    func resetWithoutLength() async throws {
        origin.hold("/a")
        let receiver = RecordingReceiver()
        _ = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        let exchange = try await origin.exchange(for: "/a")
        exchange.send("HTTP/1.1 200 OK\r\n\r\nhalf")
        try await receiver.received(byteCount: 4)
        exchange.reset()
        #expect(try await receiver.ended().errorCode == .incomplete)
    }

    @Test("A connection that ends within the head is a connection error")
    func truncatedHead() async throws {
        let record = try await load(.raw("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n", then: .reset))
        #expect(record.errorCode == .connection)
        #expect(record.heads.isEmpty)
    }

    // MARK: Limits

    @Test("An announced length over the limit is refused before the body, and the connection is closed")
    func announcedTooLarge() async throws {
        let record = try await load(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n0123456789"),
            limits: .limits { $0.maxBodyByteCount = 10 })
        #expect(record.errorCode == .tooLarge)
        #expect(record.head?.status == 200)
        #expect(record.body.isEmpty)
        try await origin.connectionClosed()
    }

    @Test("A body of unknown length is refused as soon as it exceeds the limit")
    func unknownTooLarge() async throws {
        let piece = [UInt8](repeating: 0, count: 10)
        #expect(try await load(.chunked([piece]), limits: .limits { $0.maxBodyByteCount = 10 }).isSuccess)
        let record = try await load(.chunked([piece, [0]]), limits: .limits { $0.maxBodyByteCount = 10 })
        #expect(record.errorCode == .tooLarge)
        #expect(record.body.count <= 10)
    }

    @Test("The limit applies to the decompressed size of a body")
    func packedTooLarge() async throws {
        let packed = Gzip.zeros(count: 1 << 20)
        #expect(packed.count < 1 << 14)
        let response = RawResponse.ok(packed, headers: [("Content-Encoding", "gzip")])
        #expect(try await load(response, limits: .limits { $0.maxBodyByteCount = 1 << 20 }).isSuccess)
        let record = try await load(response, limits: .limits { $0.maxBodyByteCount = (1 << 20) - 1 })
        #expect(record.errorCode == .tooLarge)
        #expect(record.body.count < 1 << 20)
    }

    @Test("A silent server times out")
    func silent() async throws {
        let record = try await load(.silence, limits: .limits { $0.timeout = .seconds(2) })
        #expect(record.errorCode == .timeout)
        try await origin.connectionClosed()
    }

    @Test("The connect timeout includes the TLS handshake")
    func handshake() async throws {
        // The origin accepts the connection and sends nothing.
        let start = ContinuousClock.now
        let record = try await transport.load(
            try WebAddress("https://127.0.0.1:\(origin.port)/a"),
            limits: .limits { $0.connectTimeout = .milliseconds(200) })
        #expect(record.errorCode == .timeout)
        #expect(start.duration(to: .now) < .seconds(50), "and not the time of the whole")
    }

    @Test("A body that stalls times out")
    func stalled() async throws {
        let record = try await load(
            .truncated(Array("half".utf8), announced: 8, then: .keepAlive),
            limits: .limits { $0.stallTimeout = .seconds(1) })
        #expect(record.errorCode == .timeout)
        #expect(record.text == "half")
    }

    @Test("Extreme limits are accepted")
    func extremeLimits() async throws {
        let generous = TransferLimits.limits {
            $0.maxBodyByteCount = .max
            $0.connectTimeout = .seconds(Int64.max / 2)
            $0.stallTimeout = .seconds(Int64.max / 2)
            $0.timeout = .seconds(1 << 40)
            $0.maxRedirects = .max
        }
        #expect(try await load(.ok("a"), limits: generous).isSuccess)
        let nothing = TransferLimits.limits {
            $0.maxBodyByteCount = 0
            $0.timeout = .zero
            $0.connectTimeout = .zero
            $0.stallTimeout = .zero
        }
        #expect(try await load(.silence, limits: nothing).errorCode == .timeout)
    }

    // MARK: Invalid responses

    @Test(
        "A response that is not HTTP is a protocol error",
        arguments: [
            "\u{89}PNG and no head at all", "HTTP/1.1 abc\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
            "SSH-2.0-OpenSSH_9.2\r\n",
        ])
    func noHTTP(text: String) async throws {
        let record = try await load(.raw(text, then: .close))
        #expect(record.errorCode == .protocol)
        #expect(record.heads.isEmpty)
    }

    @Test("An oversized head is a protocol error", arguments: [1, 100_000])
    func endlessHead(valueLength: Int) async throws {
        let line = "X-A: " + String(repeating: "a", count: valueLength) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 2_000_000 / line.utf8.count)
        let record = try await load(.raw("\(head)Content-Length: 0\r\n\r\n"))
        #expect(record.errorCode == .protocol)
        #expect(record.heads.isEmpty)
    }

    @Test("Endless interim responses are a protocol error")
    func endlessInterim() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let record = try await load(.raw(String(repeating: hint, count: 20_000)))
        #expect(record.errorCode == .protocol)
    }

    @Test("A body that cannot be decompressed is an encoding error")
    func brokenCoding() async throws {
        let record = try await load(.ok("this was never packed", headers: [("Content-Encoding", "gzip")]))
        #expect(record.errorCode == .encoding)
    }
}
