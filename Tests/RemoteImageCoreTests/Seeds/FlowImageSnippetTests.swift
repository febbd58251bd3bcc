// The snippets of the documentation of FlowImage (SwiftUI) that show no view, translated. Above
// each translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct FlowImageSnippetTests {
    private let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(7).bytes) })

    @Test func `an image of an address`() async {
        // Original: Level 1, 2 lines.
        let image = try? await pipeline.image(for: "https://example.org/cat.jpg")
        // Outcome.
        #expect(image?.content == 7)
    }

    @Test func `a provider of the program`() async throws {
        // Original: Implementing an instance of FlowImage, 6 lines.
        struct Sketch: ImageProvider {
            let identity: String
            func prepare() async throws -> any ImageProvider { Sketch(identity: "prepared " + identity) }
            func image() async throws -> ProvidedImage { .pixels(TestImage(UInt8(identity.utf8.count)).decoded.pixels) }
        }
        // Outcome.
        let image = try await pipeline.image(for: ImageSource.provider(Sketch(identity: "cat")))
        #expect(image.content == UInt8("prepared cat".utf8.count))
    }
}
