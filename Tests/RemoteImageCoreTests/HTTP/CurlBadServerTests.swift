import HTTPTypes
import TestSupport
import Testing

@testable import RemoteImageCore

/// What servers send that they should not (RFC 9112), byte by byte, through curl and the cache.
@Suite("Servers that send what they should not", .timeLimit(.minutes(5)))
struct CurlBadServerTests {
    private let origin: RawOrigin
    private let transport = CurlTransport(.direct)
    private let folder: TemporaryFolder
    private let store: DiskStore

    init() throws {
        origin = try RawOrigin()
        folder = try TemporaryFolder()
        store = DiskStore(path: folder.path)
    }

    private func load(
        _ response: RawResponse, limits: TransferLimits = TransferLimits()
    ) async throws -> RecordingReceiver.Record {
        origin.respond(to: "/a", with: response)
        let record = try await transport.load(try origin.address("/a"), limits: limits)
        #expect(record.results.count == 1)
        #expect(record.callsAfterEnd == 0)
        return record
    }

    private func load(_ text: String, then ending: RawResponse.Ending = .close) async throws -> RecordingReceiver.Record
    {
        try await load(.raw(text.replacing("\n", with: "\r\n"), then: ending))
    }

    // MARK: Content-Length

    @Test(
        "A length that is none is a bad answer (RFC 9112 section 6.3)",
        arguments: ["-1", "+5", "5x", "0x5", "5 5", "1e1", "five", "5, 6", "5;6", "-9223372036854775808"])
    func badLength(length: String) async throws {
        let record = try await load("HTTP/1.1 200 OK\nContent-Length: \(length)\n\nhello")
        #expect(record.errorCode == .protocol)
        #expect(record.body.isEmpty)
    }

    @Test(
        "Lengths that differ are a bad answer (RFC 9112 section 6.3)", arguments: [("5", "6"), ("6", "5"), ("5", "")])
    func doubledLength(first: String, second: String) async throws {
        let record = try await load("HTTP/1.1 200 OK\nContent-Length: \(first)\nContent-Length: \(second)\n\nhello!")
        #expect(record.errorCode == .protocol)
        #expect(record.body.isEmpty)
    }

    @Test(
        "A length that is said twice is said once (RFC 9110 section 8.6)", arguments: ["5\nContent-Length: 5", "5, 5"])
    func repeatedLength(text: String) async throws {
        let record = try await load("HTTP/1.1 200 OK\nContent-Length: \(text)\n\nhello")
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        #expect(record.head?.expectedByteCount == 5)
    }

    @Test("A length beyond all numbers is over the limit", arguments: ["99999999999999999999", "9223372036854775807"])
    func hugeLength(length: String) async throws {
        let record = try await load("HTTP/1.1 200 OK\nContent-Length: \(length)\n\nhello")
        #expect(record.errorCode == .tooLarge)
        #expect(record.body.isEmpty)
    }

