import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The requests of `setImage`: their results, their transitions and their ends.
final class WidgetImageRequestTests: XCTestCase {
    /// The results of a completion: the content of an image, or the code of an error.
    @MainActor
    private final class Log {
        var results: [String] = []

        func add(_ result: Result<LoadedImage, ImageError>) {
            switch result {
            case .success(let image): results.append("image \(image.content ?? 0)")
            case .failure(let error): results.append(error.code.rawValue)
            }
        }
    }

    @MainActor
    private static func picture(_ test: GtkFixture) -> Widget {
        let picture = test.watch(Widget(gtk_picture_new()), "image")
        gtk_widget_set_size_request(picture.pointer, 80, 60)
        return picture
    }

    func testAnotherRequestForTheSameAddressKeepsTheTransfer() throws {
        try GtkFixture.run { test in
            let (picture, first, second) = (Self.picture(test), Log(), Log())
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: first.add)
            test.show(picture.pointer, width: 80, height: 60)
            let transfer = try test.transfer()
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: second.add)
            test.settle()
            XCTAssertEqual(first.results, ["cancelled"])
            XCTAssertFalse(transfer.isCancelled)
            transfer.succeed(TestImage(5).bytes)
            test.turn { second.results == ["image 5"] }
            XCTAssertEqual(test.transport.transfers.count, 1)
            XCTAssertEqual(first.results, ["cancelled"])
        }
    }

    /// A cached image may be too small for the widget, which has no size yet.
    func testACachedImageIsShownAtOnceAndReportedOnceTheWidgetHasASize() throws {
        try GtkFixture.run { test in
            let pending = PendingImage(ImageRequest("http://test/a.png"), in: test.pipeline)
            try test.transfer().succeed(TestImage(5, width: 60, height: 40).bytes)
            test.turn { pending.answerCount == 1 }
            let (picture, log) = (Self.picture(test), Log())
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: log.add)
            XCTAssertNotNil(gtk_picture_get_paintable(picture.opaque))
            XCTAssertEqual(log.results, [])
            test.show(picture.pointer, width: 80, height: 60)
            test.turn { !log.results.isEmpty }
            test.settle()
            XCTAssertEqual(log.results, ["image 5"])
            picture.opaque.setImage("http://test/a.png", pipeline: test.pipeline, completion: log.add)
            XCTAssertEqual(log.results, ["image 5", "image 5"], "before the call returns")
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testTheTransitionOfTheCallTakesPrecedenceOverThatOfTheOptions() throws {
        let fade = ImageTransition.crossFade(.seconds(600))
        let cases: [(own: ImageTransition?, options: ImageTransition, fades: Bool)] = [
            (nil, fade, true), (fade, .none, true), (.some(.none), fade, false), (nil, .none, false),
        ]
        for (own, transition, fades) in cases {
            try GtkFixture.run { test in
                let (picture, log) = (Self.picture(test), Log())
                var options = ImageOptions()
                options.transition = transition
                picture.opaque.setImage(
                    "http://test/a.png", placeholder: .image(TestImage(90, width: 80, height: 60).decoded),
                    transition: own, options: options, pipeline: test.pipeline, completion: log.add)
                test.show(picture.pointer, width: 80, height: 60)
                try test.transfer().succeed(TestImage(200, width: 80, height: 60).bytes)
                test.turn { log.results == ["image 200"] }
                test.draw(picture.pointer)
                let color = try Drawing(picture.pointer).middle
                XCTAssertEqual(color[0] < 100, fades, "\(color)")
                XCTAssertEqual(color == [200, 200, 200, 255], !fades, "\(color)")
            }
        }
    }

    func testARequestFollowsItsPhasesUntilAnotherOneReplacesIt() throws {
        try GtkFixture.run { test in
            let picture = Self.picture(test)
            let target = try XCTUnwrap(PaintableTarget(picture.pointer))
            var options = ImageOptions()
            (options.releaseDelay, options.disappearDelay) = (.zero, .zero)
            let request = WidgetImageRequest(
                WidgetLoadController.Declaration(
                    source: "http://test/a.png", options: options, pipeline: test.pipeline),
                on: target, placeholder: .clear, transition: nil, playsAnimation: true, completion: nil)
            var kinds: [NetworkImagePhase.Kind] = []
            request.phaseFollower = { [unowned request] in
                if kinds.last != request.phase.kind { kinds.append(request.phase.kind) }
            }
            XCTAssertEqual(request.phase.kind, .empty)
            XCTAssertNil(request.model)
            request.start()
            XCTAssertEqual(request.model?.source, "http://test/a.png")
            test.show(picture.pointer, width: 80, height: 60)
            try test.transfer().succeed(TestImage(5, width: 80, height: 60).bytes)
            test.turn { kinds == [.loading, .success] }
            gtk_widget_set_visible(picture.pointer, 0)
            test.turn { request.model?.isReleased == true }
            XCTAssertEqual(request.phase.kind, .success, "while the image is released")
            picture.opaque.setImage(nil as String?, pipeline: test.pipeline)
            XCTAssertNil(request.model)
            XCTAssertEqual(kinds, [.loading, .success, .empty])
        }
    }

    func testAPausedRequestShowsOneFrame() throws {
        try GtkFixture.run { test in
            let gif = GIFFile.animation(
                [1, 2, 3].map { GIFFile(width: 4, height: 4, pixels: [UInt8](repeating: $0, count: 16)) },
                delay: .milliseconds(20))
            let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(gif) }, decoder: GIFDecoder())
            let (picture, log) = (Self.picture(test), Log())
            let request = WidgetImageRequest(
                WidgetLoadController.Declaration(source: "http://test/a.gif", pipeline: pipeline),
                on: try XCTUnwrap(PaintableTarget(picture.pointer)), placeholder: .clear, transition: nil,
                playsAnimation: true, completion: log.add)
            request.isPlaying = false
            request.start()
            test.show(picture.pointer, width: 80, height: 60)
            test.turn { log.results.count == 1 }
            var changeCount = 0
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(picture.opaque))
            Signal.connect("invalidate-contents", of: UnsafeMutableRawPointer(paintable)) { changeCount += 1 }
            for _ in 0..<3 { test.draw(picture.pointer) }
            XCTAssertEqual(changeCount, 0)
            XCTAssertEqual(AnimationPlayback.pausingCount, 1)
            request.isPlaying = true
            test.turn { changeCount > 2 }
            XCTAssertEqual(AnimationPlayback.pausingCount, 0)
            request.isPlaying = false
            XCTAssertEqual(AnimationPlayback.pausingCount, 1)
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}
