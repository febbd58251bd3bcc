import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DiskCacheTests {
    let folder: TemporaryFolder
    let store: DiskCache
    private let warnings = Watched<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path("store"), byteLimit: 8 << 20) { [warnings] text in
            warnings.update { $0.append(text) }
        }
    }

    private func response(
        _ name: String = "a", varying: [String: String] = [:], headers: HTTPFields = [.contentType: "image/png"]
    ) throws -> StoredResponse {
        StoredResponse(
            status: 200, headers: headers, address: try WebAddress("http://test/\(name)"), requestTime: 1,
            responseTime: 2,
            varying: varying)
    }

    private func store(_ body: [UInt8], under key: String, varying: [String: String] = [:]) throws {
        store.store(try response(varying: varying), body: body, for: key) { $0.varying == varying }
    }

    private func body(_ key: String, in store: DiskCache? = nil) -> [UInt8]? {
        let store = store ?? self.store
        return store.responses(for: key).first.flatMap { store.body(of: $0, for: key) }
    }

    /// The paths of the files with a suffix.
    private func files(_ suffix: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
            .filter { $0.hasSuffix(suffix) }.map { folder.path($0) }
    }

    // MARK: Entries

    @Test func `an entry is found, also by another store on the folder`() throws {
        var headers: HTTPFields = [.contentType: "image/png"]
        headers.append(HTTPField(name: .setCookie, value: "a=1"))
        headers.append(HTTPField(name: .setCookie, value: "b=\u{E4}"))
        store.store(try response(headers: headers), body: [1, 2, 3], for: "key") { _ in true }
        for other in [store, DiskCache(path: folder.path("store"))] {
            let found = try #require(other.responses(for: "key").first)
            #expect(found.headers == headers)
            #expect(found.status == 200 && found.requestTime == 1 && found.responseTime == 2)
            #expect(other.body(of: found, for: "key") == [1, 2, 3])
        }
        #expect(store.responses(for: "other").isEmpty)
    }

    /// The store once allocated the size that the metadata states.
    @Test func `a sparse body above the entry limit is a miss, and a sweep removes its entry`() throws {
        for key in ["key", "key\npartial"] {
            try store([1, 2, 3], under: key)
            var response = try #require(store.responses(for: key).first)
            response.body.byteCount = 1 << 40
            try Data(EntryFile(key: key, responses: [response]).bytes).write(
                to: URL(fileURLWithPath: try #require(files(".h").first)))
            #expect(truncate(try #require(files(".b").first), 1 << 40) == 0)
            #expect(body(key) == nil)
            try store([7], under: "other")
            try store.trim(to: 4 << 20)
            #expect(files(".h").count == 1 && files(".b").count == 1)
            #expect(body("other") == [7])
            try store.removeAll()
        }
    }

    @Test func `empty and large bodies are stored unchanged`() throws {
        try store([], under: "empty")
        let large = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try store(large, under: "large")
        #expect(body("empty") == [])
        #expect(body("large") == large)
    }

    @Test(arguments: ["", "a/b", "../../etc/passwd", "key\u{0}null", String(repeating: "x", count: 5000), "\u{1F600}"])
    func `any key is stored within the store's folder`(key: String) throws {
        try store([7], under: key)
        #expect(body(key) == [7])
        #expect(files(".b").allSatisfy { $0.hasPrefix(folder.path("store/v1/")) })
        #expect(files(".b").count == 1)
    }

    @Test func `storing a key again replaces its entry and removes the old body`() throws {
        try store([1], under: "key")
        try store([2], under: "key")
        #expect(body("key") == [2])
        #expect(store.responses(for: "key").count == 1)
        #expect(files(".b").count == 1)
    }

    @Test func `the last eight variants of a response are kept`() throws {
        for number in 0..<20 { try store([UInt8(number)], under: "key", varying: ["accept": "\(number)"]) }
        let kept = store.responses(for: "key")
        #expect(kept.count == 8)
        #expect(kept.first?.varying == ["accept": "19"])
        #expect(kept.compactMap { store.body(of: $0, for: "key")?.first } == (12...19).reversed().map { UInt8($0) })
        #expect(files(".b").count == 8)
    }

    @Test func `metadata is updated without the body`() throws {
        try store([1, 2], under: "key")
        var changed = try #require(store.responses(for: "key").first)
        changed.responseTime = 99
        store.update(changed, for: "key")
        #expect(store.responses(for: "key").first?.responseTime == 99)
        #expect(body("key") == [1, 2])
    }

    @Test func `an update of a response that was replaced or removed changes nothing`() throws {
        try store([1], under: "key")
        var old = try #require(store.responses(for: "key").first)
        try store([2], under: "key")
        old.responseTime = 99
        store.update(old, for: "key")
        #expect(store.responses(for: "key").map(\.responseTime) == [2] && body("key") == [2])
        store.remove("key")
        store.update(old, for: "key")
        #expect(store.responses(for: "key").isEmpty && files(".h").isEmpty)
    }

    @Test func `an updated variant becomes the first, and the others keep their order`() throws {
        for number in 0..<4 { try store([UInt8(number)], under: "key", varying: ["accept": "\(number)"]) }
        let variants = store.responses(for: "key")
        store.update(variants[2], for: "key")
        let bodies = store.responses(for: "key").map { store.body(of: $0, for: "key") }
        #expect(bodies == [[1], [3], [2], [0]])
    }

    /// The file name is only a hash of the key.
    @Test func `metadata of another key with the same hash is a miss`() throws {
        try store([1], under: "key")
        let (path, responses) = (try #require(files(".h").first), store.responses(for: "key"))
        for (key, count) in [("other", 0), ("key", 1)] {
            try Data(EntryFile(key: key, responses: responses).bytes).write(to: URL(fileURLWithPath: path))
            #expect(store.responses(for: "key").count == count)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `the terms of redirects are stored`(isSpecified: Bool, mustRevalidate: Bool) throws {
        try store([1], under: "key")
        var changed = try #require(store.responses(for: "key").first)
        changed.redirect = RedirectTerms(lifetime: 60, isSpecified: isSpecified, mustRevalidate: mustRevalidate)
        store.update(changed, for: "key")
        #expect(store.responses(for: "key").first?.redirect == changed.redirect)
    }

    // A crash or a full disk during a write must keep the old entry.
    @Test func `files are replaced and never changed in place`() throws {
        try store([1, 2], under: "key")
        let path = try #require(files(".h").first)
        let old = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(old) }
        let before = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try store([3, 4, 5], under: "key")
        var changed = try #require(store.responses(for: "key").first)
        changed.responseTime = 99
        store.update(changed, for: "key")
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) != before)
        var bytes = [UInt8](repeating: 0, count: before.count + 1)
        #expect(read(old, &bytes, bytes.count) == before.count)
        #expect(Array(bytes.prefix(before.count)) == before)
        #expect(files("").allSatisfy { !$0.contains("/tmp.") })
    }

    @Test func `a removed entry is gone, including its files`() throws {
        try store([1], under: "a")
        try store([2], under: "b")
        store.remove("a")
        #expect(body("a") == nil)
        #expect(body("b") == [2])
        try store.removeAll()
        #expect(body("b") == nil)
        #expect(files(".b").isEmpty && files(".h").isEmpty)
    }

    @Test func `files and folders are accessible only to their user`() throws {
        try store([1], under: "key")
        for path in files(".b") + files(".h") {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("store"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    // MARK: Damage

    @Test func `a damaged, truncated or missing body is a miss`() throws {
        try store(Array(repeating: 9, count: 1000), under: "key")
        let path = try #require(files(".b").first)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[500] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(body("key") == nil)
        try Data(bytes.prefix(400)).write(to: URL(fileURLWithPath: path))
        #expect(body("key") == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(body("key") == nil)
        try store([1], under: "key")
        #expect(body("key") == [1])
    }

    @Test func `metadata with any damaged byte is invalid, and damaged files are removed`() throws {
        try store([1, 2, 3], under: "key")
        let path = try #require(files(".h").first)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x41
            #expect(EntryFile(damaged) == nil, "byte \(index)")
            #expect(EntryFile(Array(whole.prefix(index))) == nil)
        }
        try Data(whole.prefix(20)).write(to: URL(fileURLWithPath: path))
        #expect(store.responses(for: "key").isEmpty)
        #expect(files(".h").isEmpty)
    }

    @Test func `metadata with the body name of another file is a miss`() throws {
        try folder.write("secret", to: "secret.b")
        try store([1], under: "key")
        var forged = try #require(store.responses(for: "key").first)
        for name in ["../../../secret.b", "/etc/passwd", "secret.b"] {
            forged.body.name = name
            #expect(store.body(of: forged, for: "key") == nil)
            #expect(store.path(of: forged, for: "key") == nil)
        }
    }

    @Test func `a link in place of a body is not followed`() throws {
        try folder.write("outside", to: "outside")
        // The link leads to equal bytes, so that only the link is wrong.
        try store(Array("outside".utf8), under: "key")
        let path = try #require(files(".b").first)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("outside"))
        #expect(body("key") == nil)
        try store.removeAll()
        #expect(try folder.read("outside") == Array("outside".utf8))
    }

    @Test func `a link in place of the version folder is not followed`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("target"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("store"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("store/v1"), withDestinationPath: folder.path("target"))
        try store([1], under: "key")
        #expect(body("key") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("target")).isEmpty)
        #expect(warnings.value.count == 1)
    }

    @Test func `a link in place of the store's folder is not followed`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("target"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("store"), withDestinationPath: folder.path("target"))
        try store([1], under: "key")
        #expect(body("key") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("target")).isEmpty)
        #expect(warnings.value.count == 1)
    }

    @Test(arguments: ["", "/v1", "/v1/shard"], [0o770, 0o702, 0o722])
    func `a folder that other users may write to is neither read nor written`(name: String, mode: Int) throws {
        try store([1], under: "key")
        let path = name == "/v1/shard" ? try shard() : folder.path("store\(name)")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let before = files("")
        #expect(body("key") == nil)
        for body in [[2], [3]] as [[UInt8]] { try store(body, under: "key") }
        #expect(files("") == before)
        #expect(warnings.value.count == 1)
        #expect(warnings.value.first?.hasSuffix("other users may write to the folder") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(body("key") == [1], "others may read")
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a folder away"), arguments: ["", "/v1"])
    func `a folder of another user is neither read nor written`(name: String) throws {
        try store([1], under: "key")
        let before = files("")
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder.path("store\(name)"))
        #expect(body("key") == nil)
        try store([2], under: "key")
        #expect(files("") == before)
        #expect(warnings.value.count == 1)
        #expect(warnings.value.first?.hasSuffix("the folder belongs to another user") == true)
    }

    @Test func `a store on an unusable path warns once and stores nothing`() throws {
        try folder.write("a file", to: "occupied")
        let store = DiskCache(path: folder.path("occupied")) { [warnings] text in warnings.update { $0.append(text) } }
        for key in ["a", "b"] { store.store(try response(), body: [1], for: key) { _ in true } }
        #expect(store.responses(for: "a").isEmpty)
        #expect(warnings.value.count == 1)
    }

    @Test func `a folder deleted while in use is created again`() throws {
        try store([1], under: "key")
        try FileManager.default.removeItem(atPath: folder.path("store"))
        #expect(body("key") == nil)
        try store([2], under: "key")
        #expect(body("key") == [2])
    }

    @Test func `unrelated files and files of other versions are kept`() throws {
        try store([1], under: "key")
        try FileManager.default.createDirectory(atPath: folder.path("store/v2"), withIntermediateDirectories: true)
        try folder.write("new", to: "store/v2/entry.h")
        try folder.write("mine", to: "store/notes.txt")
        try store.removeAll()
        #expect(FileManager.default.fileExists(atPath: folder.path("store/v2/entry.h")))
        #expect(FileManager.default.fileExists(atPath: folder.path("store/notes.txt")))
    }

    // MARK: Size

    @Test(arguments: ["no-such-folder", "no-such-folder/nor-this"])
    func `the standard limit of a relative folder is that of its disk`(path: String) {
        let here = DiskCache(path: FileManager.default.currentDirectoryPath).byteLimit
        // Other programs may use space meanwhile.
        #expect(abs(DiskCache(path: path).byteLimit - here) <= 4 << 20)
    }

    @Test func `the store stays close to its limit while entries are written`() throws {
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        for number in 0..<60 {
            store.store(try response("\(number)"), body: [UInt8](repeating: 1, count: 60_000), for: "\(number)") { _ in
                true
            }
            #expect(store.usage().byteCount <= (1 << 20) * 110 / 100)
        }
        #expect(store.usage().entryCount > 5)
        #expect(body("59", in: store) != nil)
    }

    @Test func `the largest possible limit is accepted`() throws {
        let store = DiskCache(path: folder.path("large"), byteLimit: .max)
        store.store(try response("1"), body: [1, 2, 3], for: "1") { _ in true }
        #expect(body("1", in: store) == [1, 2, 3])
    }

    @Test func `room reserved for a pending write is not given to another write`() throws {
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        let body = [UInt8](repeating: 1, count: 120_000)
        for number in 0..<7 { store.store(try response("\(number)"), body: body, for: "\(number)") { _ in true } }
        let before = store.usage()
        #expect(before.byteCount + body.count <= 1 << 20)
        // Three threads reserve room before they write.
        for _ in 0..<3 { store.sizes.makeRoom(for: body.count) }
        #expect(store.usage().byteCount + 3 * body.count <= 1 << 20)
        #expect(store.usage().entryCount > 0)
        // Released room is available again.
        for _ in 0..<3 { store.sizes.release(body.count) }
        let after = store.usage().entryCount
        store.sizes.makeRoom(for: body.count)
        #expect(store.usage().entryCount == after)
    }

    /// Each failed write used to make the store smaller for the rest of the process.
    @Test func `failed writes keep no room`() throws {
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        let body = [UInt8](repeating: 1, count: 100_000)
        for number in 0..<6 { store.store(try response("\(number)"), body: body, for: "\(number)") { _ in true } }
        let count = store.usage().entryCount
        for _ in 0..<20 {
            #expect(throws: StoreFailure.self) {
                try store.sizes.withRoom(for: body.count) { () throws(StoreFailure) in throw .last }
            }
        }
        store.sizes.makeRoom(for: body.count)
        #expect(store.usage().entryCount == count)
    }

    @Test func `beyond eight resized images of a body, the oldest are dropped`() throws {
        try store([1, 2, 3], under: "key")
        let response = try #require(store.responses(for: "key").first)
        let size = PixelSize(width: 40, height: 30)
        for number in 0..<10 {
            let description = ResizedImage.Description(
                size: size, processing: "\(number)", originalSize: size, originalFormat: .png)
            store.store(ResizedImage(description, data: [UInt8(number)]), of: response, for: "key")
        }
        let kept = store.resizedImages(of: response, for: "key").map(\.processing)
        #expect(kept == (2..<10).map(String.init))
        let data = (2..<10).map { number in
            store.resizedImage(of: response, for: "key") { $0.firstIndex { $0.processing == "\(number)" } }?.data
        }
        #expect(data == (2..<10).map { [UInt8($0)] })
    }

    private func resized(
        _ data: [UInt8], _ size: PixelSize = PixelSize(width: 40, height: 30), processing: String = ""
    ) -> ResizedImage {
        let description = ResizedImage.Description(
            size: size, processing: processing, originalSize: PixelSize(width: 400, height: 300), originalFormat: .png)
        return ResizedImage(description, data: data)
    }

    /// 64 KiB of a file are read at once, and the rest if it is needed.
    @Test func `resized images before, across and after the first 64 KiB of their file are read`() throws {
        try store([1, 2, 3], under: "key")
        let response = try #require(store.responses(for: "key").first)
        let images = [30_000, 50_000, 7_000].enumerated().map { number, count in
            resized((0..<count).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }, processing: "\(number)")
        }
        for image in images { store.store(image, of: response, for: "key") }
        for (index, image) in images.enumerated() {
            let found = store.resizedImage(of: response, for: "key") { _ in index }
            #expect(found?.data == image.data && found?.description == image.description)
        }
        for index in [nil, -1, 3] {
            #expect(store.resizedImage(of: response, for: "key") { _ in index } == nil)
        }
    }

    @Test func `a resized image replaces that of its step, and becomes the last`() throws {
        try store([1, 2, 3], under: "key")
        let response = try #require(store.responses(for: "key").first)
        let sizes = [(40, 30), (90, 60), (50, 20)].map { PixelSize(width: $0.0, height: $0.1) }
        for (number, size) in sizes.enumerated() {
            store.store(resized([UInt8(number)], size), of: response, for: "key")
        }
        #expect(store.resizedImages(of: response, for: "key").map(\.size) == [sizes[1], sizes[2]])
        let data = (0..<2).map { index in store.resizedImage(of: response, for: "key") { _ in index }?.data }
        #expect(data == [[1], [2]])
    }

    @Test func `a resized image needs the whole body of its own response`() throws {
        try store([1, 2, 3], under: "key")
        let response = try #require(store.responses(for: "key").first)
        store.store(resized([7]), of: response, for: "key")
        var forged = response
        forged.body.name = "./\(response.body.name)"
        #expect(store.resizedImages(of: forged, for: "key").isEmpty)
        store.removeResizedImages(of: forged, for: "key")
        #expect(store.resizedImages(of: response, for: "key").count == 1)
        #expect(truncate(try #require(files(".b").first), 2) == 0)
        #expect(store.resizedImages(of: response, for: "key").isEmpty)
        store.store(resized([7, 8]), of: response, for: "key")
        #expect(store.resizedByteCount == 4096, "the old file stays as it was")
    }

    @Test func `a resized image may be as large as an eighth of the store`() throws {
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        for (byteCount, isKept) in [(131_073, false), (131_072, true)] {
            try store.store(1, under: "key")
            try store.storeResized(byteCount, under: "key")
            #expect((store.resizedByteCount > 0) == isKept)
        }
    }

    @Test func `an entry may be as large as an eighth of the store`() throws {
        let response = try response()
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        var named = response
        named.body = StoredBody(name: EntryName("key").newBody(), byteCount: 1)
        let room = (1 << 20) / 8 - EntryFile(key: "key", responses: [named]).bytes.count
        for (byteCount, isKept) in [(room, true), (room + 1, false)] {
            store.store(response, body: [UInt8](repeating: 1, count: byteCount), for: "key") { _ in true }
            #expect(store.responses(for: "key").isEmpty != isKept)
        }
    }

    @Test func `an entry above an eighth of the store is not kept, and the old entry is removed`() throws {
        let store = DiskCache(path: folder.path("small"), byteLimit: 1 << 20)
        store.store(try response(), body: [1], for: "key") { _ in true }
        store.store(try response(), body: [UInt8](repeating: 1, count: 200_000), for: "key") { _ in true }
        #expect(store.responses(for: "key").isEmpty)
    }

    @Test func `trimming removes the least recently used entries`() throws {
        for number in 0..<10 {
            try store([UInt8](repeating: 1, count: 50_000), under: "\(number)")
        }
        // Every second entry was used an hour ago.
        let old = Set((0..<10).filter { $0 % 2 == 0 }.map { "\($0)" })
        for (key, responses) in store.all() where old.contains(key) {
            let body = try #require(responses.first.flatMap { store.path(of: $0, for: key) })
            let metadata = String(body.prefix(body.count - "-0123456789abcdef.b".count)) + ".h"
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: metadata)
        }
        try store.trim(to: 320_000)
        #expect(Set(store.all().map(\.key)) == Set((0..<10).map { "\($0)" }).subtracting(old))
    }

    /// The folder of the first entry.
    private func shard() throws -> String {
        "/" + (try #require(files(".h").first)).split(separator: "/").dropLast().joined(separator: "/")
    }

    // The writer used to be found by its process id, which is invisible in another namespace.
    @Test func `a temporary file is swept if it is unlocked or old`() throws {
        try store([1], under: "key")
        let shard = try shard()
        let (written, abandoned, old) = ("\(shard)/tmp.1", "\(shard)/tmp.2", "\(shard)/tmp.3")
        for path in [written, abandoned, old] { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: old)
        let writers = [written, old].map { (path: String) in open(path, O_WRONLY | O_CLOEXEC) }
        defer { for writer in writers { close(writer) } }
        #expect(writers.allSatisfy { flock($0, LOCK_EX | LOCK_NB) == 0 })
        try store.trim(to: 1 << 20)
        #expect(FileManager.default.fileExists(atPath: written))
        #expect(!FileManager.default.fileExists(atPath: abandoned))
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(body("key") == [1])
        try store.removeAll()
        #expect(FileManager.default.fileExists(atPath: written), "it is no entry yet")
        #expect(store.all().isEmpty)
    }

    @Test func `a temporary file is locked from the start`() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        let (file, name) = try StoreFolder.makeTemporary(in: descriptor)
        defer { close(file) }
        let other = open(folder.path(name), O_RDONLY | O_CLOEXEC)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    }

    @Test func `a sweep keeps the files that another thread is writing`() async throws {
        let isDone = Watched(false)
        let sweeping = Task.detached { [swept = store] in
            while !isDone.value { try? swept.trim(to: 7 << 20) }
        }
        for number in 0..<300 { try store([UInt8](repeating: 1, count: 3000), under: "\(number % 20)") }
        isDone.update { $0 = true }
        await sweeping.value
        #expect(warnings.value.isEmpty)
        #expect((0..<20).allSatisfy { body("\($0)")?.count == 3000 })
    }

    @Test func `a temporary file evicts no entry`() throws {
        for number in 0..<5 { try store([UInt8](repeating: 1, count: 50_000), under: "\(number)") }
        let path = "\(try shard())/tmp.1"
        try Data(count: 900_000).write(to: URL(fileURLWithPath: path))
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
        try store.trim(to: 500_000)
        #expect(store.all().count == 5)
    }

    // The bytes of such a body were subtracted twice, and the trim ended above its target.
    @Test func `an old body without metadata does not end a trim early`() throws {
        for number in 0..<4 { try store([UInt8](repeating: 1, count: 50_000), under: "\(number)") }
        let orphan = "\(try #require(files(".b").first).dropLast(18))\(String(repeating: "0", count: 16)).b"
        try Data(count: 200_000).write(to: URL(fileURLWithPath: orphan))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: orphan)
        try store.trim(to: 120_000)
        #expect(!FileManager.default.fileExists(atPath: orphan))
        #expect(store.byteCount <= 120_000 && store.all().count == 2)
    }

    @Test func `metadata of another version is a miss and is kept`() throws {
        try store([1, 2, 3], under: "key")
        let path = try #require(files(".h").first)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[4] = UInt8(ascii: "9")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(store.responses(for: "key").isEmpty)
        #expect(files(".h") == [path])
    }

    // The update used to write a larger entry than readers accept.
    @Test func `an update above the metadata limit removes the entry`() throws {
        try store([1, 2], under: "key")
        var changed = try #require(store.responses(for: "key").first)
        changed.headers[.cacheControl] = String(repeating: "x", count: EntryFile.byteLimit)
        store.update(changed, for: "key")
        #expect(store.responses(for: "key").isEmpty)
        #expect(files(".h").isEmpty && files(".b").isEmpty)
    }

    @Test func `an update that leaves no room for all variants keeps the updated variant`() throws {
        for number in 0..<4 { try store([UInt8(number)], under: "key", varying: ["accept": "\(number)"]) }
        var changed = try #require(store.responses(for: "key").last)
        changed.headers[.cacheControl] = String(repeating: "x", count: EntryFile.byteLimit - 500)
        store.update(changed, for: "key")
        let kept = store.responses(for: "key")
        #expect((1...3).contains(kept.count))
        #expect(kept.first?.headers == changed.headers)
        #expect(body("key") == [0])
        #expect(files(".b").count == kept.count, "no body without metadata")
    }

    @Test func `variants that exceed the metadata limit are removed`() throws {
        let long = HTTPFields([HTTPField(name: .contentType, value: String(repeating: "x", count: 200_000))])
        for number in 0..<8 {
            store.store(
                try response(varying: ["accept": "\(number)"], headers: long), body: [UInt8(number)], for: "key"
            ) { _ in false }
        }
        let kept = store.responses(for: "key")
        #expect((1...5).contains(kept.count))
        #expect(kept.first.flatMap { store.body(of: $0, for: "key") } == [7])
        #expect(files(".b").count == kept.count, "no body without metadata")
    }

    @Test func `secrets of addresses and requests are not written to files`() throws {
        let request: HTTPFields = [.authorization: "Bearer SECRET", .cookie: "sid=SECRET"]
        let headers: HTTPFields = [.vary: "Authorization, Cookie"]
        let stored = StoredResponse(
            status: 200, headers: headers, address: try WebAddress("http://user:SECRET@test/"), requestTime: 1,
            responseTime: 2, varying: VaryMatching.values(of: request, for: headers))
        store.store(stored, body: [1], for: "key") { _ in true }
        let found = try #require(store.responses(for: "key").first)
        #expect(VaryMatching.matches(found, request))
        for path in files(".h") {
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            #expect(!text.contains("SECRET"))
        }
    }

    // MARK: Concurrency

    @Test func `two stores on one folder read, write and trim at once`() async throws {
        let path = folder.path("shared")
        let stores = [DiskCache(path: path, byteLimit: 1 << 20), DiskCache(path: path, byteLimit: 1 << 20)]
        let wrong = Watched(0)
        await withTaskGroup(of: Void.self) { group in
            for (thread, store) in (stores + stores).enumerated() {
                group.addTask(executorPreference: WorkerThreads.contending) {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for round in 0..<150 {
                        let number = Int.random(in: 0..<200, using: &random)
                        let body = [UInt8](repeating: UInt8(number), count: 20_000)
                        switch round % 4 {
                        case 0, 1:
                            if let response = try? self.response("\(number)") {
                                store.store(response, body: body, for: "\(number)") { _ in true }
                            }
                        case 2:
                            if let found = store.responses(for: "\(number)").first,
                                let read = store.body(of: found, for: "\(number)"), read != body
                            {
                                wrong.update { $0 += 1 }
                            }
                        default: if round % 40 == 3 { try? store.trim(to: 400_000) }
                        }
                    }
                }
            }
        }
        #expect(wrong.value == 0)
        #expect(stores[0].usage().byteCount <= (1 << 20) * 110 / 100)
    }
}
