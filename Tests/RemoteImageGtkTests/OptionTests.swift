import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The effects of a request's options in a view.
final class OptionTests: XCTestCase {
    func testTheOldImageStaysWhileTheNextLoadsIfTheOptionsSaySo() throws {
        for keepsImage in [true, false] {
            try GtkFixture.run { test in
                var options = ImageOptions()
                options.keepsImageWhileLoading = keepsImage
                options.transition = ImageTransition.none
                let view = test.view(
                    NetworkImage("http://test/a.png", options: options) { Picture($0, contentFit: .fill) })
                test.show(view.pointer, width: 60, height: 40)
                try test.transfer().succeed(TestImage(100, width: 60, height: 40).bytes)
                test.turn { drawnContents(of: view.pointer) == [100] }
                view.source = "http://test/b.png"
                let next = try test.transfer(2)
                test.draw(view.pointer)
                XCTAssertEqual(view.model.phase.kind, .loading)
                XCTAssertEqual(drawnContents(of: view.pointer), keepsImage ? [100] : [])
                next.succeed(TestImage(200, width: 60, height: 40).bytes)
                test.turn { drawnContents(of: view.pointer) == [200] }
            }
        }
    }

    func testAnImageFromMemoryFadesInIfTheTransitionAppliesToMemoryHits() throws {
        for appliesToMemoryHits in [true, false] {
            try GtkFixture.run { test in
                let pending = PendingImage(ImageRequest("http://test/a.png"), in: test.pipeline)
                try test.transfer().succeed(TestImage(100, width: 60, height: 40).bytes)
                test.turn { pending.answerCount == 1 }
                var options = ImageOptions()
                options.transition = .crossFade(.seconds(60), appliesToMemoryHits: appliesToMemoryHits)
                let view = test.view(
                    NetworkImage("http://test/a.png", options: options) { Picture($0, contentFit: .fill) })
                test.show(view.pointer, width: 60, height: 40)
                test.draw(view.pointer)
                XCTAssertEqual(view.model.phase.kind, .success)
                let opacity = try Drawing(view.pointer).middle[3]
                if appliesToMemoryHits { XCTAssertLessThan(opacity, 100) } else { XCTAssertEqual(opacity, 255) }
            }
        }
    }

    func testAHiddenViewWithLoweredPriorityLoadsAfterAllOthers() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport) { $0.maxConcurrentTransfers = 1 }
            let running = PendingImage(ImageRequest("http://test/running.png"), in: pipeline)
            _ = try test.transfer()
            var options = ImageOptions()
            options.loadOptions = [.loadOnAppear, .lowerPriorityOnDisappear]
            options.disappearDelay = .zero
            let view = RemoteImageView(
                NetworkImage("http://test/hidden.png", options: options) { Picture($0) }, pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.pointer)
            test.turn { view.model.phase.kind == .loading }
            let low = PendingImage(Self.request(of: .low), in: pipeline)
            gtk_widget_set_visible(view.pointer, 0)
            test.settle()
            test.transport.transfers[0].succeed(TestImage().bytes)
            try test.transfer(2).succeed(TestImage().bytes)
            try test.transfer(3).succeed(TestImage(7).bytes)
            XCTAssertEqual(test.transport.addresses.dropFirst(), ["http://test/low.png", "http://test/hidden.png"])
            test.turn { view.model.image?.content == 7 }
            // Another thread decodes these images, and may take longer.
            test.turn { running.answerCount + low.answerCount == 2 }
        }
    }

    private static func request(of priority: LoadPriority) -> ImageRequest {
        var options = ImageOptions()
        options.priority = priority
        return ImageRequest("http://test/low.png", options: options)
    }
}
