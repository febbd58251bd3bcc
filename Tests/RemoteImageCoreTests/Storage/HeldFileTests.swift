import Foundation
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct HeldFileTests {
    let temporary: TemporaryFolder
    let folder: HeldFileFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = HeldFileFolder(base: temporary.path("store"))
    }

    private var files: String { temporary.path("store/files") }

    private func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? [] }

    /// Calls `body` with a file, and releases its handle.
    private func hold(_ bytes: [UInt8], _ body: (HeldFile) throws -> Void) throws {
        let file = try folder.hold(bytes, extension: "png")
        try withExtendedLifetime(file) { try body(file) }
    }

    // MARK: Handles

    @Test func `a file has the bytes and the extension, and nothing is left after its last handle`() async throws {
        var path = ""
        try hold([1, 2, 3]) { file in
            path = file.path
            #expect(path.hasPrefix(files) && path.hasSuffix(".png"))
            #expect(bytes(path) == [1, 2, 3])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try await waitUntil("the end of the file") { names().isEmpty }
        #expect(!exists(path))
    }

    @Test func `handles with equal bytes share a file, which the last one removes`() async throws {
        var first: HeldFile? = try folder.hold([1], extension: "png")
        var second: HeldFile? = try folder.hold([1], extension: "png")
        let path = try #require(first?.path)
        #expect(second?.path == path)
        first = nil
        // The handles of other bytes are released after the first one.
        try hold([2]) { other in #expect(other.path != path) }
        try await waitUntil("the end of the other file") {
            (try? FileManager.default.contentsOfDirectory(atPath: path + "/..").count) ?? 1 == 1
        }
        #expect(bytes(path) == [1])
        second = nil
        try await waitUntil("the end of the file") { !exists(path) }
    }

    @Test func `equal bytes with another extension get another file`() throws {
        let (jpeg, other) = (try folder.hold([1], extension: "jpg"), try folder.hold([1], extension: nil))
        #expect(jpeg.path.hasSuffix(".jpg") && !other.path.contains("."))
    }

    @Test func `an empty and a large file can be held`() throws {
        let large = [UInt8](repeating: 7, count: 4 << 20)
        try hold(large) { file in #expect(bytes(file.path)?.count == large.count) }
        try hold([]) { file in #expect(bytes(file.path) == []) }
    }

    // MARK: Other programs

    @Test func `a file that another program has changed keeps its path, and a new handle gets another`() throws {
        try hold([1, 2]) { changed in
            try Data([9, 9]).write(to: URL(fileURLWithPath: changed.path))
            try hold([1, 2]) { file in
                #expect(file.path != changed.path)
                #expect(bytes(file.path) == [1, 2] && bytes(changed.path) == [9, 9])
            }
        }
    }

    @Test func `a file that a cleaner has removed is written again for the next handle`() throws {
        try hold([1, 2]) { removed in
            try FileManager.default.removeItem(atPath: removed.path)
            try hold([1, 2]) { file in
                #expect(file.path == removed.path)
                #expect(bytes(file.path) == [1, 2])
            }
        }
    }

    @Test func `after a cleaner has removed all files, the files of another process stay safe`() throws {
        try hold([1]) { _ in
            try FileManager.default.removeItem(atPath: files)
            try hold([1]) { file in
                // Another process begins, and removes what is abandoned.
                _ = try HeldFileFolder(base: temporary.path("store")).hold([2], extension: nil)
                #expect(bytes(file.path) == [1])
            }
        }
    }

    // MARK: Processes that have ended

    @Test func `the next session removes the files of a killed process`() throws {
        // A killed process leaves its folder and its lock file, which is no longer locked.
        let left = "\(files)/0123456789abcdef"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: "\(left)/cover.png"))
        try Data().write(to: URL(fileURLWithPath: "\(files)/tmp.0123456789abcdef"))
        // A process that was killed while it removed its files leaves a folder only.
        try FileManager.default.createDirectory(atPath: "\(files)/fedcba9876543210", withIntermediateDirectories: true)
        try hold([1]) { file in
            #expect(names().count == 2, "the folder and the lock of this session")
            #expect(bytes(file.path) == [1])
        }
    }

    @Test func `the next session leaves no descriptor of the folders that it removes open`() async {
        // In a process of its own, in which no other test opens files.
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryFolder()
            let base = temporary.path("store")
            func openCount(afterRemoving count: Int) throws -> Int {
                for number in 0..<count {
                    let name = "\(1000 + number)456789abcdef"
                    try FileManager.default.createDirectory(
                        atPath: "\(base)/files/\(name)", withIntermediateDirectories: true)
                }
                let file = try HeldFileFolder(base: base).hold([1], extension: nil)
                return try withExtendedLifetime(file) {
                    let names = try FileManager.default.contentsOfDirectory(atPath: "\(base)/files")
                    #expect(!names.contains { $0.hasSuffix("456789abcdef") })
                    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                }
            }
            let count = try openCount(afterRemoving: 0)
            #expect(try openCount(afterRemoving: 20) - count < 20)
        }
    }

    @Test func `a session keeps the files of processes that still run`() throws {
        let other = HeldFileFolder(base: temporary.path("store"))
        let theirs = try other.hold([1], extension: "png")
        try withExtendedLifetime(theirs) {
            try hold([1]) { file in
                #expect(file.path != theirs.path)
                #expect(bytes(theirs.path) == [1])
            }
        }
    }

    @Test func `a session removes no other files and follows no links`() throws {
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let outside = temporary.path("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: "\(outside)/mine"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(files)/0123456789abcdef", withDestinationPath: outside)
        try Data([1]).write(to: URL(fileURLWithPath: "\(files)/notes.txt"))
        try hold([1]) { _ in
            #expect(exists("\(outside)/mine") && exists("\(files)/notes.txt"))
        }
    }

    @Test func `changed files are numbered, and all are removed in the end`() async throws {
        var held: [HeldFile] = []
        for _ in 0..<4 {
            held.append(try folder.hold([1, 2], extension: "png"))
            try Data([9]).write(to: URL(fileURLWithPath: try #require(held.last?.path)))
        }
        let stem = try #require(held.first?.path.dropLast(4))
        #expect(held.map(\.path) == ["", "-1", "-2", "-3"].map { "\(stem)\($0).png" })
        held.removeLast(3)
        try await waitUntil("the end of the other files") {
            ["-1", "-2", "-3"].allSatisfy { !exists("\(stem)\($0).png") }
        }
        #expect(exists("\(stem).png"))
        held = []
        try await waitUntil("the end of all files") { names().isEmpty }
        // A later file has a session of its own.
        try hold([1, 2]) { file in
            #expect(bytes(file.path) == [1, 2] && !file.path.hasPrefix(stem))
            #expect(names().count == 2)
        }
    }

    @Test func `only folders that are named as a session are removed`() throws {
        let kept = ["0123456789abcde", "0123456789abcdef0", "0123456789abcdeg", "notes"]
        for name in kept + ["0123456789abcdef"] {
            try FileManager.default.createDirectory(atPath: "\(files)/\(name)", withIntermediateDirectories: true)
            for file in ["a", "b"] { try Data([1]).write(to: URL(fileURLWithPath: "\(files)/\(name)/\(file)")) }
        }
        try hold([1]) { _ in
            for name in kept { #expect(exists("\(files)/\(name)/a") && exists("\(files)/\(name)/b")) }
            #expect(names().count == kept.count + 2)
        }
    }

    @Test func `each store has one folder`() {
        let (one, two) = (temporary.path("one"), temporary.path("two"))
        #expect(HeldFileFolder.inStore(at: one) === HeldFileFolder.inStore(at: one))
        #expect(HeldFileFolder.inStore(at: one) !== HeldFileFolder.inStore(at: two))
    }

    // MARK: Failures

    @Test func `a folder that cannot be made is an error with its path`() throws {
        try temporary.write("a file", to: "store")
        let error = #expect(throws: ImageError.self) { try folder.hold([1], extension: nil) }
        #expect(error?.code == .io)
        #expect("\(error as Any)".contains(files))
    }

    @Test func `a folder that other users may change is not used`() throws {
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        chmod(files, 0o777)
        #expect(throws: ImageError.self) { try folder.hold([1], extension: nil) }
        #expect(names().isEmpty)
    }

    // MARK: Images

    private func pipeline(_ body: [UInt8], headers: HTTPFields = [.cacheControl: "max-age=60"]) -> ImagePipeline {
        .test(FakeTransport { _ in .ok(body, headers: headers) }) {
            $0.responseStore = DiskCache(path: temporary.path("store"))
        }
    }

    @Test func `the file of an image has its bytes and outlives its eviction`() async throws {
        let image = TestImage(3)
        let pipeline = pipeline(image.bytes)
        let file = try await pipeline.heldFile(for: ImageRequest("http://test/a"), application: "unused")
        #expect(file.path.hasPrefix(files) && file.path.hasSuffix(".png"))
        await pipeline.finishWriting()
        let store = try #require(pipeline.configuration.diskCache)
        #expect(store.byteCount > 0)
        try store.trim(to: 0)
        try store.removeAll()
        #expect(store.byteCount == 0, "the store neither counts nor removes it")
        withExtendedLifetime(file) { #expect(bytes(file.path) == image.bytes) }
    }

    @Test func `an image that may not be stored has a file, too`() async throws {
        let image = TestImage(4)
        let pipeline = pipeline(image.bytes, headers: [.cacheControl: "no-store"])
        let file = try await pipeline.heldFile(for: ImageRequest("http://test/a"), application: "unused")
        withExtendedLifetime(file) { #expect(bytes(file.path) == image.bytes) }
    }

    @Test(arguments: ["no-store", "max-age=60"])
    func `text, a truncated signature and nothing are no image and get no file`(_ caching: String) async throws {
        for body in [Array("<html>".utf8), [0x89, 0x50], []] {
            let pipeline = pipeline(body, headers: [.cacheControl: caching])
            await #expect(throws: ImageError.self) {
                _ = try await pipeline.heldFile(for: ImageRequest("http://test/a"), application: "unused")
            }
        }
        #expect(names().isEmpty)
    }
}
