import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// A grid in a window that is resized: its images come from caches.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct WindowResizeTests {
    /// The columns of the grid share the width of the window, so that the images are 160 to 320
    /// pixels wide. After each resize, all images that the views do not show already are requested.
    @Test(arguments: [true, false])
    func `20 resizes back and forth hit caches for at least 90 percent of the requests`(
        isInMemory: Bool
    ) async throws {
        let transport = FakeTransport { request in
            let pixels = Int(request.address.string.split(separator: "/").last ?? "") ?? 1
            return .ok(
                TestImage(1, width: pixels, height: pixels).bytes, headers: [.cacheControl: "max-age=1000"])
        }
        let store = DictionaryStore()
        func pipeline() -> ImagePipeline { .test(transport) { $0.responseStore = store } }
        let shared = pipeline()
        let sources = (0..<40).map { number in
            ImageSource.sized(identity: "photo \(number)", aspectRatio: 1) { "http://test/\(number)/\($0)" }
        }
        var requestCount = 0
        for resize in 0...20 {
            let size = resize % 2 == 0 ? 160 : 160 + 8 * resize
            // Without the memory cache, each resize is a restart of the program.
            let pipeline = isInMemory ? shared : pipeline()
            for await (_, result) in pipeline.images(
                for: sources.map { ImageRequest($0, target: .longestSide(size)) })
            {
                _ = try result.get()
                requestCount += 1
            }
            await pipeline.finishWriting()
            // The first layout has nothing to hit.
            if resize == 0 {
                #expect(transport.transfers.count == sources.count)
                requestCount = 0
            }
        }
        let downloadCount = transport.transfers.count - sources.count
        print("\(requestCount) requests after 20 resizes, \(downloadCount) downloads")
        #expect(requestCount == 20 * sources.count)
        #expect(downloadCount * 10 <= requestCount)
    }
}
