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

    @Test func `an image is its own standard content`() throws {
        let image = NetworkImage<Text>(Self.address, content: { $0 }, placeholder: { "placeholder" })
        #expect(try contents(of: image) == ["placeholder", "placeholder", "placeholder", "standard image"])
        let closure = NetworkImage<Text>(Self.address) { image in
            image
        }
        #expect(try contents(of: closure).last == "standard image")
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

    @Test func `a placeholder stands for the phases without a closure`() throws {
        let image = NetworkImage<Text>(Self.address) { _ in
            "image"
        } placeholder: {
            "placeholder"
        }
        #expect(try contents(of: image) == ["placeholder", "placeholder", "placeholder", "image"])
    }

    @Test func `a placeholder beside a closure for the load`() throws {
        let image = NetworkImage<Text>(Self.address) { _ in
            "image"
        } placeholder: {
            "placeholder"
        } inProgress: { state in
            "\(state.percent) %"
        }
        #expect(try contents(of: image) == ["placeholder", "0 %", "placeholder", "image"])
    }

    @Test func `closures for the image and for the failure have one or two parameters`() throws {
        let images = [
            NetworkImage<Text>(Self.address) { _, info in
                "\(info.size.width) pixels"
            } placeholder: {
                "placeholder"
            } failure: { error in
                "\(error.code.rawValue)"
            },
            NetworkImage<Text>(Self.address) { _, info in
                "\(info.size.width) pixels"
            } placeholder: {
                "placeholder"
            } failure: { error, _ in
                "\(error.code.rawValue)"
            },
            NetworkImage<Text>(Self.address) { image in
                "\(image.info.size.width) pixels"
            } placeholder: {
                "placeholder"
            } failure: { error in
                "\(error.code.rawValue)"
            },
        ]
        for image in images {
            #expect(try contents(of: image) == ["placeholder", "placeholder", "timeout", "2 pixels"])
        }
    }

    @Test func `closures in the order of the phases have one or two parameters`() throws {
        let images = [
            NetworkImage<Text>(Self.address) {
            } inProgress: { _ in
                "loading"
            } failure: { error, _ in
                "\(error.code.rawValue)"
            } content: { image in
                "\(image.info.size.width) pixels"
            },
            NetworkImage<Text>(Self.address) {
            } inProgress: { _ in
                "loading"
            } failure: { error in
                "\(error.code.rawValue)"
            } content: { image in
                "\(image.info.size.width) pixels"
            },
            NetworkImage<Text>(Self.address) {
            } inProgress: { _ in
                "loading"
            } failure: { error in
                "\(error.code.rawValue)"
            } content: { _, info in
                "\(info.size.width) pixels"
            },
        ]
        for image in images {
            #expect(try contents(of: image) == ["nothing", "loading", "timeout", "2 pixels"])
        }
    }

    @Test func `a switch over the phases needs no label`() throws {
        let image = NetworkImage<Text>(Self.address) { phase in
            switch phase {
            case .empty: "empty"
            case .success(let image): "\(image.info.size.width) pixels"
            case .failure(let error): "\(error.code.rawValue)"
            default: "loading"
            }
        }
        #expect(try contents(of: image) == ["empty", "loading", "timeout", "2 pixels"])
        #expect(try contents(of: NetworkImage(Self.address, phase: { "\($0.kind)" })).last == "success")
    }

    @Test func `a state of an observed load follows it until it is changed`() {
        let state = LoadingState().observed()
        let snapshot = state.snapshot
        var changed = state
        changed.attempt = 7
        state.advance(to: LoadingState(progress: LoadProgress(completedByteCount: 1, totalByteCount: 3), attempt: 2))
        #expect(state.percent == 33)
        #expect(state.attempt == 2)
        #expect(snapshot.percent == 0)
        #expect((changed.percent, changed.attempt) == (0, 7))
    }
}
