import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// `remote-image get` for one resource.
@Suite(.timeLimit(.minutes(5)))
struct GetTests {
    private let fixture: CommandFixture
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func `the body is written unchanged`() async throws {
        fixture.origin.respond(to: "/a", with: .ok(bytes))
        let ending = try await fixture.run("get", try fixture.address("/a"))
        #expect(ending.status == 0)
        #expect(ending.output.elementsEqual(bytes))
    }

    @Test func `the option --include writes the status and all headers before the body`() async throws {
        fixture.origin.respond(to: "/a", with: .status(404, headers: [("X-Own", "1"), ("X-Own", "2")], body: bytes))
        let ending = try await fixture.run("get", "--allow-errors", "--include", try fixture.address("/a"))
        #expect(ending.status == 0)
        let head = "HTTP 404\nX-Own: 1\nX-Own: 2\nContent-Length: 200000\n\n"
        #expect(ending.output.elementsEqual(Array(head.utf8) + bytes))
    }

    /// The output may be a terminal, which interprets these characters.
    @Test func `the printed headers have no control characters`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nX-Own: a".utf8) + [0x9B] + Array("b\r\nContent-Length: 1\r\n\r\n".utf8)
        fixture.origin.respond(to: "/a", with: RawResponse(head + [0x9B]))
        let ending = try await fixture.run("get", "--include", try fixture.address("/a"))
        #expect(ending.status == 0)
        let printed = Array("HTTP 200\nX-Own: a\u{FFFD}b\nContent-Length: 1\n\n".utf8)
        #expect(ending.output == printed + [0x9B], "the body is unchanged")
    }

    @Test(arguments: [404, 500])
    func `a response with an error status is written, and exits with 1 unless errors are allowed`(
        status: Int
    ) async throws {
        fixture.origin.respond(to: "/a", with: .status(status, body: bytes))
        let address = try fixture.address("/a")
        let refused = try await fixture.run("get", "--retries", "0", address)
        #expect(refused.status == 1)
        #expect(refused.output.elementsEqual(bytes))
        #expect(refused.errors.hasPrefix("httpStatus: ") && refused.errors.contains("\(status)"))
        let allowed = try await fixture.run("get", "--retries", "0", "--allow-errors", address)
        #expect(allowed.status == 0)
        #expect(allowed.output.elementsEqual(bytes) && allowed.errors.isEmpty)
    }

    @Test func `a request without a response exits with 1 and an error message`() async throws {
        fixture.origin.respond(to: "/a", with: RawResponse([], then: .close))
        let ending = try await fixture.run("get", "--retries", "0", try fixture.address("/a"))
        #expect(ending.status == 1)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("connection: "))
    }

    @Test func `request headers are sent as given, and repeated headers on separate lines`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a"))
        _ = try await fixture.run("get", "--header", "X-Own: 1", "--header", "X-Own: 2", try fixture.address("/a"))
        #expect(try await fixture.origin.received(count: 1).values("X-Own") == ["1", "2"])
    }

    /// The second session once received the response of the first.
    @Test(arguments: ["Cookie: s=", "X-Api-Key: ", "Authorization: Basic "])
    func `requests with different headers never share a stored response`(header: String) async throws {
        let stored = [("Cache-Control", "max-age=3600")]
        for session in ["A", "B"] {
            fixture.origin.respond(to: "/a", with: .ok(session, headers: stored))
            for _ in 0..<2 {
                let ending = try await fixture.run(
                    "get", "--header", "\(header)\(session)", try fixture.address("/a"))
                #expect(ending.text == session)
            }
        }
        #expect(fixture.origin.requests.count == 2, "each session stores its response")
    }

    @Test(arguments: ["Cache-Control: max-stale", "Cache-Control: only-if-cached"])
    func `headers that address the cache itself find the stored response`(header: String) async throws {
        fixture.origin.respond(
            to: "/a", with: .ok("a", headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"1\"")]))
        _ = try await fixture.run("get", try fixture.address("/a"))
        let ending = try await fixture.run("get", "--header", header, try fixture.address("/a"))
        #expect(ending.text == "a")
        #expect(fixture.origin.requests.count == 1)
    }

    @Test func `Pragma validates the stored response`() async throws {
        fixture.origin.respond(
            to: "/a", with: .ok("a", headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"1\"")]))
        _ = try await fixture.run("get", try fixture.address("/a"))
        _ = try await fixture.run("get", "--header", "Pragma: no-cache", try fixture.address("/a"))
        #expect(fixture.origin.requests.last?.value("If-None-Match") == "\"1\"")
    }

    @Test func `a body larger than the buffer of a pipe is written completely`() async throws {
        let large = [UInt8](repeating: 0x41, count: 4 << 20)
        fixture.origin.respond(to: "/a", with: .ok(large))
        let ending = try await fixture.run("get", try fixture.address("/a"))
        #expect(ending.output.elementsEqual(large))
    }

    /// The command once exited with 1 without a message.
    @Test func `a body that cannot be written is reported`() async throws {
        fixture.origin.respond(to: "/a", with: .ok(bytes))
        let program = try BuiltProgram(
            "remote-image", ["get", "--no-disk-cache", "--include", try fixture.address("/a")],
            outputFile: "/dev/full")
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(ending.errors == "standard output: No space left on device\n")
    }

    @Test func `a killed download is resumed by the next run`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        fixture.origin.hold("/large")
        let address = try fixture.address("/large")
        let first = try fixture.start("get", address)
        let exchange = try await fixture.origin.exchange(for: "/large")
        exchange.send(RawResponse.head(200, headers: [("ETag", "\"1\""), ("Content-Length", "\(body.count)")]))
        exchange.send(Array(body.prefix(1_500_000)))
        // The first piece is stored once its metadata exists.
        func hasMetadata() -> Bool {
            let files = FileManager.default.enumerator(atPath: fixture.storePath)?.compactMap { $0 as? String }
            return files?.contains { $0.hasSuffix(".h") } == true
        }
        try await waitUntil("metadata in the store") { hasMetadata() }
        first.kill()
        #expect(try await first.ended().status == 128 + SIGKILL)

        let second = try fixture.start("get", address)
        let rest = try await fixture.origin.exchange(for: "/large")
        let start = 1 << 20
        #expect(rest.request.value("Range") == "bytes=\(start)-")
        #expect(rest.request.value("If-Range") == "\"1\"")
        rest.send(
            .status(
                206, headers: [("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)"), ("ETag", "\"1\"")],
                body: Array(body.dropFirst(start))))
        let ending = try await second.ended()
        #expect(ending.status == 0)
        #expect(ending.output.elementsEqual(body))
    }
}
