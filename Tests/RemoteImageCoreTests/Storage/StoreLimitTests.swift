import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The limits of a store on disk, to the byte, and what a sweep removes first.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoreLimitTests {
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let limit = 1 << 20

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"), byteLimit: limit)
    }

    /// The paths of the entry's files with a suffix.
    private func files(_ suffix: String, of key: String? = nil) throws -> [String] {
        let body = try key.map { key in
            try #require(store.responses(for: key).first.flatMap { store.path(of: $0, for: key) })
        }
        return (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
            .map { folder.path($0) }.filter { $0.hasSuffix(suffix) && $0.hasPrefix(body?.dropLast(19) ?? "") }
    }

    private func age(_ path: String) throws -> Double {
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return -(try #require(date)).timeIntervalSinceNow
    }

    private func setAge(_ seconds: Double, of path: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    }

    /// The entry was last used so long ago.
    private func setAge(_ seconds: Double, ofEntry key: String) throws {
        for path in try files(".h", of: key) { try setAge(seconds, of: path) }
    }

    // MARK: Room

    @Test func `a write beyond nine tenths of the limit evicts entries down to eight tenths`() throws {
        for number in 0..<20 { try store.store(20_000, under: "\(number)") }
        // A trim that removes nothing counts the files.
        try store.trim(to: limit)
        let used = store.byteCount
        let room = limit - limit / 10 - used
        store.sizes.makeRoom(for: room)
        #expect(store.keys.count == 20)
        store.sizes.release(room)
        store.sizes.makeRoom(for: room + 1)
        let target = limit - limit / 5 - room - 1
        #expect(store.byteCount <= target && store.byteCount > target - used / 20)
    }

    @Test func `writes that are under way share the room`() throws {
        for number in 0..<20 { try store.store(20_000, under: "\(number)") }
        try store.trim(to: limit)
        let half = (limit - limit / 10 - store.byteCount) / 2
        for _ in 0..<2 { store.sizes.makeRoom(for: half) }
        #expect(store.keys.count == 20)
        store.sizes.makeRoom(for: 2)
        #expect(store.keys.count < 20)
    }

    /// The product of the largest numbers used to end the process.
    @Test(
        arguments: [
            (0, 4096, 16), (1_280_000, 4096, 100), (1 << 40, 4096, 256), (1 << 51, 4096, 256), (.max, 4096, 256),
        ] as [(UInt64, UInt64, Int)])
    func `the standard limit is a fiftieth of the free space, from 16 to 256 MiB`(
        count: UInt64, size: UInt64, mebibytes: Int
    ) {
        #expect(StoreLimit.standardLimit(freeBlockCount: count, blockSize: size) == mebibytes << 20)
    }

    @Test func `a negative limit is zero, and a changed limit applies at once`() throws {
        store.byteLimit = -1
        #expect(store.byteLimit == 0 && store.sizes.entryLimit == 0)
        #expect(DiskCache(path: folder.path("other"), byteLimit: -5).byteLimit == 0)
        try store.store(1, under: "a")
        #expect(store.keys.isEmpty)
        store.byteLimit = 80 << 20
        #expect(store.sizes.entryLimit == 10 << 20 && store.sizes.fileLimit == 32 << 20)
        store.byteLimit = 800 << 20
        #expect(store.sizes.fileLimit == 100 << 20)
        try store.store(1, under: "a")
        #expect(store.keys == ["a"])
    }

    @Test func `the standard limit is a share of the free space between two limits`() {
        let limit = DiskCache(path: folder.path("store")).byteLimit
        #expect((16 << 20)...(256 << 20) ~= limit)
    }

    @Test func `resized images have three twentieths of the limit`() throws {
        let share = limit / 20 * 3
        #expect(store.sizes.makeRoomForResized(share) && !store.sizes.makeRoomForResized(share + 1))
        for number in 0..<9 {
            try store.store(1, under: "\(number)")
            try store.storeResized(15_000, under: "\(number)")
        }
        try store.trim(to: limit)
        let (all, used) = (store.byteCount, store.resizedByteCount)
        #expect(share - used < 19_000, "the share is almost full")
        // A large image does not evict many small ones.
        #expect(!store.sizes.makeRoomForResized(share / 8 + 1))
        #expect(store.resizedByteCount == used)
        #expect(store.sizes.makeRoomForResized(share / 8))
        let target = share / 5 * 4 - share / 8
        #expect(store.resizedByteCount <= target && store.resizedByteCount > target - used / 9)
        #expect(store.byteCount == all - used + store.resizedByteCount && store.keys.count == 9)
    }

    @Test func `beyond nine tenths of the limit, resized images do not evict originals`() throws {
        for number in 0..<16 { try store.store(50_000, under: "\(number)") }
        try store.trim(to: limit)
        let room = limit - limit / 10 - store.byteCount
        #expect(room > 0 && room < limit / 20 * 3)
        #expect(store.sizes.makeRoomForResized(room) && !store.sizes.makeRoomForResized(room + 1))
        #expect(store.keys.count == 16)
    }

    /// The count of resized images without a scan of the files, between two scans.
    @Test func `a resized image counts for the share as soon as it is written`() throws {
        let store = DiskCache(path: folder.path("large"), byteLimit: 8 << 20)
        let share = (8 << 20) / 20 * 3
        for number in 0..<11 {
            try store.store(1, under: "\(number)")
            try store.storeResized(100_000, under: "\(number)")
        }
        try store.trim(to: 8 << 20)
        let used = store.resizedByteCount
        try store.store(1, under: "last")
        try store.storeResized(60_000, under: "last")
        #expect(used + 100_000 <= share && store.resizedByteCount + 100_000 > share)
        #expect(store.sizes.makeRoomForResized(100_000))
        #expect(store.resizedByteCount <= share / 5 * 4 - 100_000 && store.keys.count == 12)
    }

    // MARK: Order of removal

    @Test func `an entry that is large or old is removed first`() throws {
        // The score is the age times the size, with 4 KiB for an entry itself.
        for (key, byteCount, seconds) in [
            ("large", 100_000, 100.0), ("old", 5000, 500), ("medium", 20_000, 100), ("new", 5000, 100),
        ] {
            try store.store(byteCount, under: key)
            try setAge(seconds, ofEntry: key)
        }
        for left in [["old", "medium", "new"], ["medium", "new"], ["new"], []] as [Set<String>] {
            try store.trim(to: store.byteCount - 1)
            #expect(store.keys == left)
        }
    }

    /// On disk, the entries have 8 and 16 KiB. Without the 4 KiB, the second one would be removed.
    @Test func `the score of an entry has 4 KiB for the entry itself`() throws {
        for (key, byteCount, seconds) in [("a", 4096, 390.0), ("b", 12_288, 200)] {
            try store.store(byteCount, under: key)
            try setAge(seconds, ofEntry: key)
        }
        #expect(store.byteCount == 24_576)
        try store.trim(to: store.byteCount - 1)
        #expect(store.keys == ["b"])
    }

    @Test func `a trim to the present size removes nothing`() throws {
        for key in ["a", "b"] { try store.store(5000, under: key) }
        try store.trim(to: store.byteCount)
        #expect(store.keys == ["a", "b"])
        try store.trim(to: -1)
        #expect(store.keys.isEmpty && store.byteCount == 0)
    }

    @Test func `the resized images of the entries that were used last are kept longest`() throws {
        for (key, seconds) in [("a", 100.0), ("b", 300), ("c", 200)] {
            try store.store(100, under: key)
            try store.storeResized(5000, under: key)
            try setAge(seconds, ofEntry: key)
        }
        func resized() throws -> [String] {
            try ["a", "b", "c"].filter { try !files(".s", of: $0).isEmpty }
        }
        // Reading an entry does not change the order: it was used less than ten minutes ago.
        let all = store.resizedByteCount
        try store.sizes.trimResized(to: all, waiting: .untilFree)
        #expect(try resized() == ["a", "b", "c"])
        for left in [["a", "c"], ["a"], []] {
            try store.sizes.trimResized(to: store.resizedByteCount - 1, waiting: .untilFree)
            #expect(try resized() == left)
        }
        #expect(store.keys == ["a", "b", "c"])
    }

    @Test func `a use is noted after ten minutes`() throws {
        try store.store(1, under: "a")
        let path = try #require(try files(".h").first)
        try setAge(580, of: path)
        _ = store.responses(for: "a")
        #expect(try age(path) > 500)
        try setAge(620, of: path)
        _ = store.responses(for: "a")
        #expect(try age(path) < 100)
    }

    @Test func `files that no entry names are removed after half an hour`() throws {
        try store.store(1, under: "a")
        let body = try #require(try files(".b").first)
        let zeros = String(repeating: "0", count: 16)
        let orphan = "\(body.dropLast(18))\(zeros).b"
        let lonely = "\(body.prefix(through: try #require(body.lastIndex(of: "/"))))\(zeros)\(zeros)-\(zeros).b"
        for (seconds, isKept) in [(1700.0, true), (1900, false)] {
            for path in [orphan, lonely] {
                try Data([1]).write(to: URL(fileURLWithPath: path))
                try setAge(seconds, of: path)
            }
            try setAge(10_000, of: body)
            try store.trim(to: limit)
            for path in [orphan, lonely] { #expect(FileManager.default.fileExists(atPath: path) == isKept) }
            #expect(FileManager.default.fileExists(atPath: body), "an old body of an entry is kept")
        }
    }

    // MARK: Files

    @Test func `metadata is read as it was written`() throws {
        let count = 64
        let responses = try (0..<count).map { number in
            var headers: HTTPFields = [.contentType: "image/\(number)"]
            headers.append(HTTPField(name: .vary, value: "A"))
            headers.append(HTTPField(name: .vary, value: "\u{E4}"))
            var redirect: RedirectTerms?
            if number > 0 {
                redirect = RedirectTerms(
                    lifetime: Double(number) - 1, isSpecified: number % 2 == 0, mustRevalidate: number % 3 == 0)
            }
            return StoredResponse(
                status: 200 + number, headers: headers, address: try WebAddress("http://test/\(number)?a=b"),
                requestTime: 1.5 + Double(number), responseTime: 2.25 + Double(number),
                varying: ["a": "x\(number)", "b": "y"], redirect: redirect,
                body: StoredBody(name: "n\(number)", byteCount: number * 7, checksum: .max - UInt64(number)))
        }
        let bytes = EntryFile(key: "a\nkey", responses: responses).bytes
        let file = try #require(EntryFile(bytes))
        #expect(file.key == "a\nkey" && file.responses.count == count && EntryFile.isOurs(bytes))
        for (read, written) in zip(file.responses, responses) {
            #expect(read.status == written.status && read.headers == written.headers)
            #expect(read.address == written.address && read.varying == written.varying)
            #expect(read.requestTime == written.requestTime && read.responseTime == written.responseTime)
            #expect(read.redirect == written.redirect && read.body == written.body)
        }
        #expect(EntryFile(EntryFile(key: "key", responses: responses + responses.prefix(1)).bytes) == nil)
        #expect(EntryFile(EntryFile(key: "", responses: []).bytes)?.responses.isEmpty == true)
    }

    @Test func `an entry owns the bodies of its own name`() {
        let (name, other) = (EntryName("a"), EntryName("b"))
        let body = name.newBody()
        #expect(name.owns(body) && !other.owns(body) && name.newBody() != body)
        #expect(name.shard == String(body.prefix(2)) && name.shard.count == 2)
        #expect(name.metadata == "\(body.prefix(32)).h" && name.metadata != other.metadata)
        #expect(EntryName.resized(of: body) == "\(body.dropLast(2)).s")
        for wrong in ["\(body.dropLast(2)).h", String(body.dropFirst()), "\(body.dropLast(2))/../a.b", "a\(body)"] {
            #expect(!name.owns(wrong))
        }
    }
}
