import Dispatch
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Files on a file system that does not respond.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct UnresponsiveFileTests {
    /// Blocks the threads that have read or looked at a file, as such a file system does.
    private final class Blockade: Sendable {
        let blockedCount = Watched(0)
        private let gate = DispatchSemaphore(value: 0)

        func receive(_ event: PipelineEvent) {
            switch event.step {
            case .fetched, .foundInMemory: break
            default: return
            }
            blockedCount.update { $0 += 1 }
            gate.wait()
        }

        func release() { gate.signal() }
    }

    /// The store shared its two threads with the files of the program.
    @Test(.serialized, arguments: [false, true])
    func `two files that do not respond do not delay stored images`(areInMemory: Bool) async throws {
        let transport = FakeTransport { _ in .ok(TestImage(9).bytes, headers: [.cacheControl: "max-age=60"]) }
        let store = DictionaryStore()
        let web = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = store }
        _ = try await web.image(for: "http://test/a")
        await web.finishWriting()

        let files = try [TemporaryFile(TestImage(1).bytes), TemporaryFile(TestImage(2).bytes)]
        let (cache, blockade) = (MemoryCache(), Blockade())
        if areInMemory {
            let pipeline = ImagePipeline.test(transport, memoryCache: cache)
            for file in files { _ = try await pipeline.image(for: ImageRequest(.file(file.path))) }
        }
        let local = ImagePipeline.test(transport, memoryCache: cache) { $0.observers = [blockade.receive] }
        let blocked = files.map { PendingImage(ImageRequest(.file($0.path)), in: local) }
        defer { for _ in blocked { blockade.release() } }
        try await blockade.blockedCount.wait { $0 == 2 }
        let image = try await PendingImage(ImageRequest("http://test/a"), in: web).image
        #expect(image.info.origin == .disk)
    }
}
