import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// `remote-image get --jsonl`, which answers many requests in one process.
@Suite(.timeLimit(.minutes(5)))
struct RequestLinesTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// A line of input for a path of the origin.
    private func line(_ id: String, _ path: String, _ more: String = "") throws -> String {
        #"{"id":"\#(id)","url":"\#(try fixture.address(path))"\#(more)}"#
    }

    /// Runs the command with these lines and returns its answers by id.
    private func answers(_ lines: [String], _ options: String...) async throws -> [String: JSONObject] {
        let program = try BuiltProgram(
            "remote-image", ["get", "--jsonl", "--cache-dir", fixture.storePath] + options)
        for line in lines { program.write(line) }
        program.closeInput()
        let ending = try await program.ended()
        let objects = try ending.objects
        #expect(objects.count == lines.count)
        #expect(ending.status == (objects.contains { $0[object: "error"] != nil } ? 1 : 0))
        return Dictionary(objects.map { ($0[text: "id"] ?? "", $0) }) { first, _ in first }
    }

    // MARK: Answers

    @Test func `an answer has its id, status, headers, body and origin`() async throws {
        let head =
            Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Own: 1\r\nX-Own: ".utf8) + [0xE9]
            + Array("\r\nContent-Length: 3\r\n\r\n".utf8)
        fixture.origin.respond(to: "/a", with: RawResponse(head + [0, 0xFF, 0x22]))
        let answer = try #require(try await answers([line("1", "/a")])["1"])
        #expect(answer.names == ["id", "status", "headers", "body", "origin"])
        #expect(answer[number: "status"] == 200)
        #expect(
            answer[pairs: "headers"] == [
                ["Content-Type", "text/plain"], ["X-Own", "1"], ["X-Own", "\u{E9}"], ["Content-Length", "3"],
            ])
        #expect(answer[bytes: "body"] == [0, 0xFF, 0x22])
        #expect(answer[text: "origin"] == "network")
    }

    @Test func `a request without a response is answered with an error code and message`() async throws {
        fixture.origin.respond(to: "/a", with: RawResponse([], then: .close))
        let answer = try #require(try await answers([line("2", "/a")], "--retries", "0")["2"])
        #expect(answer.names == ["id", "error"])
        #expect(answer[object: "error"]?.names == ["code", "message"])
        #expect(answer[object: "error"]?[text: "code"] == "connection")
    }

    @Test(arguments: [
        ("nonsense", "", "invalidURL"), (#"{"id":"3"}"#, "3", "invalidURL"),
        (#"{"id":"3","url":"http://"}"#, "3", "invalidURL"),
        (#"{"id":"3","url":"http://test/","policy":"sometimes"}"#, "3", "invalidURL"),
        (#"{"id":"3","url":"http://test/","headers":[["a b","c"]]}"#, "3", "invalidURL"),
        (#"{"id":"3","url":"http://test/","headers":[["a"]]}"#, "3", "invalidURL"),
    ])
    func `an invalid line is answered with an error`(line: String, id: String, code: String) async throws {
        fixture.origin.respond(to: "/a", with: .ok("a"))
        let answers = try await answers([line, try self.line("good", "/a")])
        #expect(answers[id]?[object: "error"]?[text: "code"] == code)
        #expect(answers["good"]?[number: "status"] == 200, "and the others go on")
    }

    /// The error once said that the server sent an invalid response.
    @Test func `the error for an invalid policy names the request`() async throws {
        let answers = try await answers([line("3", "/a", #","policy":"sometimes""#)])
        #expect(answers["3"]?[object: "error"]?[text: "message"] == "The request is not valid: not a policy: sometimes")
        #expect(fixture.origin.requests.isEmpty)
    }

    /// A line break within a value was once sent as two spaces.
    @Test(arguments: [
        #"["a b","secret"]"#, #"["secret"]"#, #"["Authorization: secret","1"]"#, #"["X-Own","secret\r\nX: 1"]"#,
        #"["X-Own","secret\u0000"]"#, #"["X-Own","secret\r\n"]"#,
    ])
    func `the error for an invalid header does not contain its text`(header: String) async throws {
        let answers = try await answers([line("3", "/a", #","headers":[["X-Own","1"],\#(header)]"#)])
        let message = try #require(answers["3"]?[object: "error"]?[text: "message"])
        #expect(message == "The request is not valid: header 2 is not a valid name and a value")
        #expect(fixture.origin.requests.isEmpty)
    }

    @Test func `a header that frames messages is refused by its name`() async throws {
        let answers = try await answers([line("3", "/a", #","headers":[["Transfer-Encoding","chunked"]]"#)])
        let error = answers["3"]?[object: "error"]
        #expect(error?[text: "code"] == "invalidURL")
        #expect(
            error?[text: "message"]
                == "The request is not valid: a request must not set the header Transfer-Encoding")
        #expect(fixture.origin.requests.isEmpty)
    }

    /// Another session once received the response from the store.
    @Test func `lines with different credentials never share a stored response`() async throws {
        for session in ["A", "B"] {
            fixture.origin.respond(to: "/a", with: .ok(session, headers: [("Cache-Control", "max-age=3600")]))
            let answers = try await answers([line("1", "/a", #","headers":[["Cookie","s=\#(session)"]]"#)])
            #expect(answers["1"]?[text: "body"] == Data(session.utf8).base64EncodedString())
        }
    }

    @Test func `request headers are sent as given, and repeated headers on separate lines`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a"))
        _ = try await answers([line("1", "/a", #","headers":[["X-Own","1"],["X-Own","2"],["Accept","*/*"]]"#)])
        let request = try await fixture.origin.received(count: 1)
        #expect(request.values("X-Own") == ["1", "2"])
        #expect(request.values("Accept") == ["*/*"])
    }

    @Test func `spaces and tabs around the value of a header are removed`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a"))
        _ = try await answers([line("1", "/a", #","headers":[["X-Own"," \ta b \t"]]"#)])
        let request = try await fixture.origin.received(count: 1)
        #expect(request.values("X-Own") == ["a b"])
    }

    @Test(arguments: [204, 301, 404, 410, 500, 599])
    func `any status is answered as a response`(status: Int) async throws {
        fixture.origin.respond(to: "/a", with: .status(status))
        #expect(try await answers([line("1", "/a")])["1"]?[number: "status"] == status)
    }

    // MARK: Concurrent requests

    @Test func `32 concurrent requests are answered with their own bodies`() async throws {
        for number in 0..<32 { fixture.origin.respond(to: "/\(number)", with: .ok("body \(number)")) }
        let answers = try await answers((0..<32).map { try line("\($0)", "/\($0)") })
        for number in 0..<32 {
            #expect(answers["\(number)"]?[bytes: "body"] == Array("body \(number)".utf8))
        }
    }

    @Test(arguments: [1, 4])
    func `32 requests run at once to one host or to several`(originCount: Int) async throws {
        let origins = try (0..<originCount).map { _ in try RawOrigin() }
        let program = try fixture.start("get", "--jsonl", "--retries", "0", "--timeout", "20")
        for number in 0..<32 {
            let origin = origins[number % originCount]
            origin.hold("/\(number)")
            program.write(#"{"id":"\#(number)","url":"\#(try origin.address("/\(number)").string)"}"#)
        }
        // No request is answered before all have arrived.
        for origin in origins { try await origin.received(count: 32 / originCount) }
        for number in 0..<32 {
            try await origins[number % originCount].exchange(for: "/\(number)").send(.ok("body \(number)"))
        }
        program.closeInput()
        let ending = try await program.ended()
        #expect(ending.status == 0)
        for object in try ending.objects {
            #expect(object[bytes: "body"] == Array("body \(object[text: "id"] ?? "")".utf8))
        }
    }

    @Test func `a slow request delays neither other requests nor later lines`() async throws {
        fixture.origin.hold("/slow")
        for number in 0..<32 { fixture.origin.respond(to: "/\(number)", with: .ok("body \(number)")) }
        let program = try fixture.start("get", "--jsonl")
        program.write(try line("slow", "/slow"))
        let slow = try await fixture.origin.exchange(for: "/slow")
        for number in 0..<31 { program.write(try line("\(number)", "/\(number)")) }
        _ = try await program.lines(count: 31)
        program.write(try line("31", "/31"))
        let before = try await program.lines(count: 32)
        #expect(!before.contains { $0.contains(#""id":"slow""#) })
        program.closeInput()
        slow.send(.ok("at last"))
        let ending = try await program.ended()
        #expect(ending.status == 0)
        #expect(try ending.objects.last?[bytes: "body"] == Array("at last".utf8))
    }

    @Test func `repeated requests for a resource are answered from the store`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a", headers: [("Cache-Control", "max-age=3600")]))
        let program = try fixture.start("get", "--jsonl")
        for number in 0..<50 {
            program.write(try line("\(number)", "/a"))
            let lines = try await program.lines(count: number + 1)
            let answer = try JSONObject(lines[number])
            #expect(answer[text: "origin"] == (number == 0 ? "network" : "disk"))
        }
        program.closeInput()
        #expect(try await program.ended().status == 0)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test func `without a disk cache, responses are kept in memory and no files are written`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a", headers: [("Cache-Control", "max-age=3600")]))
        let program = try fixture.start("get", "--jsonl", "--no-disk-cache")
        for number in 0..<50 {
            program.write(try line("\(number)", "/a"))
            let answer = try JSONObject(try await program.lines(count: number + 1)[number])
            #expect(answer[bytes: "body"] == Array("a".utf8))
            #expect(answer[text: "origin"] == (number == 0 ? "network" : "memory"))
        }
        program.closeInput()
        #expect(try await program.ended().status == 0)
        #expect(fixture.origin.requests.count == 1)
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }

    // MARK: Exit

    @Test func `the command ends after a revalidation in the background`() async throws {
        fixture.origin.respond(
            to: "/a",
            with: .ok("old", headers: [("Cache-Control", "max-age=0, stale-while-revalidate=3600"), ("ETag", "\"1\"")]))
        _ = try await answers([line("1", "/a")])
        fixture.origin.hold("/a")
        let program = try fixture.start("get", "--jsonl")
        program.write(try line("2", "/a"))
        program.closeInput()
        let stale = try JSONObject(try await program.lines(count: 1)[0])
        #expect(stale[text: "origin"] == "stale")
        #expect(stale[bytes: "body"] == Array("old".utf8))
        let validation = try await fixture.origin.exchange(for: "/a")
        #expect(validation.request.value("If-None-Match") == "\"1\"")
        #expect(program.isRunning)
        validation.send(.ok("new", headers: [("Cache-Control", "max-age=3600")]))
        #expect(try await program.ended().status == 0)
        let next = try #require(try await answers([line("3", "/a")])["3"])
        #expect(next[text: "origin"] == "disk")
        #expect(next[bytes: "body"] == Array("new".utf8))
    }

    @Test func `the command ends at the end of an empty input`() async throws {
        #expect(try await answers([]).isEmpty)
    }

    /// The command once exited with 1 without a message.
    @Test func `answers that cannot be written are reported once`() async throws {
        let program = try BuiltProgram("remote-image", ["get", "--jsonl", "--no-disk-cache"], outputFile: "/dev/full")
        for id in ["1", "2"] { program.write(try line(id, "/a")) }
        program.closeInput()
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(ending.errors == "standard output: No space left on device\n")
    }

    // MARK: Policies

    @Test func `each policy determines the origin of the response`() async throws {
        fixture.origin.respond(
            to: "/a"
        ) { request in
            request.value("If-None-Match") == nil
                ? .ok("a", headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"1\"")]) : .status(304)
        }
        func origin(_ policy: String) async throws -> String? {
            try await answers([line("1", "/a", #","policy":"\#(policy)""#)])["1"].flatMap {
                $0[text: "origin"] ?? $0[object: "error"]?[text: "code"]
            }
        }
        #expect(try await origin("stored-only") == "notStored")
        #expect(try await origin("no-store") == "network")
        #expect(try await origin("stored-only") == "notStored")
        #expect(try await origin("http") == "network")
        #expect(try await origin("http") == "disk")
        #expect(try await origin("stored") == "disk")
        #expect(try await origin("stored-only") == "disk")
        #expect(try await origin("reload") == "network")
        #expect(try await origin("revalidate") == "revalidated")
        let last = try #require(fixture.origin.requests.last)
        #expect(last.value("Cache-Control") == "max-age=0")
        #expect(last.value("If-None-Match") == "\"1\"")
    }

    @Test func `only a conditional request gets a 304 response`() async throws {
        fixture.origin.respond(to: "/a", with: .status(304))
        let answers = try await answers(
            [line("own", "/a", #","headers":[["If-None-Match","\"1\""]]"#), line("none", "/a")], "--retries", "0")
        #expect(answers["own"]?[number: "status"] == 304)
        #expect(answers["none"]?[object: "error"]?[text: "code"] == "protocol")
    }

    @Test func `an unreachable origin gives a stale response, or a 504 if staleness is forbidden`() async throws {
        fixture.origin.respond(to: "/a", with: .ok("a", headers: [("Cache-Control", "max-age=0")]))
        fixture.origin.respond(to: "/b", with: .ok("b", headers: [("Cache-Control", "max-age=0, must-revalidate")]))
        _ = try await answers([line("a", "/a"), line("b", "/b")])
        for path in ["/a", "/b", "/c"] { fixture.origin.respond(to: path, with: RawResponse([], then: .close)) }
        let answers = try await answers([line("a", "/a"), line("b", "/b"), line("c", "/c")], "--retries", "0")
        #expect(answers["a"]?[text: "origin"] == "stale")
        #expect(answers["a"]?[bytes: "body"] == Array("a".utf8))
        #expect(answers["b"]?[number: "status"] == 504)
        #expect(answers["b"]?[text: "origin"] == "generated")
        #expect(answers["c"]?[object: "error"]?[text: "code"] == "connection")
    }
}
