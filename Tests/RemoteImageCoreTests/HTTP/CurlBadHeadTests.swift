import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Heads that violate RFC 9112, byte by byte, through curl and into the store.
@Suite("Response heads from misbehaving servers", .timeLimit(.minutes(5)))
struct CurlBadHeadTests {
    private let origin: RawOrigin
    private let transport = CurlTransport(.direct)
    private let folder: TemporaryFolder
    private let store: DiskCache

    init() throws {
        origin = try RawOrigin()
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
    }

    private func load(
        _ response: RawResponse, limits: TransferLimits = TransferLimits()
    ) async throws -> RecordingReceiver.Record {
        try await transport.load("/a", of: origin, answering: response, limits: limits)
    }

    private func load(
        _ text: String, then ending: RawResponse.Ending = .close
    ) async throws -> RecordingReceiver.Record {
        try await transport.load("/a", of: origin, answering: .lines(text, then: ending))
    }

    // MARK: Status lines and fields

    @Test(
        "An invalid status line fails the transfer (RFC 9112 section 4)",
        arguments: [
            "HTTP/1.1\n\n", "HTTP/1.1 \n\n", "HTTP/1.1 20\n\n", "HTTP/1.1 2000 OK\n\n", "HTTP/1.1 -200 OK\n\n",
            "HTTP/1.1 099 OK\n\n", "HTTP/1.1 200 OK\n X: folded first\n\n", "ICY 200 OK\n\nabc", "\n\n\n",
            "\u{0}\u{0}\u{0}\u{0}",
            "GIF89a",
        ])
    func badStatusLine(text: String) async throws {
        let record = try await load(text)
        #expect(!record.isSuccess)
        #expect([.protocol, .connection].contains(record.errorCode))
        #expect(record.heads.isEmpty)
    }

    @Test(
        "A readable status line in another spelling is accepted, as in browsers",
        arguments: ["http/1.1 200 OK", "HTTP/1.1 200OK"])
    func oddStatusLine(line: String) async throws {
        let record = try await load("\(line)\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.head?.status == 200)
        #expect(record.text == "hello")
    }

    /// libcurl 8.14 passes four digits on, and the response was stored.
    @Test("A status outside 100 to 599 is rejected (RFC 9110 section 15)", arguments: [0, 20, 99, 600, 999, 2000])
    func statusOutOfRange(status: Int) {
        for line in ["HTTP/1.1 \(status) OK", "HTTP/2 \(status)"] {
            var parser = ResponseHeadParser()
            #expect(Array(line.utf8).withUnsafeBytes { parser.consume($0) } == .badStatus)
        }
    }

    @Test("A status of 100 to 599 is accepted", arguments: [100, 200, 599])
    func statusInRange(status: Int) {
        var parser = ResponseHeadParser()
        #expect(Array("HTTP/1.1 \(status) OK".utf8).withUnsafeBytes { parser.consume($0) } == .incomplete)
        #expect(parser.status == status)
    }

    /// libcurl 8.14 passes such a line on, and the response was accepted.
    @Test("A folded line after the status line is rejected (RFC 9112 section 2.2)", arguments: ["200", "103"])
    func foldedFirst(status: String) {
        var parser = ResponseHeadParser()
        let events = ["HTTP/1.1 \(status) A", " X: folded"].map { line in
            Array(line.utf8).withUnsafeBytes { parser.consume($0) }
        }
        #expect(events == [.incomplete, .badFold])
    }

    /// Each folded line rebuilds the field. libcurl 8.23 joins folded lines itself.
    @Test("Folded lines are refused after a hundred")
    func folds() {
        var parser = ResponseHeadParser()
        let lines = ["HTTP/1.1 200 OK", "X: a"] + Array(repeating: " b", count: 50_000)
        let count = lines.firstIndex { line in
            Array(line.utf8).withUnsafeBytes { parser.consume($0) } == .tooLarge
        }
        #expect(count == 103)
    }

    @Test(
        "A header over the limit is a protocol error, in one line, in folded lines and in interim responses",
        arguments: ["X-Own: 123456789", "X: 1\n 34567890123", "A: 1\n\nHTTP/1.1 200 OK"])
    func headerLimit(text: String) async throws {
        let head = "HTTP/1.1 \(text.contains("HTTP") ? 103 : 200) OK\n\(text)\n"
        let byteCount = head.utf8.count + head.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        // libcurl 8.23 joins folded lines, and drops the white space between them.
        let tooLow = text.contains("\n ") ? byteCount - 2 : byteCount + 1
        for (limit, isEnough) in [(byteCount + 2, true), (tooLow, false)] {
            let limits = TransferLimits.limits { $0.maxHeaderByteCount = limit }
            let record = try await load(.lines("\(head)\nhello", then: .close), limits: limits)
            #expect(record.errorCode == (isEnough ? nil : .protocol))
        }
    }

    @Test(
        "A reason phrase of any bytes, or none, is accepted (RFC 9112 section 4)", arguments: ["", " ", " \u{E9}\u{1}"])
    func reason(text: String) async throws {
        let record = try await load("HTTP/1.1 200\(text)\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.text == "hello")
    }

    @Test("Lines may end in a line feed alone (RFC 9112 section 2.2)")
    func lineFeeds() async throws {
        let record = try await load(.raw("HTTP/1.1 200 OK\nX-Own: 1\nContent-Length: 5\n\nhello"))
        #expect(record.isSuccess)
        #expect(record.text == "hello")
    }

    @Test("Invalid field lines are skipped (RFC 9112 section 5.1)")
    func badFields() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\n: no name\nspace : 1\nX-\u{E9}: 1\n X-Fold: 1\nX-Own: 1\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        #expect(record.head?.headers[try #require(HTTPField.Name("X-Own"))] == "1")
    }

    @Test("A status line among the fields does not reset them (RFC 9112 section 4)")
    func secondStatusLine() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\nCache-Control: no-store\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
        #expect(record.head == nil || record.head?.headers[.cacheControl] == "no-store")
    }

