// The snippets of the documentation of SmartImages (UIKit) that show views, translated. Above each
// translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class SmartImagesSnippetTests: XCTestCase {
    func testAViewOvertakesPrefetches() throws {
        try GtkFixture.run { test in
            let pipeline = ImagePipeline.test(test.transport) { $0.maxConcurrentTransfers = 2 }
            let prefetcher = ImagePrefetcher(pipeline: pipeline, maxCount: 5)
            prefetcher.start((0..<5).map { "https://apple.com/image_\($0)" })
            _ = try test.transfer(2)
            // Original: ImageDownloadQueue, second snippet, 3 lines.
            let imageView = RemoteImageView("https://apple.com/image_99")
            imageView.source = "https://apple.com/image_3"
            // Outcome.
            test.shown(imageView.imagePipeline(pipeline))
            test.turn { imageView.model.isLoading }
            test.settle()
            try test.transfer().succeed(TestImage(1).bytes)
            try test.transfer(3).succeed(TestImage(9).bytes)
            test.turn { imageView.model.image?.content == 9 }
            XCTAssertEqual(test.transport.addresses[2], "https://apple.com/image_3")
            prefetcher.stopAll()
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testPlaceholders() throws {
        try GtkFixture.run { test in
            let (url, planePlaceholder) = ("https://example.org/plane.jpg", TestImage(5).decoded)
            let column = Column {
                // Original: How to use, first snippet, 3 lines.
                RemoteImageView(url, content: { Picture($0) }, placeholder: { Picture(planePlaceholder) })
                RemoteImageView(url, content: { Picture($0) }, placeholder: {})
                RemoteImageView(url)
                // Outcome.
            }
            let widget = test.shownOverNetwork(column)
            // A view without an area is not visible, and does not load.
            gtk_box_set_homogeneous(
                UnsafeMutableRawPointer(widget.pointer).assumingMemoryBound(to: GtkBox.self), 1)
            XCTAssertEqual(drawnContents(of: children(of: widget.pointer)[0]), [5])
            XCTAssertEqual(drawnContents(of: children(of: widget.pointer)[1]), [])
            let views = children(of: widget.pointer).compactMap { RemoteImageView(of: $0) }
            // Requests that begin before its end share the transfer.
            test.turn { views.count == 3 && views.allSatisfy(\.model.isLoading) }
            test.settle()
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9, 9, 9] }
        }
    }

    func testThePlaceholderTheTransitionTheCompletionAndTheCancellationOfARequest() throws {
        try GtkFixture.run { test in
            let url = "https://example.org/plane.jpg"
            var results: [String] = []
            // Original: How to use, second snippet, 47 lines.
            let imageView = RemoteImageView(url) { image in
                Picture(image)
            } placeholder: {
                Icon("image-loading-symbolic")
            }
            .transition(.crossFade)
            .onSuccess { results.append("\($0.info.size.width) pixels") }
            .onFailure { results.append($0.code.rawValue) }
            let cancelImageRequest = { imageView.model.cancel() }
            let prefetcher = ImagePrefetcher(pipeline: test.pipeline)
            prefetcher.start(["https://example.org/next.jpg"])
            let download = test.pipeline.start(ImageRequest("https://example.org/headless.jpg"))
            // Outcome.
            let transfers = try (1...2).map { try test.transfer($0) }
            test.shownOverNetwork(imageView)
            try test.transfer(3).succeed(TestImage(width: 12).bytes)
            test.turn { results == ["12 pixels"] }
            imageView.source = "https://example.org/other.jpg"
            let other = try test.transfer(4)
            cancelImageRequest()
            test.turn { other.isCancelled }
            XCTAssertEqual(results, ["12 pixels"])
            prefetcher.stopAll()
            download.cancel()
            test.turn { transfers.allSatisfy(\.isCancelled) }
        }
    }
}
