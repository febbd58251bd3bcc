import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a"

/// A missing image is not requested again during the lifetime of its error response. Each load used
/// to request it again.
@Suite(.timeLimit(.minutes(5)))
struct RememberedErrorTests {
    let transport = FakeTransport()
    let clock = TestClock()
    let store: DiskCache
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
    }

    private func pipeline(_ retryPolicy: RetryPolicy = .never) -> ImagePipeline {
        .test(transport) { configuration in
            configuration.responseStore = store
            configuration.clock = clock
            configuration.retryPolicy = retryPolicy
        }
    }

    private func request(_ policy: CachePolicy = .http) -> ImageRequest {
        var request = ImageRequest(address)
        request.options.cachePolicy = policy
        return request
    }

    /// Loads this error response, which is stored when the method returns.
    private func fail(
        with status: Int = 404, _ headers: HTTPFields = [.cacheControl: "max-age=60"],
        body: [UInt8] = Array("gone".utf8)
    ) async throws {
        let pipeline = pipeline()
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed(body, status: status, headers: headers)
        await #expect(throws: ImageError.httpStatus(status)) { try await pending.image }
        await pipeline.finishWriting()
    }

    /// Whether a load now sends a request.
    private func asks(_ policy: CachePolicy = .http) async throws -> Bool {
        let count = transport.transfers.count
        let pending = PendingImage(request(policy), in: pipeline())
        let answering = Task { try await transport.started(count: count + 1).succeed(TestImage(1).bytes) }
        defer { answering.cancel() }
        _ = try? await pending.image
        return transport.transfers.count > count
    }

    @Test(arguments: [404, 410], [CachePolicy.http, .cacheElseLoad])
    func `an error status with a lifetime answers until its end`(status: Int, policy: CachePolicy) async throws {
        try await fail(with: status)
        clock.advance(by: .seconds(59))
        let pending = PendingImage(request(policy), in: pipeline())
        await #expect(throws: ImageError.httpStatus(status)) { try await pending.image }
        #expect(transport.transfers.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await asks(policy))
    }

    @Test func `an error's lifetime may be given by Expires`() async throws {
        try await fail(with: 404, [.expires: "Thu, 01 Jan 2026 00:01:00 GMT", .date: "Thu, 01 Jan 2026 00:00:00 GMT"])
        #expect(try await !asks())
    }

    @Test(
        arguments: [
            [:], [.cacheControl: "max-age=0"], [.cacheControl: "max-age=60, no-cache"],
            [.cacheControl: "max-age=60, no-store"], [.cacheControl: "public"],
            [.lastModified: "Wed, 31 Dec 2025 00:00:00 GMT", .date: "Thu, 01 Jan 2026 00:00:00 GMT"],
        ] as [HTTPFields])
    func `an error status without a lifetime is requested again`(headers: HTTPFields) async throws {
        try await fail(with: 404, headers)
        #expect(store.all().isEmpty)
        #expect(try await asks())
    }

    @Test(arguments: [401, 403, 429, 500, 503])
    func `a status that is transient or depends on the account is not remembered`(status: Int) async throws {
        try await fail(with: status)
        #expect(try await asks())
    }

    @Test(arguments: [CachePolicy.reload, .revalidate, .noStore])
    func `a policy that asks the server ignores a remembered error`(policy: CachePolicy) async throws {
        try await fail()
        #expect(try await asks(policy))
    }

    @Test func `an expired error does not answer for an unreachable server`() async throws {
        try await fail()
        clock.advance(by: .seconds(61))
        let pending = PendingImage(request(), in: pipeline())
        try await transport.started(count: 2).fail(ImageError(.connection))
        await #expect(throws: ImageError(.connection)) { try await pending.image }
    }

    @Test func `a retry by the pipeline sends a request`() async throws {
        let patient = RetryPolicy(identity: "patient") { failure in
            failure.attempt == 1 ? .retry(after: .seconds(1)) : .giveUp
        }
        let pipeline = pipeline(patient)
        let pending = PendingImage(request(), in: pipeline)
        try await transport.started(count: 1).succeed([], status: 404, headers: [.cacheControl: "max-age=60"])
        await pipeline.finishWriting()
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await pending.image.content == 2)
    }

    @MainActor
    @Test func `a user's retry sends a request, another load does not`() async throws {
        try await fail()
        let model = NetworkImageModel(address, pipeline: pipeline())
        model.load()
        #expect(await model.reached(.failure)?.error == .httpStatus(404))
        #expect(transport.transfers.count == 1)
        model.retry()
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success)?.image?.content == 3)
    }

    @MainActor
    @Test func `a user's retry sends a request where stored images are shown first`() async throws {
        try await fail()
        var options = ImageOptions()
        options.cachePolicy = .staleWhileRevalidate
        let model = NetworkImageModel(address, pipeline: pipeline(), options: options)
        model.load()
        #expect(await model.reached(.failure)?.error == .httpStatus(404))
        model.retry()
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success)?.image?.content == 3)
    }

    @Test func `the body of an error response is stored`() async throws {
        try await fail()
        let client = HTTPCache(store: store, transport: transport, clock: clock)
        let response = try await client.response(for: TransferRequest(try WebAddress(address)), policy: .cacheOnly)
        #expect(response.status == 404)
        #expect(response.bytes == Array("gone".utf8))
    }

    @Test(arguments: [(65_536, true), (65_537, false)])
    func `an error response with a body over 64 KiB is not stored`(byteCount: Int, isStored: Bool) async throws {
        try await fail(body: [UInt8](repeating: 1, count: byteCount))
        #expect(store.all().isEmpty != isStored)
    }
}