    @Test(
        "An unknown interim status is ignored (RFC 9110 section 15.2)", arguments: [100, 102, 103, 199])
    func interim(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) Wait\nX-Own: 1\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.text == "hello")
    }

    @Test("An interim response alone fails the transfer (RFC 9110 section 15.2)", arguments: [100, 101, 199])
    func interimAlone(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) Wait\n\n")
        #expect(!record.isSuccess)
        #expect(record.heads.isEmpty)
    }

    @Test("A 204 and a 304 have no body, whatever their length says (RFC 9112 section 6.3)", arguments: [204, 304])
    func bodyWithoutContent(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) None\nContent-Length: 5\n\nhello", then: .keepAlive)
        #expect(record.isSuccess)
        #expect(record.body.isEmpty)
        // The announced body is not taken for the next response.
        origin.respond(to: "/b", with: .ok("good"))
        #expect(try await transport.load(try origin.address("/b")).text == "good")
    }

    // MARK: Through the cache

    @Test(
        "An incomplete or invalid response is not stored",
        arguments: [
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Length: 6\n\nhello",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Length: 5\nContent-Length: 4\n\nhello",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nTransfer-Encoding: chunked\n\n5\nhello\n",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Encoding: gzip\nContent-Length: 5\n\nhello",
            "HTTP/1.1 2000 OK\nCache-Control: max-age=60\nContent-Length: 5\n\nhello",
            "HTTP/1.1 103 Hints\nCache-Control: max-age=60\n\n",
        ])
    func nothingStored(text: String) async throws {
        let client = HTTPCache(store: store, transport: transport)
        origin.respond(to: "/a", with: .raw(text.replacing("\n", with: "\r\n"), then: .close))
        let request = TransferRequest(try origin.address("/a"))
        await #expect(throws: ImageError.self) { try await client.response(for: request, policy: .http) }
        await client.finished()
        #expect(store.everything().isEmpty)
    }

    @Test("Repeated fields and values beyond ASCII are stored unchanged")
    func storedFields() async throws {
        let client = HTTPCache(store: store, transport: transport)
        let head: [UInt8] =
            Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nX-Own: 1\r\nX-Own: ".utf8) + [0xE9, 0xFF]
            + Array("\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok".utf8)
        origin.respond(to: "/a", with: RawResponse(head))
        let request = TransferRequest(try origin.address("/a"))
        let first = try await client.response(for: request, policy: .http)
        await client.finished()
        let second = try await client.response(for: request, policy: .http)
        #expect(second.origin == .disk)
        let name = try #require(HTTPField.Name("X-Own"))
        #expect(first.headers[values: name] == ["1", "\u{E9}\u{FF}"])
        #expect(second.headers[values: name] == ["1", "\u{E9}\u{FF}"])
        #expect(second.headers[values: .setCookie] == ["a=1", "b=2"])
    }
}
