// The snippets of the documentation of URLImage (SwiftUI) that show no view, translated. Above each
// translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import RemoteImage
import RemoteImageTestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct URLImageSnippetTests {
    private let url = "https://example.org/cat.jpg"

    @Test func `a program shows stored images offline`() async throws {
        // In a process of its own, whose shared pipeline no other test has used.
        await #expect(processExitsWith: .success) {
            // Original: Cache, 13 lines, two of them imports.
            ImagePipeline.configureShared { $0.options.cachePolicy = .cacheElseLoad }
            // Outcome: responses are stored on disk by default, and used without asking the server.
            #expect(ImagePipeline.shared.configuration.diskCache != nil)
            #expect(ImagePipeline.shared.configuration.options.cachePolicy == .cacheElseLoad)
        }
        // What these two values mean, without the user's cache and network.
        let folder = try TemporaryFolder()
        func run(_ transport: FakeTransport) async throws -> UInt8? {
            let pipeline = ImagePipeline.test(transport) {
                $0.responseStore = DiskCache(path: folder.path("store"))
                $0.options.cachePolicy = .cacheElseLoad
            }
            let content = try await pipeline.image(for: url).content
            await pipeline.finishWriting()
            return content
        }
        #expect(try await run(FakeTransport { _ in .ok(TestImage(7).bytes) }) == 7)
        let offline = FakeTransport { _ in .failure(ImageError(.connection)) }
        #expect(try await run(offline) == 7)
        #expect(offline.transfers.isEmpty)
    }

    @Test func `an image without a view, or nil`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(7).bytes) })
        // Original: Fetching an Image, first snippet, 7 lines.
        let image = try? await pipeline.image(for: url)
        // Outcome.
        #expect(image?.content == 7)
        let failing = ImagePipeline.test(FakeTransport { _ in .status(404) })
        #expect((try? await failing.image(for: url)) == nil)
    }

    @Test func `many images at once`() async {
        let urls = (1...3).map { "https://example.org/\($0).jpg" }
        let pipeline = ImagePipeline.test(
            FakeTransport { request in
                request.address.string.hasSuffix("2.jpg") ? .status(404) : .ok(TestImage(7).bytes)
            })
        // Original: Fetching an Image, second snippet, 9 lines.
        var images: [LoadedImage?] = []
        for await (_, result) in pipeline.images(for: urls.map { ImageRequest($0) }) {
            images.append(try? result.get())
        }
        // Outcome.
        #expect(images.count == 3)
        #expect(images.compactMap(\.?.content) == [7, 7])
    }
}
