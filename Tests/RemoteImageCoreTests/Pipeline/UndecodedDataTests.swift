import Dispatch
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Data that was received completely, but whose view disappeared before it was decoded.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct UndecodedDataTests {
    private let transport = FakeTransport()
    private let store = DictionaryStore()
    private let address = "http://test/a"

    /// A view that scrolled away just after the last byte used to lose the download.
    @Test(arguments: [false, true])
    func `an image whose view disappears before its decode is stored, and other data is not`(isImage: Bool) async throws
    {
        let resources = DecodeResources.own(threadCount: 1, byteCount: 1 << 20)
        let pipeline = ImagePipeline.test(transport) {
            $0.responseStore = store
            $0.decodeResources = resources
        }
        // Occupies the only decode thread.
        let (begun, gate) = (Watched(false), DispatchSemaphore(value: 0))
        let processor = ImageProcessor(identity: "blocks") { pixels in
            begun.update { $0 = true }
            gate.wait()
            return pixels
        }
        let running = PendingImage(
            ImageRequest(
                .bytes(TestImage(1).bytes, identity: "running"), options: ImageOptions(processors: [processor])),
            in: pipeline)
        try await begun.wait { $0 }
        let task = pipeline.start(ImageRequest(address))
        try await transport.started(count: 1).succeed(isImage ? TestImage(2).bytes : Array("<html>".utf8))
        task.cancel()
        gate.signal()
        _ = try await running.image
        if isImage { try await waitUntil("a stored response") { !store.responses(for: address).isEmpty } }
        await pipeline.finishWriting()
        #expect(store.responses(for: address).count == (isImage ? 1 : 0))
    }

    @Test func `an image whose view disappears while its decode waits for memory is stored`() async throws {
        let (decoder, resources) = (HeldDecoder(), DecodeResources.own())
        let pipeline = ImagePipeline.test(transport, decoder: decoder) {
            $0.responseStore = store
            $0.decodeResources = resources
        }
        let running = PendingImage(
            ImageRequest(.bytes(HeldDecoder.bytes(.hungry, 1), identity: "running")), in: pipeline)
        try await decoder.begun.wait { $0 == [1] }
        let task = pipeline.start(ImageRequest(address))
        try await transport.started(count: 1).succeed(HeldDecoder.bytes(.hungry, 2))
        try await waitUntil("a waiting decode") { resources.budget.waiterCount == 1 }
        task.cancel()
        try await waitUntil("a stored response") { !store.responses(for: address).isEmpty }
        decoder.release(1)
        _ = try await running.image
        #expect(decoder.begun.value == [1])
    }
}
