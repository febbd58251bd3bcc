import Foundation
import HTTPTypes
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A resized image lives and ends with the body that it was made of.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ResizedImageBodyTests {
    let fixture: ResizedImageFixture
    private let key = "http://test/a"

    init() throws {
        fixture = try ResizedImageFixture()
    }

    private func files(_ suffix: String) -> [String] {
        (FileManager.default.enumerator(atPath: fixture.folder.path)?.allObjects ?? []).compactMap { $0 as? String }
            .filter { $0.hasSuffix(suffix) }.map { fixture.folder.path($0) }
    }

    /// Whether the image is of the second file, which is darker in its first pixel.
    private func isNew(_ image: LoadedImage) throws -> Bool {
        let new = try JPEGDecoder().decode(
            ResizedImageFixture.files[1],
            DecodeRequest(
                header: try ImageHeader.read(ResizedImageFixture.files[1]), target: .longestSide(100)))
        return PixelDifference(image.pixels, new.pixels).peakSignalToNoise > 40
    }

    // MARK: Damaged files

    /// The store once allocated the size that the table states.
    @Test func `a sparse resized image above the entry limit is a miss, and a sweep removes it`() async throws {
        try await fixture.fill()
        let path = try #require(files(".s").first)
        var bytes = try FileBytes.read(FilePath(path), limit: 1 << 20).bytes
        // The magic number and the length of the table precede the table, its checksum follows. It
        // ends with the size and the checksum of the last image.
        let length = try #require(FieldReader(bytes: bytes, index: 6).peekedNumber)
        bytes.replaceSubrange((14 + length - 16)..<(14 + length - 8), with: UInt64(1 << 40).bytes)
        bytes.replaceSubrange(
            (14 + length)..<(22 + length), with: XXHash64.hash(Array(bytes[14..<(14 + length)])).bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(truncate(path, 2 << 40) == 0)
        let store = fixture.store
        let entry = try #require(store.responses(for: key).first)
        #expect(store.resizedImages(of: entry, for: key).count == 1)
        #expect(store.resizedImage(of: entry, for: key) { _ in 0 } == nil)
        try store.trim(to: 8 << 20).get()
        #expect(files(".s").isEmpty)
        #expect(store.responses(for: key).count == 1)
    }

    // MARK: Changed bodies

    @Test(arguments: [CachePolicy.http, .reload])
    func `a new response replaces the resized image`(policy: CachePolicy) async throws {
        let old = try await fixture.fill(headers: [.cacheControl: "max-age=10", .eTag: "\"1\""])
        #expect(try !isNew(old))
        fixture.clock.advance(by: .seconds(11))
        let pipeline = fixture.pipeline()
        let new = try await fixture.download(
            ResizedImageFixture.request(policy: policy), in: pipeline, file: ResizedImageFixture.files[1])
        #expect(try isNew(new))
        #expect(files(".s").isEmpty)
        #expect(try isNew(try await fixture.pipeline().image(for: ResizedImageFixture.request())))
    }

    @Test func `a 304 response keeps the resized image`() async throws {
        try await fixture.fill(headers: [.cacheControl: "max-age=10", .eTag: "\"1\""])
        fixture.clock.advance(by: .seconds(11))
        let pending = PendingImage(ResizedImageFixture.request(), in: fixture.pipeline())
        try await fixture.transport.started(count: 2).succeed([], status: 304, headers: [.eTag: "\"1\""])
        let image = try await pending.image
        #expect(image.info.origin == .revalidated && image.info.decoder == "stored")
        #expect(files(".s").count == 1)
    }

    @Test func `a resumed response replaces the resized image`() async throws {
        try await fixture.fill(headers: [.cacheControl: "max-age=10", .eTag: "\"1\""])
        fixture.clock.advance(by: .seconds(11))
        let file = ResizedImageFixture.files[1]
        let (first, rest) = (Array(file[..<20_000]), Array(file[20_000...]))
        let headers: HTTPFields = [.eTag: "\"2\"", .acceptRanges: "bytes", .contentLength: "\(file.count)"]
        let interrupted = fixture.pipeline()
        let pending = PendingImage(ResizedImageFixture.request(), in: interrupted)
        let transfer = try await fixture.transport.started(count: 2)
        transfer.respond(headers: headers)
        transfer.send(first)
        transfer.fail(ImageError(.incomplete))
        _ = try? await pending.image
        await interrupted.finishWriting()
        let resumed = fixture.pipeline()
        let whole = PendingImage(ResizedImageFixture.request(policy: .reload), in: resumed)
        let second = try await fixture.transport.started(count: 3)
        if second.request.headers[.range] != nil {
            second.succeed(
                rest, status: 206,
                headers: [.eTag: "\"2\"", .contentRange: "bytes 20000-\(file.count - 1)/\(file.count)"])
        } else {
            second.succeed(file, headers: headers)
        }
        #expect(try isNew(try await whole.image))
        await resumed.finishWriting()
        #expect(try isNew(try await fixture.pipeline().image(for: ResizedImageFixture.request(policy: .cacheElseLoad))))
    }

    @Test func `a body that the program stores replaces the resized image`() async throws {
        try await fixture.fill()
        let response = try #require(fixture.store.responses(for: key).first)
        fixture.store.store(response, body: ResizedImageFixture.files[1], for: key) { _ in true }
        #expect(files(".s").isEmpty)
        #expect(try isNew(try await fixture.pipeline().image(for: ResizedImageFixture.request())))
    }

    @Test func `a body that another process stored replaces the resized image`() async throws {
        try await fixture.fill()
        let other = DiskCache(path: fixture.folder.path("store"))
        let response = try #require(other.responses(for: key).first)
        other.store(response, body: ResizedImageFixture.files[1], for: key) { _ in true }
        #expect(try isNew(try await fixture.pipeline().image(for: ResizedImageFixture.request())))
    }

    @Test func `old metadata that another process wrote back does not bring an old image back`() async throws {
        try await fixture.fill()
        let old = try #require(fixture.store.responses(for: key).first)
        let (metadata, resized) = (try #require(files(".h").first), try #require(files(".s").first))
        let saved = try (Data(contentsOf: URL(filePath: metadata)), Data(contentsOf: URL(filePath: resized)))
        fixture.store.store(old, body: ResizedImageFixture.files[1], for: key) { _ in true }
        try saved.0.write(to: URL(filePath: metadata))
        try saved.1.write(to: URL(filePath: resized))
        #expect(fixture.store.resizedImages(of: old, for: key).isEmpty)
        let pending = PendingImage(ResizedImageFixture.request(), in: fixture.pipeline())
        try await fixture.transport.started(count: 2).succeed(ResizedImageFixture.files[1])
        #expect(try isNew(try await pending.image))
    }

    @Test func `an image of an old body is not stored beside a new one`() async throws {
        let pipeline = fixture.pipeline()
        _ = try await fixture.download(in: pipeline)
        let response = try #require(fixture.store.responses(for: key).first)
        fixture.store.store(response, body: ResizedImageFixture.files[1], for: key) { _ in true }
        try await fixture.idle(pipeline)
        #expect(files(".s").isEmpty)
    }

    @Test func `removing an entry removes its resized images`() async throws {
        try await fixture.fill()
        fixture.store.remove(key)
        #expect(files(".s").isEmpty && files(".b").isEmpty)
    }

    /// A sweep removed only the files that it had listed, so that a resized image that another
    /// process stored during the sweep stayed without its body.
    @Test func `a sweep removes resized images that were stored after it listed the files`() async throws {
        try await fixture.fill()
        let path = try #require(files(".s").first)
        // Sweeps list regular files only.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        fixture.store.removeAll()
        #expect(files(".s").isEmpty && files(".b").isEmpty)
    }

    /// A process that is killed while another one removes the body leaves such a file.
    @Test func `a sweep removes old resized images of missing bodies`() async throws {
        try await fixture.fill()
        try FileManager.default.removeItem(atPath: try #require(files(".b").first))
        let path = try #require(files(".s").first)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        fixture.store.trim(to: 1 << 30)
        #expect(files(".s").isEmpty && files(".h").count == 1)
    }

    // MARK: Damage

    @Test(arguments: [0, 20, 200, 3000])
    func `a damaged resized image is a miss`(offset: Int) async throws {
        try await fixture.fill()
        let path = try #require(files(".s").first)
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        bytes[min(offset, bytes.count - 1)] ^= 0x55
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try await fixture.pipeline().image(for: ResizedImageFixture.request()).info.decoder == "jpeg")
        for count in [0, 5, 30, bytes.count - 1] {
            try Data(bytes.prefix(count)).write(to: URL(filePath: path))
            #expect(try await fixture.pipeline().image(for: ResizedImageFixture.request()).info.decoder == "jpeg")
        }
    }

    @Test func `a resized image that cannot be decoded is removed and the original is decoded`() async throws {
        try await fixture.fill()
        let response = try #require(fixture.store.responses(for: key).first)
        let description = try #require(fixture.resized.first)
        fixture.store.store(ResizedImage(description, data: [1, 2, 3]), of: response, for: key)
        #expect(try await fixture.pipeline().image(for: ResizedImageFixture.request()).info.decoder == "jpeg")
        #expect(files(".s").isEmpty && files(".b").count == 1)
        #expect(fixture.transport.transfers.count == 1)
    }

    /// The checksum has no secret, so a crafted file may contain any number.
    @Test(arguments: [Int.max, Int.max - 200, 1 << 40, 4096])
    func `a table with a place outside of the file is refused`(number: Int) {
        let body = StoredBody(name: "a", byteCount: 3, checksum: 5)
        let description = ResizedImage.Description(
            size: PixelSize(width: 10, height: 10), originalSize: PixelSize(width: 100, height: 100),
            originalFormat: .png)
        let file = ResizedImageTable.file(of: body, [ResizedImage(description, data: [1, 2, 3])])
        #expect(ResizedImageTable(file[...], of: body, fileSize: file.count) != nil)
        // Before the image: the checksums of the table and of the image, and the two numbers.
        for place in [file.count - 3 - 32, file.count - 3 - 24] {
            var table = Array(file[14..<(file.count - 11)])
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            table.replaceSubrange((place - 14)..<(place - 6), with: bytes)
            let crafted = Array(file[..<14]) + table + XXHash64.hash(table).bytes + [1, 2, 3]
            #expect(ResizedImageTable(crafted[...], of: body, fileSize: crafted.count) == nil)
        }
    }

    // MARK: Space

    @Test func `a store that is almost full takes no resized image and loses nothing`() throws {
        let store = DiskCache(path: fixture.folder.path("full"), byteLimit: 1 << 20)
        let address = try WebAddress("http://test/a")
        let response = StoredResponse(status: 200, headers: [:], address: address, requestTime: 1, responseTime: 2)
        for number in 0..<8 {
            store.store(response, body: [UInt8](repeating: 1, count: 110_000), for: "key \(number)") { _ in true }
        }
        let stored = try #require(store.responses(for: "key 7").first)
        let description = ResizedImage.Description(
            size: PixelSize(width: 10, height: 10), originalSize: PixelSize(width: 100, height: 100),
            originalFormat: .png)
        store.store(ResizedImage(description, data: [UInt8](repeating: 1, count: 90_000)), of: stored, for: "key 7")
        #expect(store.resizedByteCount == 0 && store.all().count == 8)
    }

    @Test func `resized images are evicted before originals`() async throws {
        try await fixture.fill()
        let (all, resized) = (fixture.store.byteCount, fixture.store.resizedByteCount)
        fixture.store.trim(to: all - 1)
        #expect(files(".s").isEmpty && files(".b").count == 1)
        #expect(fixture.store.byteCount == all - resized)
    }

    @Test func `resized images occupy at most their share of the limit`() throws {
        let store = DiskCache(path: fixture.folder.path("small"), byteLimit: 1 << 20)
        let address = try WebAddress("http://test/a")
        for number in 0..<20 {
            let key = "key \(number)"
            let response = StoredResponse(
                status: 200, headers: [:], address: address, requestTime: 1, responseTime: 2)
            store.store(response, body: [UInt8(number)], for: key) { _ in true }
            let stored = try #require(store.responses(for: key).first)
            let description = ResizedImage.Description(
                size: PixelSize(width: 10, height: 10), originalSize: PixelSize(width: 100, height: 100),
                originalFormat: .png)
            store.store(ResizedImage(description, data: [UInt8](repeating: 1, count: 15_000)), of: stored, for: key)
            #expect(store.resizedByteCount <= 160 << 10)
        }
        #expect(store.resizedByteCount >= 80 << 10)
        #expect(store.all().count == 20)
        store.removeResizedImages()
        #expect(store.resizedByteCount == 0 && store.all().count == 20)
    }
}

extension FieldReader {
    fileprivate var peekedNumber: Int? {
        var reader = self
        return reader.number()
    }
}