    @Test("What comes after the length is not the body, and not the next response either")
    func bytesAfterLength() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\nContent-Length: 5\n\nhelloHTTP/1.1 200 OK\nContent-Length: 4\n\nevil", then: .keepAlive)
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        origin.respond(to: "/b", with: .ok("good"))
        #expect(try await transport.load(try origin.address("/b")).text == "good")
    }

    @Test("Where a body is chunked its length does not count (RFC 9112 section 6.3)")
    func lengthOfChunks() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\nContent-Length: 2\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n")
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        #expect(record.head?.expectedByteCount == nil)
    }

    // MARK: Chunks

    @Test(
        "Chunks that are none end the transfer (RFC 9112 section 7.1)",
        arguments: [
            "xyz\nhello\n0\n\n", "5\nhelloworld\n0\n\n", "-5\nhello\n0\n\n", "\nhello\n0\n\n",
            "fffffffffffffffff\nhello\n0\n\n", "5\nhello\nGET / HTTP/1.1\n\n",
        ])
    func brokenChunks(chunks: String) async throws {
        let record = try await load("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n\(chunks)")
        #expect(!record.isSuccess)
        #expect([.incomplete, .protocol].contains(record.errorCode))
    }

    @Test("Words after the size of a chunk do not disturb (RFC 9112 section 7.1.1)")
    func chunkExtensions() async throws {
        let record = try await load("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5;a=b;c=\"d\"\nhello\n0;e\n\n")
        #expect(record.text == "hello")
    }

    @Test("Trailers are not headers, even those that would change what is stored (RFC 9110 section 6.5.1)")
    func trailers() async throws {
        let trailer = "Cache-Control: no-store\r\nContent-Length: 99\r\nX-Own: 1\r\n"
        origin.respond(
            to: "/a", with: .chunked([Array("hello".utf8)], trailer: trailer))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        #expect(record.head?.headers.map(\.name.canonicalName) == ["transfer-encoding"])
    }

    @Test("Trailers without end are given up")
    func endlessTrailers() async throws {
        origin.respond(
            to: "/a",
            with: RawResponse(
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n".utf8),
                then: .endless(Array("X-Own: 1\r\n".utf8))))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.errorCode == .protocol)
        #expect(record.text == "hello")
        try await origin.connectionClosed()
    }

    // MARK: Bodies and heads without end

    @Test("A body without end is refused at the limit, and the connection closed", arguments: [true, false])
    func endlessBody(isChunked: Bool) async throws {
        let piece = [UInt8](repeating: 0x41, count: 16 << 10)
        let head = "HTTP/1.1 200 OK\r\n" + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
        let chunk = isChunked ? Array("4000\r\n".utf8) + piece + Array("\r\n".utf8) : piece
        let record = try await load(
            RawResponse(Array(head.utf8), then: .endless(chunk)), limits: .limits { $0.maxBodyByteCount = 1 << 20 })
        #expect(record.errorCode == .tooLarge)
        #expect(record.body.count <= 1 << 20)
        try await origin.connectionClosed()
    }

    @Test(
        "A head without end is refused, and the connection closed",
        arguments: ["X-Own: 1\r\n", "X-Own: " + String(repeating: "a", count: 1000) + "\r\n", "a", "\u{0}"])
    func endlessHead(piece: String) async throws {
        let record = try await load(
            RawResponse(Array("HTTP/1.1 200 OK\r\n".utf8), then: .endless(Array(piece.utf8))))
        #expect(record.errorCode == .protocol)
        #expect(record.heads.isEmpty)
        try await origin.connectionClosed()
    }

    @Test("Hundreds of kilobytes of header are refused, dozens are not", arguments: [(60, true), (400, false)])
    func manyHeaders(kilobytes: Int, isFine: Bool) async throws {
        let line = "X-Own: " + String(repeating: "a", count: 1024 - 9) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: kilobytes)
        let record = try await load(.raw("\(head)Content-Length: 2\r\n\r\nok"))
        #expect(record.isSuccess == isFine)
        if isFine {
            #expect(record.head?.headers.count == kilobytes + 1)
        } else {
            #expect(record.errorCode == .protocol)
        }
    }

    // MARK: Drips

    @Test("A body that drips is given up when it has been too slow for too long")
    func drippingBody() async throws {
        let record = try await load(
            RawResponse(
                RawResponse.head(200, headers: [("Content-Length", "1000")]),
                then: .drip([UInt8](repeating: 0x41, count: 1000), milliseconds: 100)),
            limits: .limits { $0.stallTimeout = .seconds(1) })
        #expect(record.errorCode == .timeout)
        #expect(record.body.count < 100)
        try await origin.connectionClosed()
    }

    @Test("A head that drips is given up when the time is over")
    func drippingHead() async throws {
        let head = RawResponse.head(200, headers: [("Content-Length", "0")])
        let record = try await load(
            RawResponse([], then: .drip(head, milliseconds: 100)), limits: .limits { $0.timeout = .milliseconds(500) })
        #expect(record.errorCode == .timeout)
        #expect(record.heads.isEmpty)
        try await origin.connectionClosed()
    }

    @Test("What drips fast enough arrives")
    func fastDrip() async throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
        let record = try await load(RawResponse([], then: .drip(bytes, milliseconds: 1)))
        #expect(record.isSuccess)
        #expect(record.text == "hello")
    }

    // MARK: Status lines and fields

    @Test(
        "A status line that is none is a bad answer (RFC 9112 section 4)",
        arguments: [
            "HTTP/1.1\n\n", "HTTP/1.1 \n\n", "HTTP/1.1 20\n\n", "HTTP/1.1 2000 OK\n\n", "HTTP/1.1 -200 OK\n\n",
            "HTTP/1.1 099 OK\n\n", "http/1.1 200 OK\n\n", "ICY 200 OK\n\nabc", "\n\n\n", "\u{0}\u{0}\u{0}\u{0}",
            "GIF89a",
        ])
    func badStatusLine(text: String) async throws {
        let record = try await load(text)
        #expect(!record.isSuccess)
        #expect([.protocol, .connection].contains(record.errorCode))
        #expect(record.heads.isEmpty)
    }

    @Test(
        "A reason of any bytes, or none, does not disturb (RFC 9112 section 4)", arguments: ["", " ", " \u{E9}\u{1}"])
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

    @Test("Lines that are no fields are left out (RFC 9112 section 5.1)")
    func badFields() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\n: no name\nspace : 1\nX-\u{E9}: 1\n X-Fold: 1\nX-Own: 1\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.text == "hello")
        #expect(record.head?.headers[try #require(HTTPField.Name("X-Own"))] == "1")
    }

    @Test("A status line within the fields does not make them new (RFC 9112 section 4)")
    func secondStatusLine() async throws {
        let record = try await load(
            "HTTP/1.1 200 OK\nCache-Control: no-store\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
        #expect(record.head == nil || record.head?.headers[.cacheControl] == "no-store")
    }

    @Test(
        "An interim status that nobody knows is passed over (RFC 9110 section 15.2)", arguments: [100, 102, 103, 199])
    func interim(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) Wait\nX-Own: 1\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
        #expect(record.isSuccess)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.text == "hello")
    }

    @Test("An interim status is no answer (RFC 9110 section 15.2)", arguments: [100, 101, 199])
    func interimAlone(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) Wait\n\n")
        #expect(!record.isSuccess)
        #expect(record.heads.isEmpty)
    }

    @Test("A 204 and a 304 have no body, whatever they say (RFC 9112 section 6.3)", arguments: [204, 304])
    func bodyWithoutContent(status: Int) async throws {
        let record = try await load("HTTP/1.1 \(status) None\nContent-Length: 5\n\nhello", then: .keepAlive)
        #expect(record.isSuccess)
        #expect(record.body.isEmpty)
        // What it said was its body is not taken for the next response.
        origin.respond(to: "/b", with: .ok("good"))
        #expect(try await transport.load(try origin.address("/b")).text == "good")
    }

    // MARK: Codings

    @Test("Codings upon codings are undone, as many as are sensible", arguments: [(2, true), (50, false)])
    func stackedCodings(count: Int, isFine: Bool) async throws {
        var body = Array("hello".utf8)
        for _ in 0..<count { body = Gzip.stored(body) }
        let coding = Array(repeating: "gzip", count: count).joined(separator: ", ")
        let record = try await load(.ok(body, headers: [("Content-Encoding", coding)]))
        #expect(record.isSuccess == isFine)
        if isFine { #expect(record.text == "hello") }
    }

    // MARK: Through the cache

    @Test(
        "What was not whole, or no answer, is not stored",
        arguments: [
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Length: 6\n\nhello",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Length: 5\nContent-Length: 4\n\nhello",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nTransfer-Encoding: chunked\n\n5\nhello\n",
            "HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Encoding: gzip\nContent-Length: 5\n\nhello",
            "HTTP/1.1 2000 OK\nCache-Control: max-age=60\nContent-Length: 5\n\nhello",
            "HTTP/1.1 103 Hints\nCache-Control: max-age=60\n\n",
        ])
    func nothingStored(text: String) async throws {
        let client = HTTPClient(store: store, transport: transport)
        origin.respond(to: "/a", with: .raw(text.replacing("\n", with: "\r\n"), then: .close))
        let request = TransferRequest(try origin.address("/a"))
        await #expect(throws: ImageError.self) { try await client.response(for: request, policy: .http) }
        await client.finished()
        #expect(store.usage().entryCount == 0)
    }

    @Test("Doubled fields and values beyond ASCII come out of the store as they went in")
    func storedFields() async throws {
        let client = HTTPClient(store: store, transport: transport)
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
