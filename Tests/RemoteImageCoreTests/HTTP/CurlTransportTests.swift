import Glibc
import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite("The curl transport", .timeLimit(.minutes(5)))
struct CurlTransportTests {
    let origin: RawOrigin
    let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
    }

    // MARK: Responses

    @Test("A response arrives as head, body and end")
    func wholeResponse() async throws {
        origin.respond(to: "/a", with: .ok("image", headers: [("Content-Type", "image/png")]))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.heads.count == 1)
        #expect(record.head?.status == 200)
        #expect(record.head?.headers[.contentType] == "image/png")
        #expect(record.head?.address == (try origin.address("/a")))
        #expect(record.head?.expectedByteCount == 5)
        #expect(record.text == "image")
    }

    @Test(
        "Every status is a response", arguments: [200, 204, 206, 300, 304, 400, 401, 404, 407, 416, 500, 503, 599])
    func status(status: Int) async throws {
        let hasBody = status != 204 && status != 304
        origin.respond(to: "/a", with: .status(status, body: hasBody ? Array("why".utf8) : []))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.head?.status == status)
        #expect(record.text == (hasBody ? "why" : ""))
    }

    @Test("A redirect status without a Location is a response")
    func redirectWithoutLocation() async throws {
        origin.respond(to: "/a", with: .status(302, body: Array("here".utf8)))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.head?.status == 302)
        #expect(record.text == "here")
    }

    @Test("Interim responses are not delivered")
    func interim() async throws {
        origin.respond(
            to: "/a",
            with: .raw(
                "HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.head?.headers.contains { $0.name.canonicalName == "link" } == false)
    }

    @Test("Headers arrive in order, with repeated fields, decoded as Latin-1")
    func headerVariety() async throws {
        let head: [UInt8] =
            Array("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-b:\t two \r\nX-A: 3\r\nbad name: 4\r\nX-Empty:\r\nX-L: ".utf8)
            + [0xE9, 0xC3, 0xA9] + Array("\r\nX-Folded: one\r\n  two\r\nContent-Length: 0\r\n\r\n".utf8)
        origin.respond(to: "/a", with: RawResponse(head))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        let fields = try #require(record.head?.headers).map { "\($0.name.rawName)=\($0.value)" }
        #expect(fields == ["X-A=1", "x-b=two", "X-A=3", "X-Empty=", "X-L=éÃ©", "X-Folded=one two", "Content-Length=0"])
    }

    @Test("An empty body is a success with no bytes")
    func emptyBody() async throws {
        origin.respond(to: "/a", with: .ok(""))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.pieceCount == 0)
        #expect(record.head?.expectedByteCount == 0)
    }

    @Test("A chunked body has no expected length, and its trailers are ignored")
    func chunked() async throws {
        origin.respond(
            to: "/a", with: .chunked([Array("one ".utf8), Array("two".utf8)], trailer: "X-Trailer: late\r\n"))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.text == "one two")
        #expect(record.head?.expectedByteCount == nil)
        #expect(record.heads.count == 1)
    }

    @Test("A body without a length ends with the connection")
    func untilClose() async throws {
        origin.respond(to: "/a", with: .raw("HTTP/1.0 200 OK\r\n\r\nall of it", then: .close))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.text == "all of it")
    }

    @Test("A compressed body arrives decompressed and without an expected length")
    func gzip() async throws {
        origin.respond(to: "/a", with: .ok(packedHello, headers: [("Content-Encoding", "gzip")]))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.text == "hello hello hello")
        #expect(record.head?.expectedByteCount == nil)
    }

    @Test("The head and each piece are delivered as they arrive")
    func pieces() async throws {
        origin.hold("/a")
        let receiver = RecordingReceiver()
        _ = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        let exchange = try await origin.exchange(for: "/a")
        exchange.send(RawResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"))
        #expect(try await receiver.receivedHead().expectedByteCount == 6)
        exchange.send("abc")
        #expect(try await receiver.received(byteCount: 3).body == Array("abc".utf8))
        exchange.send("def")
        #expect(try await receiver.ended().text == "abcdef")
    }

    @Test("A large body arrives whole")
    func largeBody() async throws {
        let body = (0..<(24 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        origin.respond(to: "/a", with: .ok(body))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.body == body)
    }

    // MARK: Requests

    @Test("A request names the program, the library and the supported codings")
    func requestHeaders() async throws {
        origin.respond(to: "/a?b=c", with: .ok(""))
        _ = try await transport.load(try origin.address("/a?b=c#d"))
        let request = try await origin.received(count: 1)
        #expect(request.head.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(request.value("Host") == "127.0.0.1:\(origin.port)")
        #expect(request.value("User-Agent")?.hasSuffix(" RemoteImage/\(LibraryVersion.string)") == true)
        #expect(request.value("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test("The request's own headers replace those of the transport")
    func overriddenHeaders() async throws {
        origin.respond(to: "/a", with: .ok(packedHello, headers: [("Content-Encoding", "gzip")]))
        let record = try await transport.load(
            try origin.address("/a"),
            headers: [.userAgent: "me/1", .acceptEncoding: "gzip", .accept: "image/png"])
        #expect(record.text == "hello hello hello")
        let request = try await origin.received(count: 1)
        #expect(request.values("User-Agent") == ["me/1"])
        #expect(request.values("Accept-Encoding") == ["gzip"])
        #expect(request.values("Accept") == ["image/png"])
    }

    /// A request with such a header could end within another request of its connection, or its
    /// response could be stored under the address of another server.
    @Test(
        "A header that frames messages or names the server is refused",
        arguments: [
            "Transfer-Encoding", "content-length", "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
            "Upgrade", "Host",
        ])
    func framingHeaders(name: String) async throws {
        origin.respond(to: "/a", with: .ok(""))
        var headers = HTTPFields()
        headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "5"))
        let record = try await transport.load(try origin.address("/a"), headers: headers)
        guard case .failure(let error) = record.results.first else {
            Issue.record("the request was sent"); return
        }
        #expect(error == ImageError(.source, "a request must not set the header \(name)"))
        #expect(origin.requests.isEmpty)
    }

    @Test("A range request asks for no content coding")
    func range() async throws {
        _ = try await transport.load(try origin.address("/a"), headers: [.range: "bytes=4-"])
        #expect(try await origin.received(count: 1).values("Accept-Encoding") == ["identity"])
    }

    @Test("The configured user agent is sent")
    func configuredUserAgent() async throws {
        let transport = CurlTransport(.direct { $0.userAgent = "gallery/2" })
        _ = try await transport.load(try origin.address("/a"))
        #expect(try await origin.received(count: 1).values("User-Agent") == ["gallery/2"])
    }

    @Test("Headers are sent unchanged: repeated, empty and Latin-1 fields")
    func sentHeaders() async throws {
        let name = try #require(HTTPField.Name("X-A"))
        var headers = HTTPFields()
        headers.append(HTTPField(name: name, value: "1"))
        headers.append(HTTPField(name: name, value: ""))
        headers.append(HTTPField(name: name, value: "2"))
        headers.append(HTTPField(name: .ifNoneMatch, value: "\"Ã©\""))
        headers[.cookie] = "a=1; b=2"
        _ = try await transport.load(try origin.address("/a"), headers: headers)
        let request = try await origin.received(count: 1)
        #expect(request.values("X-A") == ["1", "", "2"])
        #expect(request.values("If-None-Match") == ["\"é\""])
        #expect(request.values("Cookie") == ["a=1; b=2"])
    }

    @Test("A request sends no header of the previous request on the same connection")
    func requestsAreIndependent() async throws {
        origin.respond(to: "/a", with: .ok(""))
        _ = try await transport.load(
            try origin.address("/a", userInfo: "me:secret"), headers: [.cookie: "a=1", .userAgent: "me/1"])
        _ = try await transport.load(try origin.address("/a"))
        #expect(try await origin.received(count: 1).value("Authorization") == "Basic bWU6c2VjcmV0")
        let second = try await origin.received(count: 2)
        #expect(second.value("Authorization") == nil)
        #expect(second.value("Cookie") == nil)
        #expect(second.value("User-Agent") != "me/1")
        #expect(origin.connectionCount == 1)
    }

    @Test("A user agent with a line break adds no header field")
    func userAgentWithLineBreak() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        let transport = CurlTransport(.direct { $0.userAgent = "me/1\r\nX-Injected: 1\u{0}" })
        #expect(try await transport.load(try origin.address("/a")).isSuccess)
        let request = try await origin.received(count: 1)
        #expect(request.value("X-Injected") == nil)
        #expect(request.value("User-Agent")?.hasPrefix("me/1") == true)
    }

    // MARK: Connections

    @Test("Consecutive transfers reuse one connection")
    func connectionReuse() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        origin.respond(to: "/missing", with: .status(404, body: Array("no".utf8)))
        for path in ["/a", "/missing", "/a"] { _ = try await transport.load(try origin.address(path)) }
        #expect(origin.requests.count == 3)
        #expect(origin.connectionCount == 1)
    }

    /// By default libcurl keeps four times as many connections as there are transfers: when a burst
    /// ended, it closed most of them.
    @Test("A burst reuses the connections of the previous burst")
    func burstsShareConnections() async throws {
        let paths = (1...6).map { "/\($0)" }
        for path in paths { origin.hold(path) }
        for burst in 1...3 {
            let receivers = paths.map { _ in RecordingReceiver() }
            for (path, receiver) in zip(paths, receivers) {
                _ = transport.start(TransferRequest(try origin.address(path)), receiver: receiver)
            }
            try await origin.received(count: 6 * burst)
            for (path, receiver) in zip(paths, receivers) {
                try await origin.exchange(for: path).send(.ok("a"))
                #expect(try await receiver.ended().isSuccess)
            }
        }
        #expect(origin.connectionCount == 6)
    }

    @Test("A connection that the origin has closed is replaced")
    func closedMeanwhile() async throws {
        let body = RawResponse(RawResponse.ok("a").bytes, then: .close)
        origin.respond(to: "/a", with: body)
        for _ in 0..<3 { #expect(try await transport.load(try origin.address("/a")).isSuccess) }
        #expect(origin.connectionCount == 3)
    }

    @Test("A hundred concurrent transfers share six connections")
    func manyAtOnce() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        let address = try origin.address("/a")
        let receivers = (0..<100).map { _ in RecordingReceiver() }
        for receiver in receivers { _ = transport.start(TransferRequest(address), receiver: receiver) }
        for receiver in receivers { #expect(try await receiver.ended().isSuccess) }
        #expect(origin.requests.count == 100)
        #expect(origin.connectionCount <= 6)
    }

    @Test("Transfers from many threads each end once")
    func manyThreads() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        let address = try origin.address("/a")
        try await withThrowingTaskGroup(of: RecordingReceiver.Record.self) { group in
            for _ in 0..<64 { group.addTask { try await transport.load(address) } }
            for try await record in group { #expect(record.isSuccess) }
        }
    }

    @Test("A receiver may start the next transfer")
    func startFromReceiver() async throws {
        origin.respond(to: "/a", with: .ok("a"))
        origin.respond(to: "/b", with: .ok("b"))
        let second = RecordingReceiver()
        let next = TransferRequest(try origin.address("/b"))
        let first = RecordingReceiver { [transport] call in
            if call == .end { _ = transport.start(next, receiver: second) }
        }
        _ = transport.start(TransferRequest(try origin.address("/a")), receiver: first)
        #expect(try await second.ended().text == "b")
    }

    @Test("Receivers are called on the transport's own thread, which has a name")
    func threadName() async throws {
        let name = Watched("")
        let receiver = RecordingReceiver { call in
            guard call != .end, let file = fopen("/proc/thread-self/comm", "r") else { return }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 32)
            let count = fread(&buffer, 1, buffer.count, file)
            name.update { $0 = String(decoding: buffer[..<count], as: UTF8.self) }
        }
        _ = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        try await receiver.ended()
        #expect(name.value == "remote-img net\n")
    }
}

/// "hello hello hello", compressed with gzip.
let packedHello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90,
    0x00,
    0x80, 0x88, 0xF9, 0xE5, 0x11, 0x00, 0x00, 0x00,
]
