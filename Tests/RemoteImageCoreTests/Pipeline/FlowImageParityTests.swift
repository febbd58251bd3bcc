import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Features that users of FlowImage know, expressed with providers, the pipeline and its memory
/// cache.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct FlowImageParityTests {
    private let pipeline = ImagePipeline.test(FakeTransport())

    /// A provider that counts its preparations and images, and whose preparation may fail.
    private struct Sketch: ImageProvider {
        let identity: String
        var content: UInt8 = 1
        let prepared = Watched(0)
        let given = Watched(0)
        let failures: Watched<Int>

        init(_ identity: String, content: UInt8 = 1, failures: Int = 0) {
            self.identity = identity
            self.content = content
            self.failures = Watched(failures)
        }

        func prepare() async throws -> any ImageProvider {
            prepared.update { $0 += 1 }
            let fails = failures.update { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if fails { throw ImageError(.source, "not yet") }
            return self
        }

        func image() async throws -> ProvidedImage {
            given.update { $0 += 1 }
            return .bytes(TestImage(content).bytes)
        }
    }

    @Test func `providers with the same identity share an image`() async throws {
        let (first, second) = (Sketch("sketch", content: 1), Sketch("sketch", content: 2))
        #expect(try await pipeline.image(for: ImageSource.provider(first)).content == 1)
        #expect(try await pipeline.image(for: ImageSource.provider(second)).content == 1)
        #expect(second.given.value == 0)
    }

    @Test func `a reload replaces the image for later requests and notifies observers`() async throws {
        let source = ImageSource.provider(Sketch("sketch", content: 1))
        _ = try await pipeline.image(for: source)
        let told = Watched<UInt8?>(nil)
        let observation = pipeline.configuration.memoryCache?.observe(pipeline.cacheKey(for: ImageRequest(source))) {
            if case .replaced(let image) = $0 { told.update { $0 = image.content } }
        }
        var options = ImageOptions()
        options.cachePolicy = .reload
        let other = ImageSource.provider(Sketch("sketch", content: 2)).identified(by: "sketch")
        _ = try await pipeline.image(for: ImageRequest(other, options: options))
        try await told.wait { $0 == 2 }
        #expect(pipeline.cachedImage(for: ImageRequest(source))?.content == 2)
        withExtendedLifetime(observation) {}
    }

    @Test func `a failed preparation is repeated for the next request`() async throws {
        let sketch = Sketch("sketch", failures: 1)
        await #expect(throws: ImageError(.source, "not yet")) {
            try await pipeline.image(for: ImageSource.provider(sketch))
        }
        #expect(try await pipeline.image(for: ImageSource.provider(sketch)).content == 1)
        #expect(sketch.prepared.value == 2)
    }

    @Test func `the latest closure of an identity is called`() async throws {
        let cache = try #require(pipeline.configuration.memoryCache)
        func source(_ content: UInt8) -> ImageSource {
            .bytes(identity: "signed") { TestImage(content).bytes }
        }
        #expect(try await pipeline.image(for: source(1)).content == 1)
        cache.removeAll()
        #expect(try await pipeline.image(for: source(2)).content == 2)
    }

    @Test func `a removed image is made again without a new preparation`() async throws {
        let sketch = Sketch("sketch")
        let source = ImageSource.provider(sketch)
        _ = try await pipeline.image(for: source)
        pipeline.configuration.memoryCache?.remove(pipeline.cacheKey(for: ImageRequest(source)))
        _ = try await pipeline.image(for: source)
        #expect(sketch.given.value == 2)
        #expect(sketch.prepared.value == 1)
    }

    @Test func `clearing the memory cache notifies all observers`() async throws {
        let cache = try #require(pipeline.configuration.memoryCache)
        let removed = Watched<Set<String>>([])
        var observations: [any Sendable] = []
        for name in ["a", "b"] {
            let source = ImageSource.provider(Sketch(name))
            _ = try await pipeline.image(for: source)
            observations.append(
                cache.observe(pipeline.cacheKey(for: ImageRequest(source))) { change in
                    if case .removed = change { removed.update { $0.insert(name) } }
                })
        }
        cache.removeAll()
        #expect(removed.value == ["a", "b"])
        withExtendedLifetime(observations) {}
    }

    @Test func `shrinking the memory cache evicts images and notifies their observers`() async throws {
        let cache = try #require(pipeline.configuration.memoryCache as? MemoryCache)
        let source = ImageSource.provider(Sketch("sketch"))
        let key = pipeline.cacheKey(for: ImageRequest(source))
        _ = try await pipeline.image(for: source)
        let (first, second) = (Watched(0), Watched(0))
        let observations = [first, second].map { told in
            cache.observe(key) { change in
                if case .removed = change { told.update { $0 += 1 } }
            }
        }
        cache.shrink(to: 0)
        #expect(cache.count == 0)
        #expect(first.value == 1 && second.value == 1)
        withExtendedLifetime(observations) {}
    }

    @MainActor
    @Test func `a missing source is an empty phase, and the old image can stay while the next image loads`()
        async throws
    {
        var options = ImageOptions()
        options.keepsImageWhileLoading = true
        let model = NetworkImageModel(nil as ImageSource?, pipeline: pipeline, options: options)
        model.load()
        #expect(model.phase.kind == .empty)
        model.source = .provider(Sketch("first", content: 1))
        #expect(await model.reached(.success)?.image?.content == 1)
        model.source = .provider(Sketch("second", content: 2))
        guard case .loading(let state) = model.phase else { return #expect(model.phase.kind == .loading) }
        #expect(state.preview?.content == 1)
        #expect(await model.reached(.success)?.image?.content == 2)
    }
}
