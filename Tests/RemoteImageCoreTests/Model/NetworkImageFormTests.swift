import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// The closures that an image is declared with, and the standard content of the other phases.
@MainActor
@Suite struct NetworkImageFormTests {
    private static let address = "http://test/a"

    private nonisolated struct Text: NetworkImageContent, ExpressibleByStringInterpolation, Equatable {
        let text: String
        init(stringLiteral text: String) { self.text = text }
        static func empty() -> Text { "nothing" }
        static func loading(_ state: LoadingState) -> Text { "standard loading" }
        static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Text { "standard failure" }
        static func image(_ image: LoadedImage) -> Text { "standard image" }
        static func group(_ parts: [Text]) -> Text { "\(parts.count) parts" }
    }

    /// The content in the phases empty, loading, failure and success.
    private func contents(of image: NetworkImage<Text>) throws -> [Text] {
        let loading = LoadingState(progress: LoadProgress(completedByteCount: 3))
        let phases: [NetworkImagePhase] = [
            .empty, .loading(loading), .failure(ImageError(.timeout)), .success(TestImage(width: 2).decoded),
        ]
        return phases.map { image.content(for: $0) {} }
    }

    @Test func `phases without a closure have the standard content`() throws {
        let image = NetworkImage<Text>(Self.address) { "\($0.info.size.width) pixels" }
        #expect(try contents(of: image) == ["nothing", "standard loading", "standard failure", "2 pixels"])
    }

    @Test func `a closure for the load reads the progress`() throws {
        let image = NetworkImage<Text>(Self.address) { _ in
            "image"
        } inProgress: { state in
            "\(state.progress.completedByteCount) bytes"
        }
        #expect(try contents(of: image) == ["nothing", "3 bytes", "standard failure", "image"])
    }

    @Test func `a closure for a failure needs no placeholder`() throws {
        let image = NetworkImage<Text>(Self.address) { _ in
            "image"
        } failure: { error, _ in
            "failed: \(error.code.rawValue)"
        }
        #expect(try contents(of: image) == ["nothing", "standard loading", "failed: timeout", "image"])
    }

    @Test func `closures for the load and for a failure`() throws {
        let image = NetworkImage<Text>(.fallbacks([Self.address])) { _ in
            "image"
        } inProgress: { state in
            "attempt \(state.attempt)"
        } failure: { error, _ in
            "failed: \(error.code.rawValue)"
        }
        #expect(try contents(of: image) == ["nothing", "attempt 1", "failed: timeout", "image"])
    }
}
