// The snippets of the documentation of FetchImage (SwiftUI), translated. Above each translation
// stand the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

// Original: Usage, 25 lines.
/// A hit in the memory cache is shown without a transition.
private struct ImageView: WidgetDeclaration {
    let url: String

    var body: DeclaredWidget {
        NetworkImage(url) { image in
            Picture(image, contentFit: .cover)
        } inProgress: { _ in
            Column {}.cssClass("gray")
        }
        .transition(.crossFade)
    }
}
// Outcome: the first test below.

private let imageUrls = (0..<3).map { "https://example.org/\($0).jpg" }

final class FetchImageSnippetTests: XCTestCase {
    func testAWidgetOfTheProgramAroundAView() throws {
        try GtkFixture.run { test in
            let widget = test.shownByAParent(ImageView(url: imageUrls[0]))
            XCTAssertTrue(
                descendants(of: widget.pointer).contains { gtk_widget_has_css_class($0, "gray") != 0 })
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
            // The request of a removed view is cancelled.
            let other = test.shownOverNetwork(ImageView(url: imageUrls[1]).imageOptions(disappearingAtOnce))
            let transfer = try test.transfer(2)
            gtk_widget_set_visible(other.pointer, 0)
            test.turn { transfer.isCancelled }
        }
    }

    func testAList() throws {
        // Original: Lists, 9 lines.
        struct DetailsView: WidgetDeclaration {
            var body: DeclaredWidget {
                ImageList(imageUrls, id: \.self) {
                    ImageView(url: $0)
                        .frame(height: 40)
                }
            }
        }
        // Outcome.
        try GtkFixture.run { test in
            test.shownByAParent(DetailsView())
            _ = try test.transfer(3)
            XCTAssertEqual(test.transport.addresses, imageUrls)
        }
    }

    func testALowerPriorityInPlaceOfACancellation() throws {
        try GtkFixture.run { test in
            // Original: Priority, 7 lines.
            let image = NetworkImage(imageUrls[0])
                .imageOptions(ImageOptions(loadOptions: [.loadOnAppear, .lowerPriorityOnDisappear]))
            // Outcome.
            let widget = test.shownOverNetwork(Column { image }.imageOptions(disappearingAtOnce))
            let transfer = try test.transfer()
            gtk_widget_set_visible(widget.pointer, 0)
            test.settle()
            XCTAssertEqual(transfer.state, .running)
            transfer.succeed(TestImage(9).bytes)
            gtk_widget_set_visible(widget.pointer, 1)
            test.turn { drawnContents(of: widget.pointer) == [9] }
        }
    }

    func testAReferenceWhoseAddressComesLater() throws {
        struct StorageReference {
            let fullPath: String
            func downloadURL() async throws -> String { "https://example.org/signed/\(fullPath)" }
        }
        try GtkFixture.run { test in
            // Original: Firebase, 5 lines.
            let reference = StorageReference(fullPath: "cat.jpg")
            let image = NetworkImage(
                .resolving(identity: reference.fullPath) { ImageSource(try await reference.downloadURL()) }
            ).transition(.crossFade)
            // Outcome.
            let view = RemoteImageView(image)
            test.shownOverNetwork(view)
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { view.model.image?.content == 9 }
            XCTAssertEqual(test.transport.addresses, ["https://example.org/signed/cat.jpg"])
        }
    }

    func testAnotherImageForMeteredNetworks() throws {
        try GtkFixture.run { test in
            let network = NetworkConditions()
            let pipeline = ImagePipeline.test(test.transport) { $0.network = network }
            network.isConstrained = true
            let (highQualityUrl, lowQualityUrl) = (imageUrls[0], imageUrls[1])
            // Original: Low Data Mode, 1 line.
            let image = NetworkImage(.adaptive(regular: highQualityUrl, lowData: lowQualityUrl))
            // Outcome.
            let view = RemoteImageView(image.imagePipeline(pipeline))
            test.shown(view)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.image?.content == 1 }
            network.isConstrained = false
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.image?.content == 2 }
            XCTAssertEqual(test.transport.addresses, [lowQualityUrl, highQualityUrl])
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

private var disappearingAtOnce: ImageOptions {
    var options = ImageOptions()
    options.disappearDelay = .zero
    return options
}
