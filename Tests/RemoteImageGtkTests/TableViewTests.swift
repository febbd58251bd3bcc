import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTesting
import XCTest

/// An image of a program.
@MainActor
private func photoImage(_ address: String) -> NetworkImage {
    NetworkImage(address) { image in
        Picture(image, contentFit: .cover)
    } placeholder: {
        Spinner()
    } failure: { error, retry in
        Label(error.localizedDescription)
        Button("Try again", action: retry)
    }
}

/// The tests of *Testing your views* in the documentation: asynchronous methods on the main actor,
/// without a window and without a call of the main loop.
final class TableViewTests: XCTestCase {
    @MainActor
    func testAPhotoIsShownAfterARetry() async throws {
        try XCTSkipIf(gtk_init_check() == 0, "There is no display.")
        let address = try WebAddress("https://example.org/cat.jpg")
        let table = FakeImageServer([address.string: .status(503)])
        let view = RemoteImageView(photoImage(address.string), pipeline: ImagePipeline(fake: table))

        view.model.load()
        for await phase in view.model.phases where phase.kind == .failure { break }
        XCTAssertEqual(view.model.error?.status, 503)

        table[address] = .image(.filled(with: .white, width: 40, height: 30))
        view.model.retry()
        for await phase in view.model.phases where phase.kind == .success { break }
        XCTAssertEqual(view.model.image?.info.size, PixelSize(width: 40, height: 30))
        XCTAssertEqual(table.requests, [address, address])
    }

    @MainActor
    func testACancelledPhotoIsNoFailure() async throws {
        let address = try WebAddress("https://example.org/cat.jpg")
        let table = FakeImageServer(
            [address.string: .image(.filled(with: .black, width: 4, height: 3))], isPaused: true)
        let model = NetworkImageModel(address, pipeline: ImagePipeline(fake: table))
        model.load()
        await table.requested(address)
        XCTAssertTrue(model.isLoading)
        model.cancel()
        XCTAssertNil(model.error)
        table.isPaused = false
    }
}
