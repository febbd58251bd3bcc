import Testing

@testable import RemoteImageCore

/// What is shown after the transitions of a model's state.
@MainActor
@Suite
struct ModelStateTests {
    private let load = Load(priority: .normal, batch: nil)
    private let complete = Self.image(1)
    private let partial = Self.image(2)
    private let error = ImageError(.connection)

    private static func image(_ content: UInt8) -> LoadedImage {
        let pixels = PixelBuffer(size: PixelSize(width: 2, height: 2), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = content }
        }
        let info = ImageInfo(size: pixels.size, decodedSize: pixels.size, format: .png, origin: .network)
        return LoadedImage(pixels: pixels, info: info)
    }

    private func loading(_ preview: LoadedImage?, replacing image: LoadedImage? = nil) -> ModelState {
        .loading(LoadingState(preview: preview), replacing: image, load)
    }

    /// The preview was shown as the loaded image, or the complete image did not count as loaded.
    @Test func `a reload that has shown a preview leaves the complete image if it fails or is cancelled`() {
        let state = loading(partial, replacing: complete)
        for ended in [state.failed(with: error), state.cancelled] {
            #expect(ended.phase.image?.content == 1)
            #expect(ended.completeImage != nil)
            #expect(ended.load == nil)
        }
    }

    @Test func `a first load that has shown a preview leaves the error or the preview, which is not complete`() {
        let state = loading(partial)
        #expect(state.failed(with: error).phase.error == error)
        #expect(state.cancelled.phase.image?.content == 2)
        #expect(state.cancelled.completeImage == nil)
    }

    @Test func `a preview hash does not stay after a cancellation`() {
        let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image
        #expect(hash != nil)
        for state in [.prepared(preview: hash), loading(hash)] {
            #expect(state.phase.kind == .loading)
            #expect(state.cancelled.phase.kind == .empty)
        }
    }

    @Test func `another preview hash replaces a hash and nothing better`() throws {
        let square = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image)
        let wide = try #require(PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2).image)
        for shown in [square, nil] {
            for state in [ModelState.prepared(preview: shown), loading(shown)] {
                #expect(state.previewing(wide).phase.preview?.info.size == wide.info.size)
                #expect(state.previewing(nil).phase.preview == nil)
                #expect(state.previewing(wide).load === state.load)
            }
        }
        for state in [.prepared(preview: partial), loading(partial), loading(partial, replacing: complete)] {
            #expect(state.previewing(wide).phase.preview?.content == 2)
        }
        for state in [ModelState.idle, .shown(complete, isComplete: true, refresh: nil), .failed(error)] {
            #expect(state.previewing(wide).phase.kind == state.phase.kind)
        }
    }

    @Test func `a refresh ends with the image that was shown, and with its completeness`() {
        for isComplete in [true, false] {
            let state = ModelState.shown(complete, isComplete: isComplete, refresh: nil).refreshing(with: load)
            #expect(state.load === load)
            for ended in [state.failed(with: error), state.cancelled] {
                #expect(ended.load == nil)
                #expect(ended.phase.image?.content == 1)
                #expect((ended.completeImage != nil) == isComplete)
            }
        }
    }

    @Test func `an image of an earlier source is not restored as complete`() {
        let state = loading(complete, replacing: complete).outdated
        #expect(state.failed(with: error).phase.error == error)
        #expect(state.cancelled.phase.image?.content == 1)
        #expect(state.cancelled.completeImage == nil)
        #expect(ModelState.shown(complete, isComplete: true, refresh: nil).outdated.completeImage == nil)
    }
}

extension NetworkImagePhase {
    fileprivate var preview: LoadedImage? { if case .loading(let state) = self { state.preview } else { nil } }
}
