import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Local images follow changes of their files. An image in memory used to answer forever.
@Suite(.timeLimit(.minutes(5)))
struct ChangedFileTests {
    private let folder: TemporaryFolder
    private let decoder = FakeDecoder()
    private let pipeline: ImagePipeline

    init() throws {
        folder = try TemporaryFolder()
        pipeline = .test(FakeTransport(), decoder: decoder)
        try write(1, modified: 1000)
    }

    private var source: ImageSource { .file(folder.path("photo")) }

    /// Sets the modification date, as the file system's clock is too coarse to tell two writes
    /// apart.
    private func write(_ content: UInt8, modified: Int) throws {
        try folder.write(TestImage(content).bytes, to: "photo")
        let times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, folder.path("photo"), times, 0) == 0)
    }

    private func content(_ policy: CachePolicy = .http, _ processors: [ImageProcessor] = []) async throws -> UInt8? {
        var request = ImageRequest(source)
        request.options.cachePolicy = policy
        request.options.processors = processors
        return try await pipeline.image(for: request).content
    }

    @Test func `a changed file is loaded again`() async throws {
        #expect(try await content() == 1)
        try write(2, modified: 2000)
        #expect(try await content() == 2)
        #expect(try await content() == 2)
        #expect(decoder.decodeCount == 2)
    }

    @Test func `an unchanged file is not read again`() async throws {
        #expect(try await content() == 1)
        let image = try await pipeline.image(for: source)
        #expect(image.info.origin == .memory)
        #expect(decoder.decodeCount == 1)
    }

    @Test func `an expired image of an unchanged file is loaded again`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder) { $0.clock = clock }
        var request = ImageRequest(source)
        request.options.expiry = .seconds(10)
        _ = try await pipeline.image(for: request)
        #expect(pipeline.cachedImage(for: request) != nil)
        clock.advance(by: .seconds(10))
        #expect(pipeline.cachedImage(for: request) == nil)
        #expect(try await pipeline.image(for: request).info.origin == .local)
    }

    @Test func `a processed image of a changed file is made again`() async throws {
        #expect(try await content(.http, [.grayscale]) == 1)
        try write(2, modified: 2000)
        #expect(try await content(.http, [.grayscale]) == 2)
    }

    @Test func `a deleted file is an error`() async throws {
        #expect(try await content() == 1)
        #expect(unlink(folder.path("photo")) == 0)
        let error = await #expect(throws: ImageError.self) { try await content() }
        #expect(error?.code == .io)
    }

    @Test(arguments: [CachePolicy.cacheElseLoad, .cacheOnly])
    func `the stored policies answer from memory for a changed file`(policy: CachePolicy) async throws {
        #expect(try await content() == 1)
        try write(2, modified: 2000)
        #expect(try await content(policy) == 1)
    }

    @MainActor
    @Test func `a view shows the image in memory at once, then the changed file`() async throws {
        #expect(try await content() == 1)
        try write(2, modified: 2000)
        let model = NetworkImageModel(source, pipeline: pipeline)
        model.load()
        #expect(model.image?.content == 1)
        for await phase in model.phases where phase.image?.content == 2 { break }
        #expect(model.image?.content == 2)
    }

    @Test func `a synchronous lookup returns the image in memory for a changed file`() async throws {
        #expect(try await content() == 1)
        #expect(pipeline.cachedImage(for: ImageRequest(source))?.content == 1)
    }
}
