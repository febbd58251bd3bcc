import HTTPTypes
import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Images that end early although the server delivered its whole file.
@Suite(.timeLimit(.minutes(1)), .endsInTime)
struct TruncatedImageTests {
    private let transport = FakeTransport()
    private let store = DictionaryStore()
    private let address = "http://test/a"
    private let headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
    /// About half of the rows.
    private let file = Array(GoldenImage.rgbPNG[..<(GoldenImage.rgbPNG.count / 2)])

    private func pipeline() -> ImagePipeline {
        .test(transport, decoder: PNGDecoder(), memoryCache: nil) { $0.responseStore = store }
    }

    /// It used to fail as damaged.
    @Test func `a truncated image of the announced length is shown and stored`() async throws {
        let pipeline = pipeline()
        let first = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 1).succeed(file, headers: headers)
        let image = try await first.image
        #expect(image.info.isTruncated)
        #expect(image.info.size == GoldenImage.size)
        #expect(image.pixels.pixel(0, 0)[3] == 255)
        #expect(image.pixels.pixel(0, 31) == [0, 0, 0, 0])
        await pipeline.finishWriting()
        let again = try await self.pipeline().image(for: ImageRequest(address))
        #expect(again.info.origin == .disk)
        #expect(again.info.isTruncated)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a complete image is not reported as truncated`() async throws {
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        try await transport.started(count: 1).succeed(GoldenImage.rgbPNG, headers: headers)
        #expect(try await !pending.image.info.isTruncated)
    }

    /// The connection may have ended the body.
    @Test(arguments: [false, true])
    func `a truncated image of unknown length is shown and not stored`(hasMemoryCache: Bool) async throws {
        let pipeline = ImagePipeline.test(
            transport, decoder: PNGDecoder(), memoryCache: hasMemoryCache ? MemoryCache() : nil
        ) { $0.responseStore = store }
        func loadTruncated() async throws {
            let first = PendingImage(ImageRequest(address), in: pipeline)
            let transfer = try await transport.started(count: 1)
            transfer.respond(headers: headers)
            transfer.send(file)
            transfer.finish()
            #expect(try await first.image.info.isTruncated)
        }
        try await loadTruncated()
        await pipeline.finishWriting()
        // In memory, it is kept only while it is used.
        try await waitUntil("its release") { pipeline.cachedImage(for: ImageRequest(address)) == nil }
        #expect(store.responses(for: address).isEmpty)
        let again = PendingImage(ImageRequest(address), in: pipeline)
        try await transport.started(count: 2).succeed(GoldenImage.rgbPNG, headers: headers)
        #expect(try await !again.image.info.isTruncated)
    }

    @Test func `a body that the connection cut is incomplete`() async throws {
        let pending = PendingImage(ImageRequest(address), in: pipeline())
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: headers, expected: GoldenImage.rgbPNG.count)
        transfer.send(file)
        transfer.fail(ImageError(.incomplete))
        let error = await #expect(throws: ImageError.self) { try await pending.image }
        #expect(error?.code == .incomplete)
    }

    /// The two parts may belong to different versions of the file.
    @Test func `a resumed image that is truncated is requested as a whole, once`() async throws {
        // A body is resumed only if it is large.
        let text = PNGChunk.make("tEXt", Array("a\0".utf8) + [UInt8](repeating: 65, count: 200_000))
        let large = Array(file[..<33]) + text + file[33...]
        let pipeline = pipeline()
        let first = PendingImage(ImageRequest(address), in: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: headers, expected: large.count)
        transfer.send(Array(large[..<100_000]))
        transfer.fail(ImageError(.incomplete))
        await #expect(throws: ImageError.self) { try await first.image }
        await pipeline.finishWriting()
        let again = PendingImage(ImageRequest(address), in: pipeline)
        let rest = try await transport.started(count: 2)
        #expect(rest.request.headers[.range] == "bytes=100000-")
        var continued = headers
        continued[.contentRange] = "bytes 100000-\(large.count - 1)/\(large.count)"
        rest.succeed(Array(large[100_000...]), status: 206, headers: continued)
        let whole = try await transport.started(count: 3)
        #expect(whole.request.headers[.range] == nil)
        whole.succeed(large, headers: headers)
        #expect(try await again.image.info.isTruncated)
        #expect(transport.transfers.count == 3)
    }
}
