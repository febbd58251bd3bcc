import Foundation
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A store reports files that cannot be removed.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoreRefusalTests {
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let address: WebAddress

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
        address = try WebAddress("http://test/a")
        let response = StoredResponse(status: 200, headers: [:], address: address, requestTime: 1, responseTime: 1)
        store.store(response, body: [1, 2, 3], for: address.string) { _ in true }
    }

    /// The folder of the only entry.
    private func shard() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("v1"))
        return folder.path("v1/\(try #require(names.first { $0 != "lock" }))")
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Runs `body` as an ordinary user, since file modes do not apply to the superuser.
    private func withoutPrivileges<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        // `setfsuid` changes only the calling thread, and not the effective user, with which the
        // store compares the owner of a folder. Swift's Glibc module does not declare it.
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                if geteuid() == 0 { _ = setFileUser(65_534) }
                let value = body()
                if geteuid() == 0 { _ = setFileUser(0) }
                continuation.resume(returning: value)
            }
        }
    }

    @Test func `an entry that cannot be removed is a failure`() async throws {
        let shard = try shard()
        try store.trim(to: 1 << 20)
        // Other users may sweep the store, but not remove its files.
        for path in [folder.path, folder.path("v1")] { try setMode(0o755, path) }
        try setMode(0o666, folder.path("v1/lock"))
        for file in try FileManager.default.contentsOfDirectory(atPath: shard) {
            try setMode(0o666, "\(shard)/\(file)")
        }
        try setMode(0o555, shard)
        let (store, address) = (store, address)
        let attempts: [@Sendable () -> Result<Void, ImageError>] = [
            { Result { () throws(ImageError) in try store.trim(to: 0) } },
            { Result { () throws(ImageError) in try store.remove(named: address.string) } },
        ]
        for attempt in attempts {
            let result = try await withoutPrivileges(attempt)
            let error = #expect(throws: ImageError.self) { try result.get() }
            #expect(error?.code == .io)
            #expect(error?.detail?.contains(folder.path) == true)
        }
        #expect(store.all().count == 1)
        // A store below the limit needs no removal.
        #expect(throws: Never.self) { try store.trim(to: 1 << 20) }
        try setMode(0o755, shard)
        #expect(throws: Never.self) { try store.trim(to: 0) }
        #expect(store.all().isEmpty)
    }

    @Test func `an unreadable folder is a failure, and a missing folder is not`() async throws {
        #expect(throws: Never.self) { try DiskCache(path: folder.path("nowhere")).trim(to: 0) }
        #expect(throws: Never.self) { try DiskCache(path: folder.path("nowhere")).remove(named: address.string) }
        let shard = try shard()
        try FileManager.default.removeItem(atPath: shard)
        #expect(throws: Never.self) { try store.remove(named: address.string) }
        try FileManager.default.createSymbolicLink(atPath: shard, withDestinationPath: "/")
        #expect(throws: ImageError.self) { try store.trim(to: 0) }
        #expect(throws: ImageError.self) { try store.remove(named: address.string) }
        #expect(throws: ImageError.self) { try store.removeResizedImages() }
    }

    @Test func `a folder that cannot be read is no failure of a trim that needs no removal`() throws {
        #expect(throws: Never.self) { try store.check() }
        let shard = try shard()
        try FileManager.default.removeItem(atPath: shard)
        try FileManager.default.createSymbolicLink(atPath: shard, withDestinationPath: "/")
        #expect(throws: Never.self) {
            try store.trim(to: 1)
            try store.sizes.trimResized(to: 1, waiting: .untilFree)
        }
        #expect(throws: ImageError.self) { try store.check() }
        #expect(throws: StoreFailure.self) { try store.sizes.trimResized(to: 0, waiting: .untilFree) }
        #expect(throws: Never.self) { try DiskCache(path: folder.path("nowhere")).check() }
    }

    @Test(arguments: [
        ("http://test/a", "http://test/a"), ("http://test/a\npartial", "http://test/a"),
        ("http://test/a\naccount \(hash)\nheaders \(hash)\npartial", "http://test/a"),
        ("image 1\nheaders \(hash)", "image 1"), ("two\nlines", "two\nlines"),
        ("headers \(hash)", "headers \(hash)"), ("a\nheaders of letters", "a\nheaders of letters"),
    ])
    func `the name of a key omits the lines that the store adds`(key: String, name: String) {
        #expect(DiskCache.name(of: key) == name)
    }
}

private let hash = SHA256.name(of: "an account")
