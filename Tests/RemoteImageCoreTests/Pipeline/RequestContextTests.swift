import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What hooks and validations learn about the load.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct RequestContextTests {
    private let retryOnce = RetryPolicy(identity: "once") { failure in
        failure.attempt == 1 ? .retry(after: .zero) : .giveUp
    }

    private let transport = FakeTransport()
    private let seen = Watched<[RequestContext]>([])

    @Test func `a hook sees the source, the pixels wanted and the attempt`() async throws {
        let hook = RequestHook("size", account: "") { [seen] request, context in
            seen.update { $0.append(context) }
            let width = context.target.map { "\($0.box.width)" } ?? "full"
            request.address = try WebAddress("\(request.address.string)?width=\(width)&try=\(context.attempt)")
        }
        let pipeline = ImagePipeline.test(transport)
        let options = ImageOptions(requestHook: hook, retryPolicy: retryOnce)
        let image = PendingImage(
            ImageRequest("http://test/a", target: .longestSide(40), options: options), in: pipeline)
        try await transport.started(count: 1).succeed([], status: 500)
        try await transport.started(count: 2).succeed(TestImage(1).bytes)
        #expect(try await image.image.content == 1)
        #expect(transport.addresses == ["http://test/a?width=40&try=1", "http://test/a?width=40&try=2"])
        #expect(seen.value.map(\.source) == ["http://test/a", "http://test/a"])
    }

    /// It used to see a request for all pixels.
    @Test func `a hook sees the pixels wanted of a source that another one resolved to`() async throws {
        let hook = RequestHook("size", account: "") { [seen] _, context in seen.update { $0.append(context) } }
        let source = ImageSource.resolving(identity: "storage") {
            ImageSource.resolving(identity: "bucket") { "http://test/a" }
        }
        let request = ImageRequest(source, target: .longestSide(40), options: ImageOptions(requestHook: hook))
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(1).bytes) })
        _ = try await pipeline.image(for: request)
        #expect(seen.value.map(\.target) == [.longestSide(40)])
    }

    @Test func `a request for data has no target`() async throws {
        let hook = RequestHook("size", account: "") { [seen] _, context in seen.update { $0.append(context) } }
        let request = ImageRequest(
            "http://test/a", target: .longestSide(40), options: ImageOptions(requestHook: hook))
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(1).bytes) })
        _ = try await pipeline.data(for: request)
        #expect(seen.value.map(\.target) == [nil])
    }

    @Test func `a validation sees the load, and can refuse its first attempt`() async throws {
        var options = ImageOptions(retryPolicy: retryOnce)
        options.responseValidation = ResponseValidation("second") { [seen] (data, context) throws(ImageError) in
            seen.update { $0.append(context) }
            guard context.attempt > 1 else { throw ImageError(.source, "\(data.bytes.count) bytes") }
        }
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(1).bytes) })
        _ = try await pipeline.image(
            for: ImageRequest("http://test/a", target: .longestSide(4), options: options))
        #expect(seen.value.map(\.attempt) == [1, 2])
        #expect(seen.value.map(\.target) == [.longestSide(4), .longestSide(4)])
    }

    @Test func `an asynchronous validation accepts and refuses responses`() async throws {
        var options = ImageOptions(retryPolicy: retryOnce)
        options.responseValidation = .asynchronous("second") { [seen] _, context in
            await Task.yield()
            seen.update { $0.append(context) }
            guard context.attempt > 1 else { throw ImageError(.source) }
        }
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(1).bytes) })
        let image = try await pipeline.image(for: ImageRequest("http://test/a", options: options))
        #expect(image.content == 1)
        #expect(seen.value.map(\.attempt) == [1, 2])
    }

    @Test func `a response that an asynchronous validation refuses is not stored`() async throws {
        let store = DictionaryStore()
        var options = ImageOptions()
        options.responseValidation = .asynchronous("none") { _, _ in throw ImageError(.notAnImage) }
        let answer = FakeAnswer.ok(TestImage(1).bytes, headers: [.cacheControl: "max-age=60"])
        let pipeline = ImagePipeline.test(FakeTransport { _ in answer }) { $0.responseStore = store }
        await #expect(throws: ImageError(.notAnImage)) {
            _ = try await pipeline.image(for: ImageRequest("http://test/a", options: options))
        }
        await pipeline.finishWriting()
        #expect(store.responses(for: "http://test/a").isEmpty)
        _ = try await pipeline.image(for: "http://test/a")
        await pipeline.finishWriting()
        #expect(!store.responses(for: "http://test/a").isEmpty)
    }

    @Test func `an asynchronous validation has the time limit of the transfer`() async throws {
        let clock = TestClock()
        let never = Watched(false)
        var options = ImageOptions()
        options.responseValidation = .asynchronous("slow") { [seen] _, context in
            seen.update { $0.append(context) }
            await Task { try? await never.wait { $0 } }.value
        }
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(1).bytes) }) { $0.clock = clock }
        let image = PendingImage(ImageRequest("http://test/a", options: options), in: pipeline)
        try await seen.wait { $0.count == 1 }
        clock.advance(by: TransferLimits().timeout)
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.code == .timeout)
        #expect(error?.detail == "the response validation took longer than 60.0 seconds")
        never.update { $0 = true }
    }
}
