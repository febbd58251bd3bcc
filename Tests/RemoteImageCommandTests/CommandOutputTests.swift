import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// The exact text of the commands.
@Suite(.timeLimit(.minutes(5)))
struct CommandOutputTests {
    private let fixture: CommandFixture
    private let image = GoldenImage.jpeg

    init() throws {
        fixture = try CommandFixture()
        fixture.origin.respond(to: "/a.jpg", with: .ok(image, headers: [("Cache-Control", "max-age=3600")]))
        fixture.origin.respond(to: "/b", with: .ok("12345", headers: [("Cache-Control", "max-age=3600")]))
    }

    @Test func `a line of text has the format, the sizes, the bytes, the time and the file`() async throws {
        let (address, out) = (try fixture.address("/a.jpg"), fixture.folder.path("out"))
        let ending = try await fixture.run("fetch", "--size", "24", address)
        let start = "\(address): jpeg, 48 × 32, decoded at 24 × 16, \(image.count) bytes, "
        let line = try #require(ending.lines.first)
        #expect(line.hasPrefix(start) && line.hasSuffix(" s"))
        let seconds = line.dropFirst(start.count).dropLast(2)
        #expect(try #require(Double(seconds)) < 60 && seconds.split(separator: ".").last?.count == 3)
        let written = try await fixture.run("fetch", "--size", "24", "--output", out, address)
        #expect(written.text.hasSuffix(" s, written to \(out)/a.png at 24 × 16\n"))
        #expect(ending.status == 0 && written.status == 0)
    }

    @Test func `a failed connection has neither a status nor errors of other sources`() async throws {
        let ending = try await fixture.run(
            "fetch", "--json", "--no-disk-cache", "--retries", "0", "http://127.0.0.1:1/")
        let error = try #require(try ending.objects.first?[object: "error"])
        #expect(error.names == ["code", "message"])
        #expect(error[text: "code"] == "connection")
    }

    @Test func `statistics and lists are lines of text or JSON objects`() async throws {
        let address = try fixture.address("/b")
        _ = try await fixture.run("get", address)
        let list = try await fixture.run("cache", "list")
        #expect(list.text == "5\t200\t\(address)\n")
        let object = try #require(try await fixture.run("cache", "list", "--json").objects.first)
        #expect(object.names == ["url", "status", "bytes", "stored", "resized"])
        #expect(try #require(object[number: "stored"]) > 1_700_000_000)
        #expect(try #require(object[objects: "resized"]).isEmpty)
        let info = try #require(try await fixture.run("cache", "info", "--json").objects.first)
        #expect(info.names == ["entries", "bytes", "resizedBytes", "limit"])
        let bytes = info[number: "bytes"] ?? 0
        #expect(info[number: "resizedBytes"] == 0 && bytes >= 5 && info[number: "limit"] ?? 0 > 0)
        // On a small disk, the limit follows the free space.
        let text = try await fixture.run("cache", "info").text
        let line = try #require(
            text.wholeMatch(of: /1 entries, (\d+) of (\d+) bytes, 0 bytes of resized images\n/), "\(text)")
        #expect(line.1 == "\(bytes)" && Int(line.2) ?? 0 > 0)
    }

    @Test(arguments: [(399, 0), (400, 1)])
    func `a status from 400 on is a failure`(status: Int, exitStatus: Int32) async throws {
        fixture.origin.respond(to: "/c", with: .status(status, body: Array("body".utf8)))
        let ending = try await fixture.run("get", "--retries", "0", try fixture.address("/c"))
        #expect(ending.status == exitStatus)
        #expect(ending.text == "body")
        #expect(ending.errors.isEmpty == (exitStatus == 0))
    }

    /// One of them has neither a line break at its end nor a known kind of line break.
    @Test func `white space around the lines of a list is not part of an address`() async throws {
        let address = try fixture.address("/a.jpg")
        try fixture.folder.write(" \t\(address)\t \r\r\n\n\t\n\(address)?1\n \(address)?2", to: "list")
        let ending = try await fixture.run("fetch", "--json", "--urls", fixture.folder.path("list"))
        #expect(
            try Set(ending.objects.compactMap { $0[text: "url"] }) == [address, "\(address)?1", "\(address)?2"])
        #expect(ending.lines.count == 3)
    }

    @Test func `resized images are cleared without their originals`() async throws {
        _ = try await fixture.run("get", try fixture.address("/b"))
        #expect(try await fixture.run("cache", "clear", "--resized").status == 0)
        #expect(try await fixture.run("cache", "list").lines.count == 1)
        #expect(try await fixture.run("cache", "clear").status == 0)
        #expect(try await fixture.run("cache", "list").lines.isEmpty)
    }

    @Test func `an image smaller than the requested size is written as it is`() async throws {
        let out = fixture.folder.path("out")
        let ending = try await fixture.run(
            "fetch", "--json", "--size", "480", "--output", out, try fixture.address("/a.jpg"))
        let line = try #require(try ending.objects.first)
        #expect(line[number: "writtenWidth"] == 48 && line[number: "writtenHeight"] == 32)
        #expect(
            try ImageHeader.read(try fixture.folder.read("out/a.png")).storedSize == PixelSize(width: 48, height: 32))
    }
}
