// The snippets of the documentation of FetchImage (SwiftUI), translated. Above each translation
// stand the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTesting
import Testing
import XCTest

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

final class FetchImageWidgetTests: XCTestCase {
    func testAWidgetOfTheProgramAroundAView() throws {
        try Fixture.run { test in
            let widget = test.shownByAParent(ImageView(url: imageUrls[0]))
            XCTAssertTrue(
                widgets(gtk_box_get_type(), in: widget).contains { gtk_widget_has_css_class($0.pointer, "gray") != 0 })
            try test.respond(with: gray(9))
            test.see(9, in: widget)
            // The request of a removed view is cancelled: the view that comes back makes another.
            let other = test.shown(ImageView(url: imageUrls[1]).imageOptions(disappearingAtOnce))
            test.turn { test.server.requests.count == 2 }
            gtk_widget_set_visible(other.pointer, 0)
            test.turn { views(in: other).first?.model.phase.kind == .empty }
            gtk_widget_set_visible(other.pointer, 1)
            try test.respond(to: 3, with: gray(8))
            test.see(8, in: other)
            XCTAssertEqual(test.server.requests.map(\.string), [imageUrls[0], imageUrls[1], imageUrls[1]])
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
        Fixture.run { test in
            test.shownByAParent(DetailsView())
            test.turn { test.server.requests.count >= 3 }
            XCTAssertEqual(test.server.requests.map(\.string), imageUrls)
        }
    }

    func testALowerPriorityInPlaceOfACancellation() throws {
        try Fixture.run { test in
            // Original: Priority, 7 lines.
            let image = NetworkImage(imageUrls[0])
                .imageOptions(ImageOptions(loadOptions: [.loadOnAppear, .lowerPriorityOnDisappear]))
            // Outcome: the load goes on, unlike that of another view that disappears with it.
            let column = Column {
                image.expand()
                NetworkImage(imageUrls[1]).expand()
            }
            let widget = test.shownByAParent(column.imageOptions(disappearingAtOnce))
            test.turn { test.server.requests.count == 2 }
            gtk_widget_set_visible(widget.pointer, 0)
            let models = views(in: widget).map(\.model)
            test.turn { models[1].phase.kind == .empty }
            XCTAssertTrue(models[0].isLoading)
            try test.respond(to: test.server.requests[0].string == imageUrls[0] ? 1 : 2, with: gray(9))
            gtk_widget_set_visible(widget.pointer, 1)
            test.see(9, in: views(in: widget)[0].content)
            XCTAssertEqual(test.server.requests.count { $0.string == imageUrls[0] }, 1)
        }
    }

    func testAReferenceWhoseAddressComesLater() throws {
        struct StorageReference {
            let fullPath: String
            func downloadURL() async throws -> String { "https://example.org/signed/\(fullPath)" }
        }
        try Fixture.run { test in
            // Original: Firebase, 5 lines.
            let reference = StorageReference(fullPath: "cat.jpg")
            let image = NetworkImage(
                .resolving(identity: reference.fullPath) { ImageSource(try await reference.downloadURL()) }
            ).transition(.crossFade)
            // Outcome.
            let widget = test.shownByAParent(image)
            try test.respond(with: gray(9))
            test.see(9, in: widget)
            XCTAssertEqual(test.server.requests.map(\.string), ["https://example.org/signed/cat.jpg"])
        }
    }

    func testAnotherImageForMeteredNetworks() throws {
        let network = NetworkConditions()
        try Fixture.run {
            $0.network = network
        } body: { test in
            network.isConstrained = true
            let (highQualityUrl, lowQualityUrl) = (imageUrls[0], imageUrls[1])
            // Original: Low Data Mode, 1 line.
            let image = NetworkImage(.adaptive(regular: highQualityUrl, lowData: lowQualityUrl))
            // Outcome.
            let widget = test.shownByAParent(image)
            try test.respond(with: gray(1))
            test.see(1, in: widget)
            network.isConstrained = false
            try test.respond(to: 2, with: gray(2))
            test.see(2, in: widget)
            XCTAssertEqual(test.server.requests.map(\.string), [lowQualityUrl, highQualityUrl])
        }
    }
}

private var disappearingAtOnce: ImageOptions {
    var options = ImageOptions()
    options.disappearDelay = .zero
    return options
}

@MainActor
@Suite(.timeLimit(.minutes(2)))
struct FetchImageTests {
    private let server: FakeImageServer
    private let pipeline: ImagePipeline
    private let url = "https://example.org/cat.jpg"
    private let address: WebAddress

    init() throws {
        address = try WebAddress(url)
        server = FakeImageServer([url: gray(9)], isPaused: true)
        pipeline = ImagePipeline(fake: server)
    }

    @Test func `a model publishes its image, its error and its progress`() async throws {
        /// Sends 20 of 1000 bytes, and fails when the test says so.
        struct SlowTransport: Transport {
            let end: AsyncStream<Void>

            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
                try receiver.receive(TransferHead(status: 200, address: request.address, expectedByteCount: 1000))
                try receiver.receive(whiteGIF.prefix(20))
                for await _ in end {}
                throw ImageError(.timeout)
            }
        }
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        var configuration = ImagePipeline.Configuration(transport: SlowTransport(end: end), decoders: .standard())
        configuration.retryPolicy = .never
        let model = NetworkImageModel(url, pipeline: ImagePipeline(configuration))
        model.load()
        for await phase in model.phases {
            if case .loading(let state) = phase, state.progress.completedByteCount == 20 { break }
        }
        // Original: Overview, first snippet, 10 lines.
        let image = model.image
        let error = model.error
        let isLoading = model.isLoading
        let (completed, total) = (model.progress.completedByteCount, model.progress.totalByteCount)
        // Outcome.
        #expect(image == nil && error == nil && isLoading)
        #expect(completed == 20 && total == 1000)
        ending.finish()
        #expect(await model.reached(.failure) != nil)
        #expect(model.error == ImageError(.timeout) && !model.isLoading)
    }

    @Test func `a model that loads at once, from an address or a request`() async throws {
        let request = ImageRequest(url, options: ImageOptions(loadOptions: .loadImmediately))
        // Original: Overview, second snippet, 4 lines.
        let first = NetworkImageModel(request.source, pipeline: pipeline, options: request.options)
        let second = NetworkImageModel(url, pipeline: pipeline, options: ImageOptions(loadOptions: .loadImmediately))
        // Outcome.
        #expect(first.isLoading && second.isLoading)
        server.isPaused = false
        for model in [first, second] { #expect(await model.reached(.success)?.image?.gray == 9) }
        #expect(server.requests == [address])
    }

    @Test func `a load is started again, cancelled, and changes its priority`() async {
        let model = NetworkImageModel(url, pipeline: pipeline)
        // Original: Overview, third snippet, 5 lines.
        model.priority = .high
        model.load()
        model.cancel()
        // Outcome.
        #expect(model.phase.kind == .empty)
        server[address] = .status(404)
        server.isPaused = false
        model.load()
        #expect(await model.reached(.failure) != nil)
        server[address] = gray(9)
        model.load()
        #expect(await model.reached(.success)?.image?.gray == 9)
    }
}
