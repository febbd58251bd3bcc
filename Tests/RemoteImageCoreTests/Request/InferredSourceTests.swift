import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// Sources whose type the compiler infers. Most of these tests fail by not compiling.
@MainActor
@Suite struct InferredSourceTests {
    private struct Text: NetworkImageContent {
        static func empty() -> Text { Text() }
        static func loading(_ state: LoadingState) -> Text { Text() }
        static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Text { Text() }
        static func image(_ image: LoadedImage) -> Text { Text() }
        static func group(_ parts: [Text]) -> Text { Text() }
    }

    @Test func `an image without a source compiles in every form`() {
        #expect(NetworkImage<Text>(nil).source == nil)
        #expect(NetworkImage<Text>(nil) { _ in Text() }.source == nil)
        #expect(NetworkImage<Text>(nil, content: { _ in Text() }, placeholder: { Text() }).source == nil)
        #expect(NetworkImage<Text>(nil, content: { _ in Text() }, failure: { _, _ in Text() }).source == nil)
        #expect(NetworkImage<Text>(nil, phase: { _ in Text() }).source == nil)
        #expect(NetworkImageModel(nil, pipeline: .test(FakeTransport())).source == nil)
    }

    @Test func `files and fallbacks are inferred where a source is expected`() {
        let addresses = ["http://test/a", "http://test/b"]
        let expected: ImageSource = .fallbacks(["http://test/a" as ImageSource, "http://test/b"])
        #expect(NetworkImage<Text>(.fallbacks(addresses)).source == expected)
        #expect(NetworkImage<Text>(.file("/a.png")).source == .file("/a.png"))
        #expect(ImageRequest(.fallbacks(addresses)).source == expected)
        let safe: ImageSource = .fallbacks(["http://test/a", .file("/a.png")])
        #expect(safe.identity == "fallbacks(http://test/a|file:/a.png)")
    }

    @Test func `texts and optional texts are sources as before`() {
        let text: String? = "http://test/a"
        #expect(NetworkImage<Text>("http://test/a").source == "http://test/a")
        #expect(NetworkImage<Text>(text) { _ in Text() }.source == "http://test/a")
    }
}
