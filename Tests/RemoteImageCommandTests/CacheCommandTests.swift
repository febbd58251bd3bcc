import Foundation
import RemoteImageCore
import RemoteImageTestSupport
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

    /// Stores an entry as an application with the same store does.
    private func store(for key: String) throws {
        let response = StoredResponse(
            status: 200, headers: [:], address: try WebAddress("http://test/somewhere"), requestTime: 1,
            responseTime: 1)
        DiskCache(path: fixture.storePath).store(response, body: [1], for: key) { _ in true }
    }

    private func urls() async throws -> [String] {
        try await fixture.run("cache", "list", "--json").objects.compactMap { $0[text: "url"] }
    }

    private func entryCount() async throws -> Int? {
        try await fixture.run("cache", "info", "--json").objects.first?[number: "entries"]
    }

    @Test func `statistics count entries and bytes`() async throws {
        try await fill()
        let info = try #require(try await fixture.run("cache", "info", "--json").objects.first)
        #expect(info[number: "entries"] == 2)
        #expect(try #require(info[number: "bytes"]) > 0)
        #expect(try #require(info[number: "limit"]) >= 16 << 20)
        #expect(try await fixture.run("cache", "info").text.hasPrefix("2 entries, "))
    }

    @Test func `the list contains addresses, statuses and sizes`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "list", "--json")
        let objects = try ending.objects
        #expect(Set(objects.compactMap { $0[text: "url"] }) == [try fixture.address("/a"), try fixture.address("/b")])
        #expect(objects.allSatisfy { $0[number: "status"] == 200 && $0[number: "bytes"] == 5 })
        #expect(try await fixture.run("cache", "list").lines.count == 2)
    }

    @Test(arguments: ["info", "list"])
    func `a store that cannot be read is reported`(command: String) async throws {
        try await fill()
        let path = fixture.storePath
        #expect(chmod(path, 0o777) == 0)
        let exposed = try await fixture.run("cache", command)
        #expect(exposed.status == 1)
        #expect(exposed.errors.contains("other users may write to the folder"))
        #expect(chmod(path, 0o700) == 0)
        #expect(try await fixture.run("cache", command).status == 0)
        #expect(rename(path, "\(path).real") == 0)
        #expect(symlink("\(path).real", path) == 0)
        #expect(try await fixture.run("cache", command).status == 1)
        #expect(unlink(path) == 0)
        #expect(try await fixture.run("cache", command).status == 0, "there is no store yet")
    }

    @Test(arguments: ["info", "list"])
    func `a listing that cannot be written is reported as a failure`(command: String) async throws {
        try await fill()
        let program = try BuiltProgram(
            "remote-image", ["cache", command, "--cache-dir", fixture.storePath], outputFile: "/dev/full")
        program.closeInput()
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(ending.errors == "standard output: No space left on device\n")
    }

    @Test func `removing an address keeps the other entries`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "remove", try fixture.address("/a"))
        #expect(ending.status == 0)
        #expect(try await fixture.run("get", "--policy", "stored-only", try fixture.address("/a")).status == 1)
        #expect(try await fixture.run("get", "--policy", "stored-only", try fixture.address("/b")).status == 0)
    }

    @Test func `an invalid address is a failure, and the other addresses are removed`() async throws {
        try await fill()
        let ending = try await fixture.run("cache", "remove", "http://", try fixture.address("/a"))
        #expect(ending.status == 1)
        #expect(!ending.errors.isEmpty)
        #expect(try await entryCount() == 1)
    }

    @Test func `the cache is trimmed and cleared`() async throws {
        try await fill()
        #expect(try await fixture.run("cache", "trim", "--to", "1000000").status == 0)
        #expect(try await entryCount() == 2)
        #expect(try await fixture.run("cache", "trim", "--to", "0").status == 0)
        #expect(try await entryCount() == 0)
        try await fill()
        #expect(try await fixture.run("cache", "clear").status == 0)
        #expect(try await entryCount() == 0)
    }

    @Test(arguments: [["clear"], ["trim", "--to", "0"]])
    func `a failed removal exits with 1 and names the folder`(command: [String]) async throws {
        try await fill()
        // A removal locks this file, and a folder cannot be locked like a file.
        let lock = fixture.storePath + "/v1/lock"
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let program = try BuiltProgram("remote-image", ["cache"] + command + ["--cache-dir", fixture.storePath])
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(ending.errors.contains(fixture.storePath))
        #expect(try await entryCount() == 2)
    }

    @Test func `an address that cannot be removed is reported, and the command exits with 1`() async throws {
        try await fill()
        let files = FileManager.default
        for shard in try files.contentsOfDirectory(atPath: fixture.storePath + "/v1") where shard != "lock" {
            try files.removeItem(atPath: "\(fixture.storePath)/v1/\(shard)")
            try fixture.folder.write("no folder", to: "store/v1/\(shard)")
        }
        let address = try fixture.address("/a")
        let ending = try await fixture.run("cache", "remove", address)
        #expect(ending.status == 1)
        #expect(ending.errors.contains(address))
    }

    @Test func `a redirect is listed and removed under the requested address`() async throws {
        let headers = [("Location", "/a"), ("Cache-Control", "max-age=3600")]
        fixture.origin.respond(to: "/old", with: .status(301, headers: headers))
        _ = try await fixture.run("get", try fixture.address("/old"))
        #expect(try await urls() == [try fixture.address("/old")])
        #expect(try await fixture.run("cache", "remove", try fixture.address("/old")).status == 0)
        #expect(try await entryCount() == 0)
    }

    @Test func `an entry with an application's identity is removed by its listed name`() async throws {
        let account = String(repeating: "0", count: 32)
        for key in ["image 1", "image 1\nheaders \(account)", "image 2"] { try store(for: key) }
        #expect(try await urls().sorted() == ["image 1", "image 1", "image 2"])
        #expect(try await fixture.run("cache", "remove", "image 1").status == 0)
        #expect(try await urls() == ["image 2"])
        let again = try await fixture.run("cache", "remove", "image 1")
        #expect(again.status == 1, "no address, and nothing of that name")
    }

    @Test func `partial responses are neither listed nor counted`() async throws {
        try await fill()
        try store(for: "http://test/large\npartial")
        #expect(try await urls().count == 2)
        #expect(try await entryCount() == 2)
    }

    @Test func `a missing cache is empty and is not created`() async throws {
        #expect(try await entryCount() == 0)
        #expect(try await fixture.run("cache", "list").output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }

    @Test func `the error of an address that cannot be removed does not contain its password`() async throws {
        let ending = try await fixture.run("cache", "remove", "http://anna:s3cret@bad|host/")
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("http://bad|host/: "))
        #expect(!ending.errors.contains("s3cret") && !ending.errors.contains("anna"))
    }

    @Test func `the standard store is in the cache folder of the user`() async throws {
        let environment = ["XDG_CACHE_HOME": fixture.folder.path("cache")]
        let get = try BuiltProgram("remote-image", ["get", try fixture.address("/a")], environment: environment)
        get.closeInput()
        #expect(try await get.ended().status == 0)
        let list = try await BuiltProgram("remote-image", ["cache", "list"], environment: environment).ended()
        #expect(list.text == "5\t200\t\(try fixture.address("/a"))\n")
        let folder = fixture.folder.path("cache/remote-image/remote-images")
        #expect(try await fixture.run("cache", "info").text.hasPrefix("0 entries"), "another folder")
        let other = try await BuiltProgram("remote-image", ["cache", "info", "--cache-dir", folder]).ended()
        #expect(other.text.hasPrefix("1 entries"))
    }

    // MARK: Without a store

    @Test func `without a cache folder a resource is fetched with one warning`() async throws {
        let nowhere = ["HOME": "", "XDG_CACHE_HOME": "relative"]
        let get = try BuiltProgram("remote-image", ["get", try fixture.address("/a")], environment: nowhere)
        get.closeInput()
        let ending = try await get.ended()
        #expect(ending.status == 0)
        #expect(ending.text == "12345")
        #expect(ending.errors == "Images cannot be stored: neither XDG_CACHE_HOME nor HOME is set\n")
        let info = try await BuiltProgram("remote-image", ["cache", "info"], environment: nowhere).ended()
        #expect(info.status == 1)
        #expect(info.errors == ending.errors)
    }

    // The limit of the file size admits the new body, but not its metadata or ThreadSanitizer's own
    // files.
    @Test(.enabled(if: BuiltProgram.canConfine))
    func `a failed write keeps the old entry`() async throws {
        let address = try fixture.address("/long")
        let headers = [("Cache-Control", "max-age=3600"), ("X-Long", String(repeating: "x", count: 20_000))]
        fixture.origin.respond(to: "/long", with: .ok("old", headers: headers))
        #expect(try await fixture.run("get", address).text == "old")
        fixture.origin.respond(to: "/long", with: .ok("new", headers: headers))
        let program = try BuiltProgram(
            "remote-image", ["get", "--policy", "reload", address, "--cache-dir", fixture.storePath],
            maxFileBlockCount: 8)
        program.closeInput()
        let ending = try await program.ended()
        #expect(ending.text == "new")
        #expect(ending.errors.contains("Images cannot be stored"))
        #expect(try await fixture.run("get", "--policy", "stored-only", address).text == "old")
        #expect(try await fixture.run("get", address).text == "old")
    }
}
