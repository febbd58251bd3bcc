import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Bodies that are written in pieces, files, and the names of entries.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StorePartsTests {
    private let folder: TemporaryFolder
    private let store: DiskCache

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"), byteLimit: 800_000)
    }

    private func response(_ status: Int = 200) throws -> StoredResponse {
        StoredResponse(
            status: status, headers: [.contentType: "image/png"], address: try WebAddress("http://test/a"),
            requestTime: 1, responseTime: 2)
    }

    private func body(_ key: String) -> [UInt8]? {
        store.responses(for: key).first.flatMap { store.body(of: $0, for: key) }
    }

    private func names() -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
            .filter { [".h", ".b", ".s"].contains(where: $0.hasSuffix) }
    }

    // MARK: Bodies in pieces

    @Test func `a part is stored once it is longer than what was there, and then the whole`() throws {
        let writer = try #require(store.writer(of: try response(), for: "part", from: 5))
        #expect(writer.append([1, 2, 3, 4][...]))
        #expect(store.responses(for: "part").isEmpty)
        #expect(writer.append([5][...]))
        #expect(body("part") == [1, 2, 3, 4, 5])
        #expect(writer.append([6, 7][...]) && body("part") == [1, 2, 3, 4, 5, 6, 7])
        let isFinished = writer.finish(with: [8][...], as: try response(203), for: "key") { _ in true }
        #expect(isFinished && body("key") == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(store.responses(for: "key").first?.status == 203)
        #expect(store.responses(for: "part").isEmpty && names().count == 2)
    }

    @Test func `the whole replaces the variants that it says`() throws {
        for status in [200, 201] { store.store(try response(status), body: [1], for: "key") { _ in false } }
        let writer = try #require(store.writer(of: try response(), for: "part", from: 0))
        #expect(writer.append([1, 2][...]))
        #expect(writer.finish(with: [], as: try response(203), for: "key") { $0.status == 201 })
        #expect(store.responses(for: "key").map(\.status) == [203, 200])
        #expect(store.responses(for: "key").map { store.body(of: $0, for: "key") } == [[1, 2], [1]])
    }

    @Test func `a discarded part leaves nothing, and no other body is lost`() throws {
        let writer = try #require(store.writer(of: try response(), for: "part", from: 0))
        #expect(writer.append([1, 2][...]) && body("part") == [1, 2])
        writer.discard()
        #expect(store.responses(for: "part").isEmpty && names().isEmpty)
        let (old, new) = (
            try #require(store.writer(of: try response(), for: "part", from: 0)),
            try #require(store.writer(of: try response(), for: "part", from: 0))
        )
        #expect(old.append([1][...]) && new.append([2, 3][...]))
        old.discard()
        #expect(body("part") == [2, 3] && names().count == 2)
    }

    @Test func `a body in pieces is at most as large as an entry`() throws {
        let limit = store.sizes.entryLimit
        let writer = try #require(store.writer(of: try response(), for: "part", from: 0))
        #expect(writer.append([UInt8](repeating: 1, count: limit)[...]))
        #expect(!writer.append([1][...]))
        #expect(store.responses(for: "part").isEmpty && names().isEmpty)
        // The entry has its metadata, too.
        for (rest, isKept) in [(1000, true), (1, false)] {
            let writer = try #require(store.writer(of: try response(), for: "part", from: 0))
            #expect(writer.append([UInt8](repeating: 1, count: limit - rest)[...]))
            let isFinished = writer.finish(with: [], as: try response(), for: "key") { _ in true }
            #expect(isFinished == isKept)
        }
        #expect(body("key")?.count == limit - 1000)
    }

    @Test func `a discarded part that has no entry yet leaves no file`() throws {
        let writer = try #require(store.writer(of: try response(), for: "part", from: 5))
        #expect(writer.append([1, 2][...]) && names().count == 1)
        writer.discard()
        #expect(names().isEmpty)
    }

    @Test(arguments: [(EntryFile.byteLimit - 1000, true), (EntryFile.byteLimit, false)])
    func `a whole with too large metadata is not stored`(byteCount: Int, isStored: Bool) throws {
        let store = DiskCache(path: folder.path("store"), byteLimit: 64 << 20)
        let writer = try #require(store.writer(of: try response(), for: "part", from: 0))
        #expect(writer.append([1, 2][...]))
        var long = try response()
        long.headers[.cacheControl] = String(repeating: "x", count: byteCount)
        #expect(writer.finish(with: [3], as: long, for: "key") { _ in true } == isStored)
        #expect(store.responses(for: "part").isEmpty)
        #expect(body("key") == (isStored ? [1, 2, 3] : nil) && names().count == (isStored ? 2 : 0))
        store.store(long, body: [1], for: "whole") { _ in true }
        #expect(store.responses(for: "whole").isEmpty != isStored)
    }

    // MARK: Files

    @Test func `a file is read up to its limit`() throws {
        try folder.write([1, 2, 3], to: "file")
        let path = FilePath(folder.path("file"))
        #expect(try FileBytes.read(path, limit: 3).bytes == [1, 2, 3])
        let error = #expect(throws: ImageError.self) { try FileBytes.read(path, limit: 2) }
        #expect(error?.code == .tooLarge)
        for name in ["missing", ""] {
            let error = #expect(throws: ImageError.self) {
                try FileBytes.read(FilePath(folder.path(name)), limit: 3)
            }
            #expect(error?.code == .io && error?.detail?.hasPrefix(folder.path(name)) == true)
        }
    }

    @Test func `only a regular file is read, and an error says why`() throws {
        #expect(throws: ImageError(.io, "/dev/null: not a file")) {
            try FileBytes.read(FilePath("/dev/null"), limit: 9)
        }
        try folder.write([1, 2, 3], to: "file")
        #expect(throws: ImageError(.tooLarge, "3 bytes of at most 2")) {
            try FileBytes.read(FilePath(folder.path("file")), limit: 2)
        }
        #expect(throws: ImageError(.io, "\(folder.path("none")): No such file or directory")) {
            try FileBytes.read(FilePath(folder.path("none")), limit: 2)
        }
    }

    @Test func `the name of an application is one folder within the cache folder`() throws {
        let path = try #require(DiskCache.standardPath(application: "org.example"))
        let base = path.dropLast("/org.example/remote-images".count)
        #expect(base.hasPrefix("/") && path == "\(base)/org.example/remote-images")
        for (name, folder) in [
            ("a/b", "a_b"), ("/a//b/", "a_b"), ("../a/./b", "a_b"), ("...", "..."), ("..", "application"),
            ("./..", "application"), ("", "application"),
        ] {
            #expect(DiskCache.standardPath(application: name) == "\(base)/\(folder)/remote-images")
        }
    }

    @Test func `a file is replaced as a whole, and nothing else is left`() throws {
        for bytes in [[1, 2, 3], [4], []] as [[UInt8]] {
            try FileBytes.replace(folder.path("file"), with: bytes)
            #expect(try folder.read("file") == bytes)
        }
        try FileManager.default.createDirectory(atPath: folder.path("folder/full"), withIntermediateDirectories: true)
        for name in ["folder", "missing/file"] {
            let error = #expect(throws: ImageError.self) { try FileBytes.replace(folder.path(name), with: [1]) }
            #expect(error?.code == .io)
        }
        #expect(try folder.names() == ["file", "folder"])
    }

    @Test func `only the store's own files count`() throws {
        store.store(try response(), body: [1, 2, 3], for: "key") { _ in true }
        let (used, shard) = (store.byteCount, EntryName("key").shard)
        #expect(used > 0 && store.usage().byteCount == used && store.usage().entryCount == 1)
        for name in ["v1/\(shard)/notes", "v1/zz/a.b", "v1/abc/a.b", "v1/a.b", "v2/\(shard)/a.b"] {
            let path = folder.path("store/\(name)")
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(count: 50_000).write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.createDirectory(
            atPath: folder.path("store/v1/\(shard)/folder.b"), withIntermediateDirectories: true)
        #expect(store.byteCount == used)
        try Data(count: 50_000).write(to: URL(fileURLWithPath: folder.path("store/v1/\(shard)/x.b")))
        #expect(store.byteCount >= used + 50_000)
    }

    @Test func `the name of an entry is its key without what separates accounts`() {
        let hash = String(repeating: "a1", count: 16)
        for (key, name) in [
            ("http://a", "http://a"), ("http://a\naccount \(hash)", "http://a"), ("http://a\npartial", "http://a"),
            ("http://a\nheaders \(hash)\naccount \(hash)\npartial", "http://a"), ("a\nb\naccount \(hash)", "a\nb"),
            ("http://a\naccount \(hash.dropLast())", "http://a\naccount \(hash.dropLast())"),
            ("http://a\nother \(hash)", "http://a\nother \(hash)"), ("account \(hash)", "account \(hash)"),
            ("a\naccount \(hash) b", "a\naccount \(hash) b"), ("partial", "partial"), ("", ""),
            ("a\naccount g\(hash.dropLast())", "a\naccount g\(hash.dropLast())"),
        ] {
            #expect(DiskCache.name(of: key) == name)
        }
    }
}
