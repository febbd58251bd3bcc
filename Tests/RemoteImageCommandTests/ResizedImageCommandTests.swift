import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// `remote-image fetch --stored-sizes`, and the resized images in `remote-image cache`.
@Suite(.timeLimit(.minutes(5)))
struct ResizedImageCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        fixture.origin.respond(
            to: "/a.png", with: .ok(Self.image, headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"1\"")]))
    }

    /// A gradient of 200 × 100 pixels.
    private static let image = PNGFile(width: 200, height: 100).bytes(
        (0..<100).map { y in (0..<200).flatMap { x in [UInt8(x), UInt8(2 * y), 90] } })

    private func fetch(_ options: String...) async throws -> JSONObject {
        let arguments = ["fetch", "--json", "--size", "100", try fixture.address("/a.png")] + options
        let program = try BuiltProgram("remote-image", arguments + ["--cache-dir", fixture.storePath])
        let ending = try await program.ended()
        #expect(ending.status == 0)
        return try #require(try ending.objects.first)
    }

    private func list() async throws -> [JSONObject] {
        try await fixture.run("cache", "list", "--json").objects
    }

    private func info() async throws -> JSONObject {
        try #require(try await fixture.run("cache", "info", "--json").objects.first)
    }

    // MARK: fetch

    @Test func `after a run that waits for resized images, the next run decodes them`() async throws {
        #expect(try await fetch("--stored-sizes", "wait")[text: "decoder"] == "png")
        let line = try await fetch()
        #expect(line[text: "decoder"] == "stored")
        #expect(line[text: "origin"] == "disk" && line[text: "format"] == "png")
        #expect(line[number: "width"] == 200 && line[number: "height"] == 100)
        #expect(line[number: "decodedWidth"] == 100 && line[number: "decodedHeight"] == 50)
        #expect(line[number: "bytes"] == Self.image.count)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test(arguments: ["automatic", "wait"])
    func `the automatic mode and a second wait use resized images`(mode: String) async throws {
        _ = try await fetch("--stored-sizes", "wait")
        #expect(try await fetch("--stored-sizes", mode)[text: "decoder"] == "stored")
        #expect(try await list().first?[objects: "resized"]?.count == 1)
    }

    @Test func `never neither stores nor uses resized images`() async throws {
        #expect(try await fetch("--stored-sizes", "never")[text: "decoder"] == "png")
        #expect(try await info()[number: "resizedBytes"] == 0)
        _ = try await fetch("--stored-sizes", "wait")
        #expect(try await fetch("--stored-sizes", "never")[text: "decoder"] == "png")
    }

    @Test func `a written file is made from the original`() async throws {
        _ = try await fetch("--stored-sizes", "wait")
        let folder = fixture.folder.path("out")
        #expect(try await fetch("--stored-sizes", "wait", "--output", folder)[text: "decoder"] == "png")
    }

    @Test func `nothing is stored without a disk cache`() async throws {
        #expect(try await fetch("--stored-sizes", "wait", "--no-disk-cache")[text: "decoder"] == "png")
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }

    // MARK: cache

    /// Stores a resized image as an application with the same store does.
    private func storeProcessedImage() throws {
        let store = DiskCache(path: fixture.storePath)
        let entry = try #require(store.all().first)
        let description = ResizedImage.Description(
            size: PixelSize(width: 60, height: 40), processing: "circle",
            originalSize: PixelSize(width: 200, height: 100), originalFormat: .png)
        store.store(ResizedImage(description, data: [1]), of: try #require(entry.responses.first), for: entry.key)
    }

    @Test func `the list contains resized images`() async throws {
        _ = try await fetch("--stored-sizes", "never")
        #expect(try await list().first?[objects: "resized"]?.isEmpty == true)
        let plain = try await fixture.run("cache", "list").lines
        _ = try await fetch("--stored-sizes", "wait")
        try storeProcessedImage()
        let resized = try #require(try await list().first?[objects: "resized"])
        #expect(resized.map(\.names) == Array(repeating: ["width", "height", "processed"], count: 2))
        #expect(resized.map { [$0[number: "width"], $0[number: "height"]] } == [[100, 50], [60, 40]])
        #expect(resized.map { $0[truth: "processed"] } == [false, true])
        #expect(try await fixture.run("cache", "list").lines == plain.map { "\($0)\t100x50, 60x40 processed" })
    }

    @Test func `statistics count the bytes of resized images`() async throws {
        _ = try await fetch("--stored-sizes", "wait")
        let info = try await info()
        let resized = try #require(info[number: "resizedBytes"])
        #expect(resized > 0 && resized < (info[number: "bytes"] ?? 0))
        #expect(try await fixture.run("cache", "info").text.hasSuffix(" bytes, \(resized) bytes of resized images\n"))
    }

    @Test func `resized images are removed without their originals`() async throws {
        _ = try await fetch("--stored-sizes", "wait")
        #expect(try await fixture.run("cache", "clear", "--resized").status == 0)
        let info = try await info()
        #expect(info[number: "resizedBytes"] == 0 && info[number: "entries"] == 1)
        let line = try await fetch("--policy", "stored-only")
        #expect(line[text: "decoder"] == "png" && line[text: "origin"] == "disk")
    }

    @Test func `a failed removal of resized images exits with 1 and names the folder`() async throws {
        _ = try await fetch("--stored-sizes", "wait")
        // A removal locks this file, and a folder cannot be locked like a file.
        let lock = fixture.storePath + "/v1/lock"
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let ending = try await fixture.run("cache", "clear", "--resized")
        #expect(ending.status == 1)
        #expect(ending.errors.contains(fixture.storePath))
        #expect(try await list().first?[objects: "resized"]?.count == 1)
    }

    @Test func `removing resized images from a missing cache succeeds`() async throws {
        let ending = try await fixture.run("cache", "clear", "--resized")
        #expect(ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }
}
