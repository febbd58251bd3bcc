import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The validation of a stale response after it was delivered (RFC 5861 section 3).
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct BackgroundValidationTests {
    private let transport = FakeTransport()
    private let store = DictionaryStore()
    private let steps = Watched<[String]>([])
    private let stored: StoredResponse

    init() throws {
        stored = StoredResponse(
            status: 200, headers: [.eTag: "\"1\""], address: try WebAddress("http://test/a"), requestTime: 1,
            responseTime: 1)
        store.store(stored, body: [1], for: "key") { _ in true }
    }

    private func cache(accepting isAccepted: Bool = true) -> HTTPCache {
        HTTPCache(
            store: store, transport: transport, clock: TestClock(),
            refusal: { [steps] bytes, limits in
                steps.update { $0.append("checked \(bytes) within \(limits?.maxSide ?? 0)") }
                return isAccepted ? nil : ImageError(.notAnImage)
            })
    }

    private func validation(_ cache: HTTPCache, keepsAnyStatus: Bool = false) -> BackgroundValidation? {
        var lookup = HTTPCache.Lookup(key: "key", policy: .http)
        lookup.keepsAnyStatus = keepsAnyStatus
        lookup.decodeLimits = DecodeLimits(maxSide: 7)
        return BackgroundValidation(stored, TransferRequest(stored.address), lookup, cache)
    }

    private var bodies: [[UInt8]] { store.responses(for: "key").compactMap { store.body(of: $0, for: "key") } }

    /// Runs a validation, and returns its end.
    private func run(_ validation: BackgroundValidation) -> Task<Void, Never> {
        Task { [steps] in await validation.run { steps.update { $0.append("transferred") } } }
    }

    @Test(
        arguments: [
            (200, false, true, [[2]]), (200, false, false, [[1]]), (404, false, true, [[1]]), (404, true, true, [[2]]),
            (404, true, false, [[1]]),
        ] as [(Int, Bool, Bool, [[UInt8]])])
    func `a new response is checked after its transfer, and then replaces the stored one`(
        status: Int, keepsAnyStatus: Bool, isAccepted: Bool, bodies: [[UInt8]]
    ) async throws {
        let cache = cache(accepting: isAccepted)
        let run = run(try #require(validation(cache, keepsAnyStatus: keepsAnyStatus)))
        let transfer = try await transport.started(count: 1)
        #expect(transfer.request.headers[.ifNoneMatch] == "\"1\"")
        transfer.succeed([2], status: status, headers: [.cacheControl: "max-age=9"])
        await run.value
        await cache.finished()
        #expect(self.bodies == bodies)
        #expect(steps.value == ["transferred"] + (keepsAnyStatus || status == 200 ? ["checked [2] within 7"] : []))
    }

    /// The limits of the pipeline used to apply: such a response was downloaded again and again.
    @Test func `a new response is stored within the decode limits of its request`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) {
            $0.clock = clock
            $0.responseStore = store
            $0.decodeLimits.maxPixelCount = 1
        }
        let request = ImageRequest("http://test/b", options: ImageOptions(decodeLimits: DecodeLimits()))
        let headers: HTTPFields = [.cacheControl: "max-age=1, stale-while-revalidate=600", .eTag: "\"1\""]
        let first = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes, headers: headers)
        _ = try await first.image
        await pipeline.finishWriting()
        clock.advance(by: .seconds(2))
        #expect(try await pipeline.image(for: request).info.origin == .stale)
        try await transport.started(count: 2).succeed(TestImage(2).bytes, headers: headers)
        await pipeline.finishWriting()
        #expect(try await pipeline.image(for: request).content == 2)
    }

    @Test func `a failed transfer ends the validation and keeps the stored response`() async throws {
        let cache = cache()
        let run = run(try #require(validation(cache, keepsAnyStatus: true)))
        try await transport.started(count: 1).fail(ImageError(.connection))
        await run.value
        await cache.finished()
        #expect(bodies == [[1]] && steps.value == ["transferred"])
    }

    @Test func `a key is validated once at a time, and each validation ends once`() async throws {
        let cache = cache()
        let first = try #require(validation(cache))
        #expect(first.key == "key" && first.address == stored.address)
        #expect(validation(cache) == nil)
        let run = run(first)
        let transfer = try await transport.started(count: 1)
        // Too late: the validation has started.
        first.abandon()
        #expect(validation(cache) == nil)
        transfer.fail(ImageError(.connection))
        await run.value

        let second = try #require(validation(cache))
        for _ in 0..<2 { second.abandon() }
        let third = try #require(validation(cache))
        await second.run { steps.update { $0.append("abandoned") } }
        #expect(validation(cache) == nil, "the third one waits")
        #expect(steps.value == ["transferred", "abandoned"] && transport.transfers.count == 1)
        third.abandon()
        await cache.finished()
        #expect(bodies == [[1]])
    }
}
