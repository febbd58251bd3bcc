import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A damaged store does not prevent loads, warns at most once, and changes no files outside.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StoreFaultTests {
    enum Fault: CaseIterable {
        case flippedBody, cutBody, bodyIsGone, flippedMetadata, cutMetadata, newerMetadata, linkedBody, linkedMetadata
        case linkedShard, linkedFolder, fileForFolder, folderIsGone, folderOfAnother
    }

    private let transport = FakeTransport { _ in
        .ok(TestImage(7).bytes, headers: [.cacheControl: "max-age=60"])
    }
    private let folder: TemporaryFolder
    private let warnings = Watched<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("outside"), withIntermediateDirectories: true)
        try folder.write("mine", to: "outside/file")
    }

    private func load() async throws -> LoadedImage {
        let store = DiskCache(path: folder.path("store")) { [warnings] text in warnings.update { $0.append(text) } }
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = store }
        let image = try await pipeline.image(for: "http://test/a")
        _ = try await pipeline.image(for: "http://test/b")
        await pipeline.finishWriting()
        return image
    }

    private func path(_ suffix: String) throws -> String {
        let found = FileManager.default.enumerator(atPath: folder.path("store"))?.compactMap { $0 as? String }
        let name = try #require(found?.sorted().first { $0.hasSuffix(suffix) })
        return folder.path("store/\(name)")
    }

    private func change(_ suffix: String, _ change: (inout [UInt8]) -> Void) throws {
        let url = URL(fileURLWithPath: try path(suffix))
        var bytes = [UInt8](try Data(contentsOf: url))
        change(&bytes)
        try Data(bytes).write(to: url)
    }

    /// Moves a file or folder outside, and puts a link in its place.
    private func link(_ path: String) throws {
        let target = folder.path("outside/moved")
        try FileManager.default.moveItem(atPath: path, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private func make(_ fault: Fault) throws {
        let files = FileManager.default
        switch fault {
        case .flippedBody: try change(".b") { $0[$0.count / 2] ^= 1 }
        case .cutBody: try change(".b") { $0.removeLast(3) }
        case .bodyIsGone: try files.removeItem(atPath: path(".b"))
        case .flippedMetadata: try change(".h") { $0[$0.count / 2] ^= 1 }
        case .cutMetadata: try change(".h") { $0.removeLast(3) }
        case .newerMetadata: try change(".h") { $0[4] = UInt8(ascii: "9") }
        case .linkedBody: try link(path(".b"))
        case .linkedMetadata: try link(path(".h"))
        case .linkedShard: try link((try path(".b") as NSString).deletingLastPathComponent)
        case .linkedFolder: try link(folder.path("store/v1"))
        case .fileForFolder:
            try files.removeItem(atPath: folder.path("store"))
            try folder.write("a file", to: "store")
        case .folderIsGone: try files.removeItem(atPath: folder.path("store"))
        case .folderOfAnother:
            try files.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder.path("store/v1"))
        }
    }

    private func outside() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("outside"))
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: folder.path("outside/\(name)")).map { (name, $0) }
            })
    }

    @Test(arguments: Fault.allCases)
    func `an image is loaded despite a damaged store`(fault: Fault) async throws {
        // Only the superuser can give a folder away.
        if fault == .folderOfAnother, geteuid() != 0 { return }
        _ = try await load()
        try make(fault)
        let before = try outside()
        for _ in 0..<2 { #expect(try await load().content == 7) }
        #expect(try outside() == before)
        // At most one for each of the two stores opened since.
        #expect(warnings.value.count <= 2)
        DiskCache(path: folder.path("store")).removeAll()
        #expect(try outside() == before)
    }
}
