import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What a sweep removes and counts, when sweeps wait for each other, and the files below them.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoreSweepTests {
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let zeros = String(repeating: "0", count: 16)

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"), byteLimit: 8 << 20)
    }

    /// The path of the body of an entry.
    private func bodyPath(_ key: String) throws -> String {
        try #require(store.responses(for: key).first.flatMap { store.path(of: $0, for: key) })
    }

    private func resizedPath(_ key: String) throws -> String { "\(try bodyPath(key).dropLast())s" }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func write(_ byteCount: Int, to path: String, age: Double = 0) throws {
        try Data(count: byteCount).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    }

    /// Sweeps, and checks that the sweep counts what it leaves.
    private func sweep(to target: Int) throws {
        var sweep = StoreSweep(base: folder.path("store"), fileLimit: store.sizes.fileLimit)
        try sweep.run(to: target)
        #expect(sweep.byteCount == store.byteCount)
        #expect(sweep.resizedByteCount == store.resizedByteCount)
    }

    // MARK: What is removed

    @Test func `a body that is being written stays, is counted, and evicts no entry`() throws {
        for key in ["a", "b"] { try store.store(30_000, under: key) }
        let used = store.byteCount
        let body = try bodyPath("a")
        let shard = body.prefix(through: try #require(body.lastIndex(of: "/")))
        let (young, old) = ("\(shard)\(zeros)\(zeros)-\(zeros).b", "\(shard)\(zeros)\(zeros)-1\(zeros.dropLast()).b")
        try write(50_000, to: young)
        try write(70_000, to: old, age: 7200)
        try sweep(to: used)
        #expect(exists(young) && !exists(old) && store.keys == ["a", "b"])
        #expect(store.byteCount > used)
        try sweep(to: used - 1)
        #expect(exists(young) && store.keys.count == 1)
        try sweep(to: 0)
        #expect(!exists(young) && store.keys.isEmpty)
    }

    @Test func `a temporary file is counted while its writer holds its lock`() throws {
        try store.store(30_000, under: "a")
        let used = store.byteCount
        let body = try bodyPath("a")
        let shard = body.prefix(through: try #require(body.lastIndex(of: "/")))
        let path = "\(shard)tmp.\(zeros)"
        try write(40_000, to: path)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
        try sweep(to: used)
        #expect(exists(path) && store.keys == ["a"])
        close(writer)
        try sweep(to: used)
        #expect(!exists(path) && store.keys == ["a"] && store.byteCount == used)
    }

    @Test func `resized images are removed before entries, and no more than necessary`() throws {
        for (key, age) in [("a", 300.0), ("b", 100), ("c", 200)] {
            try store.store(20_000, under: key)
            try store.storeResized(9000, under: key)
            let body = try bodyPath(key)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(body.dropLast(19)).h")
        }
        let paths = try ["a", "b", "c"].map(resizedPath)
        let (all, resized) = (store.byteCount, store.resizedByteCount)
        try sweep(to: all)
        #expect(paths.allSatisfy(exists))
        try sweep(to: all - 1)
        #expect(paths.map(exists) == [false, true, true])
        try sweep(to: all - resized / 3 - 1)
        #expect(paths.map(exists) == [false, true, false])
        try sweep(to: all - resized)
        #expect(paths.map(exists) == [false, false, false] && store.keys == ["a", "b", "c"])
        try sweep(to: all - resized - 1)
        #expect(store.keys == ["b", "c"])
    }

    @Test func `old resized images whose body is missing or unknown are removed`() throws {
        for key in ["a", "b"] {
            try store.store(100, under: key)
            try store.storeResized(1000, under: key)
        }
        let (kept, hollow) = (try resizedPath("a"), try resizedPath("b"))
        let unknown = "\(kept.dropLast(18))\(zeros).s"
        try FileManager.default.removeItem(atPath: try bodyPath("b"))
        for (age, isKept) in [(1700.0, true), (1900, false)] {
            for path in [kept, hollow, unknown] { try write(1000, to: path, age: age) }
            try sweep(to: 4 << 20)
            #expect(exists(kept) && exists(hollow) == isKept && exists(unknown) == isKept)
        }
        #expect(store.keys == ["a", "b"])
    }

    @Test func `a sparse file of resized images is removed, and its entry stays`() throws {
        for key in ["a", "b"] {
            try store.store(100, under: key)
            try store.storeResized(1000, under: key)
        }
        let (sparse, other) = (try resizedPath("a"), try resizedPath("b"))
        let limit = off_t(store.sizes.fileLimit)
        for (length, isKept) in [(limit, true), (limit + 1, false)] {
            #expect(truncate(sparse, length) == 0)
            try sweep(to: 4 << 20)
            #expect(exists(sparse) == isKept && exists(other) && store.keys == ["a", "b"])
        }
    }

    @Test func `a long file is removed only if it occupies less than its length`() throws {
        try store.store(20_000, under: "dense")
        try store.store(100, under: "sparse")
        #expect(truncate(try bodyPath("sparse"), 20_000) == 0)
        var sweep = StoreSweep(base: folder.path("store"), fileLimit: 19_999)
        try sweep.run(to: 4 << 20)
        #expect(store.keys == ["dense"] && sweep.byteCount == store.byteCount)
    }

    @Test func `old files beside the metadata of another version are kept`() throws {
        try store.store(100, under: "a")
        let body = try bodyPath("a")
        let metadata = "\(body.dropLast(19)).h"
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: metadata)))
        bytes[4] = UInt8(ascii: "9")
        try Data(bytes).write(to: URL(fileURLWithPath: metadata))
        try write(100, to: body, age: 7200)
        try sweep(to: 4 << 20)
        #expect(exists(body) && exists(metadata))
        // Damaged metadata of this version names no body.
        bytes[4] = UInt8(ascii: "2")
        bytes[20] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: metadata))
        try sweep(to: 4 << 20)
        #expect(!exists(body) && exists(metadata))
    }

    @Test func `the removal of all resized images counts what is left`() throws {
        for key in ["a", "b"] {
            try store.store(20_000, under: key)
            try store.storeResized(9000, under: key)
        }
        let (all, resized) = (store.byteCount, store.resizedByteCount)
        var sweep = StoreSweep(base: folder.path("store"), fileLimit: store.sizes.fileLimit)
        try sweep.removeResized(to: resized - 1)
        #expect(sweep.byteCount == store.byteCount && sweep.byteCount == all - resized / 2)
        #expect(sweep.resizedByteCount == resized / 2 && store.resizedByteCount == resized / 2)
        try store.removeResizedImages()
        #expect(store.byteCount == all - resized && store.resizedByteCount == 0 && store.keys == ["a", "b"])
    }

    // MARK: Waiting

    @Test func `a sweep waits for that of another process as it is told`() async throws {
        try store.store(100, under: "a")
        try store.trim(to: 4 << 20)
        let lock = open(folder.path("store/v1/lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        for waiting in [StoreLimit.Waiting.never, .briefly] {
            #expect(throws: StoreFailure.system(EWOULDBLOCK)) { try store.sizes.trim(to: 0, waiting: waiting) }
            #expect(throws: StoreFailure.system(EWOULDBLOCK)) { try store.sizes.trimResized(to: 0, waiting: waiting) }
        }
        #expect(store.keys == ["a"])
        let removal = Task.detached { [store] in try store.removeAll() }
        close(lock)
        try await removal.value
        #expect(store.keys.isEmpty)
        for waiting in [StoreLimit.Waiting.never, .briefly] {
            try store.store(100, under: "a")
            try store.sizes.trim(to: 0, waiting: waiting)
            #expect(store.keys.isEmpty)
        }
    }

    // MARK: Counting

    @Test func `files of other processes are counted after a twentieth of the limit was written`() throws {
        let counting = DiskCache(path: folder.path("store"), byteLimit: 1 << 20)
        try counting.store(1, under: "first")
        for number in 0..<18 { try store.store(50_000, under: "\(number)") }
        // A small entry counts as two blocks of 4 KiB.
        for number in 0..<5 { try counting.store(1, under: "small \(number)") }
        counting.sizes.makeRoom(for: 0)
        #expect(store.keys.count == 24)
        try counting.store(1, under: "seventh")
        #expect(store.keys.count == 25)
        counting.sizes.makeRoom(for: 0)
        #expect(store.keys.count < 25 && store.byteCount <= (1 << 20) / 10 * 8)
    }

    @Test func `a write counts its whole blocks and one for its metadata`() throws {
        let limit = 1 << 20
        for (byteCount, isEvicting) in [(4096, false), (4097, true)] {
            let store = DiskCache(path: folder.path("\(byteCount)"), byteLimit: limit)
            try store.store(10, under: "a")
            try store.trim(to: limit)
            let room = limit - limit / 10 - store.byteCount - 8192
            try store.sizes.withRoom(for: byteCount) { () throws(StoreFailure) in }
            store.sizes.makeRoom(for: room)
            #expect(store.all().isEmpty == isEvicting)
        }
    }

    // MARK: Folders and files

    @Test func `the folder is marked for backup programs when it is made, and no other folder is`() throws {
        try store.store(1, under: "a")
        let text = "Signature: 8a477f597d28d172789f06886806bc55\n"
        #expect(try folder.read("store/CACHEDIR.TAG") == Array(text.utf8))
        let deep = DiskCache(path: folder.path("one/two/three"), byteLimit: 8 << 20)
        try deep.store(1, under: "a")
        #expect(try folder.read("one/two/three/CACHEDIR.TAG") == Array(text.utf8))
        let existing = folder.path("existing")
        try FileManager.default.createDirectory(
            atPath: existing, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try DiskCache(path: existing, byteLimit: 8 << 20).store(1, under: "a")
        #expect(!exists("\(existing)/CACHEDIR.TAG") && exists("\(existing)/v1"))
        #expect(!exists(folder.path("one/CACHEDIR.TAG")) && !exists(folder.path("one/two/CACHEDIR.TAG")))
    }

    @Test func `files of a folder are read, appended and removed by name`() throws {
        try folder.write([1, 2, 3], to: "file")
        try FileManager.default.createDirectory(atPath: folder.path("inner"), withIntermediateDirectories: true)
        let files = StoreFolder(folder.path)
        #expect(files.read("file", limit: 3) == [1, 2, 3] && files.read("file", limit: 2) == nil)
        #expect(files.read("file", count: 3) == [1, 2, 3] && files.read("file", count: 2) == [1, 2])
        #expect(files.read("file", count: 4) == nil && files.read("file", count: 0) == [])
        #expect(files.read("inner", limit: 100_000) == nil && files.read("missing", limit: 3) == nil)
        try files.withDescriptor { inside throws(StoreFailure) in
            #expect(StoreFolder.names(in: inside).sorted() == ["file", "inner"])
            try StoreFolder.append([4, 5][...], to: "new", isNew: true, in: inside)
            try StoreFolder.append([6][...], to: "new", isNew: false, in: inside)
            #expect(files.read("new", limit: 9) == [4, 5, 6])
            #expect(throws: StoreFailure.system(EEXIST)) {
                try StoreFolder.append([7][...], to: "new", isNew: true, in: inside)
            }
            #expect(throws: StoreFailure.missing) {
                try StoreFolder.append([7][...], to: "missing", isNew: false, in: inside)
            }
            #expect(!StoreFolder.removeAbandoned("missing", in: inside))
            #expect(StoreFolder.removeAbandoned("new", in: inside) && files.read("new", limit: 9) == nil)
            // The files after one that cannot be removed are removed, too.
            #expect(throws: StoreFailure.system(EISDIR)) {
                try StoreFolder.remove(["missing", "inner", "file"], in: inside)
            }
            #expect(StoreFolder.names(in: inside) == ["inner"])
            try StoreFolder.remove(["missing"], in: inside)
        }
        #expect(throws: StoreFailure.missing) { try StoreFolder(folder.path, "none").withDescriptor { _ in } }
        try StoreFolder(folder.path, "none").withExisting { _ in Issue.record("there is no such folder") }
        #expect(throws: StoreFailure.system(ENOTDIR)) {
            try folder.write([1], to: "file")
            try StoreFolder(folder.path, "file").withExisting { _ in }
        }
    }

    @Test func `a failure has the reason of the system`() throws {
        #expect(try StoreFailure.check(0) == 0 && StoreFailure.check(7) == 7)
        errno = EACCES
        #expect(throws: StoreFailure.system(EACCES)) { try StoreFailure.check(-1) }
        errno = ENOENT
        #expect(throws: StoreFailure.missing) { try StoreFailure.check(-1) }
        #expect(StoreFailure.missing.reason == "No such file or directory")
        #expect(StoreFailure.system(EACCES).reason == "Permission denied")
    }

    @Test func `fields are read up to the last byte, and nothing after it`() {
        var writer = FieldWriter(bytes: [9])
        writer.add(-1)
        writer.add(0x0102_0304_0506_0708)
        writer.add(Double.infinity)
        writer.add(-2.5)
        writer.add("\u{E4}b")
        #expect(Array(writer.bytes[9..<17]) == [8, 7, 6, 5, 4, 3, 2, 1])
        var reader = FieldReader(bytes: writer.bytes, index: 1)
        #expect(reader.number() == nil, "a negative number")
        #expect(reader.number() == 0x0102_0304_0506_0708)
        #expect(reader.time() == nil && reader.time() == -2.5)
        #expect(reader.string() == "\u{E4}b" && reader.index == writer.bytes.count)
        #expect(reader.word() == nil && reader.string() == nil && reader.index == writer.bytes.count)
        var short = FieldReader(bytes: Array(writer.bytes.dropLast()), index: 33)
        #expect(short.string() == nil)
    }
}
