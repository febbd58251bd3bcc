import Foundation
import TestSupport
import Testing

/// `remote-image cache`.
@Suite(.timeLimit(.minutes(5)))
struct CacheCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        for path in ["/a", "/b"] {
            fixture.origin.respond(to: path, with: .ok("12345", headers: [("Cache-Control", "max-age=3600")]))
        }
    }

    private func fill() async throws {
        for path in ["/a", "/b"] { _ = try await fixture.run("get", try fixture.address(path)) }
    }

    private func entryCount() async throws -> Int? {
        try await fixture.run("cache", "info", "--json").objects.first?[number: "entries"]
    }

    @Test func `what is in it is told in numbers`() async throws {
        try await fill()
        let info = try #require(try await fixture.run("cache", "info", "--json").objects.first)
        #expect(info[number: "entries"] == 2)
        #expect(try #require(info[number: "bytes"]) > 0)
        #expect(try #require(info[number: "limit"]) >= 16 << 20)
        #expect(try await fixture.run("cache", "info").text.hasPrefix("2 entries, "))
    }

    @Test func `what is in it is listed`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "list", "--json")
        let objects = try ending.objects
        #expect(Set(objects.compactMap { $0[text: "url"] }) == [try fixture.address("/a"), try fixture.address("/b")])
        #expect(objects.allSatisfy { $0[number: "status"] == 200 && $0[number: "bytes"] == 5 })
        #expect(try await fixture.run("cache", "list").lines.count == 2)
    }

    @Test func `one address is removed, the others stay`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "remove", try fixture.address("/a"))
        #expect(ending.status == 0)
        #expect(try await fixture.run("get", "--policy", "stored-only", try fixture.address("/a")).status == 1)
        #expect(try await fixture.run("get", "--policy", "stored-only", try fixture.address("/b")).status == 0)
    }

    @Test func `an address that is none is a failure, and the others are removed all the same`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "remove", "http://", try fixture.address("/a"))
        #expect(ending.status == 1)
        #expect(!ending.errors.isEmpty)
        #expect(try await entryCount() == 1)
    }

    @Test func `it is trimmed, and cleared`() async throws {
        try await fill()
        #expect(try await fixture.run("cache", "trim", "--to", "1000000").status == 0)
        #expect(try await entryCount() == 2)
        #expect(try await fixture.run("cache", "trim", "--to", "0").status == 0)
        #expect(try await entryCount() == 0)
        try await fill()
        #expect(try await fixture.run("cache", "clear").status == 0)
        #expect(try await entryCount() == 0)
    }

    @Test func `one that is not there is empty, and is not made`() async throws {
        #expect(try await entryCount() == 0)
        #expect(try await fixture.run("cache", "list").output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }
}
