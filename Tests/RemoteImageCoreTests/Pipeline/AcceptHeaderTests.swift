import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The `Accept` header of requests, for which codecs have to be loaded.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct AcceptHeaderTests {
    let transport = FakeTransport()
    let store = DictionaryStore()
    let clock = TestClock()
    private let asked = Watched<[ImageFormat]>([])

    /// Records for which formats it was asked.
    private struct RecordingDecoder: ImageDecoder {
        let base = FakeDecoder()
        let asked: Watched<[ImageFormat]>
        var formats: Set<ImageFormat> { base.formats }

        func decodes(_ format: ImageFormat) -> Bool {
            asked.update { $0.append(format) }
            return base.decodes(format)
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            try base.decode(bytes, request)
        }
    }

    /// A pipeline with an empty memory cache, as after a restart of the program.
    private func pipeline() -> ImagePipeline {
        .test(transport, decoder: RecordingDecoder(asked: asked)) {
            $0.responseStore = store
            $0.clock = clock
        }
    }

    private func store(_ headers: HTTPFields) async throws {
        let pipeline = pipeline()
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(7).bytes, headers: headers)
        #expect(try await image.image.content == 7)
        await pipeline.finishWriting()
    }

    @Test func `a request sent to a server asks for all formats that decoders support`() async throws {
        try await store([.cacheControl: "max-age=60"])
        #expect(Set(asked.value).isSuperset(of: [.avif, .heic, .jxl, .webp]))
    }

    @Test(arguments: [nil, "Accept-Encoding"])
    func `a request served by the store asks for no other format`(vary: String?) async throws {
        var headers: HTTPFields = [.cacheControl: "max-age=60"]
        headers[.vary] = vary
        try await store(headers)
        asked.update { $0 = [] }
        #expect(try await pipeline().image(for: ImageRequest("http://test/a")).content == 7)
        #expect(transport.transfers.count == 1)
        #expect(Set(asked.value) == [.png])
    }

    @Test func `a stored response that varies by Accept serves a request with the same formats`() async throws {
        try await store([.cacheControl: "max-age=60", .vary: "Accept"])
        #expect(try await pipeline().image(for: ImageRequest("http://test/a")).content == 7)
        #expect(transport.transfers.count == 1)
    }

    @Test func `a stored response that varies by Accept does not serve a request with other formats`() async throws {
        try await store([.cacheControl: "max-age=60", .vary: "Accept"])
        let pipeline = pipeline()
        struct Codec: ImageDecoder {
            var formats: Set<ImageFormat> { [.webp] }
            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw .cancelled
            }
        }
        pipeline.decoders.register(Codec())
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline)
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.accept]?.hasPrefix("image/webp,image/png") == true)
        transfer.succeed(TestImage(8).bytes)
        #expect(try await image.image.content == 8)
    }

    @Test(arguments: ["max-age=1", "max-age=1, stale-while-revalidate=60"])
    func `a validation carries the header`(cacheControl: String) async throws {
        try await store([.cacheControl: cacheControl, .eTag: "\"1\""])
        clock.advance(by: .seconds(2))
        let image = PendingImage(ImageRequest("http://test/a"), in: pipeline())
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.ifNoneMatch] == "\"1\"")
        #expect(transfer.request.headers[.accept] == "image/png,image/*;q=0.5,*/*;q=0.1")
        transfer.succeed([], status: 304)
        #expect(try await image.image.content == 7)
    }
}
