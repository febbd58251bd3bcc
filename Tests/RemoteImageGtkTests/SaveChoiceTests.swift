import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// “Save As…” for a choice of images. The choice used to be made again, so that the saved image
/// could differ from the shown image.
final class SaveChoiceTests: XCTestCase {
    private static let large: ImageSource = "http://test/large.png"
    private static let small: ImageSource = "http://test/small.png"

    func testTheShownImageIsSavedWhateverTheNetworkIsNow() throws {
        for isConstrained in [false, true] {
            try GtkFixture.run { test in
                let network = NetworkConditions()
                network.isConstrained = isConstrained
                let view = Self.show(.adaptive(regular: Self.large, lowData: Self.small), network, test)
                let address = "http://test/\(isConstrained ? "small" : "large").png"
                let transfer = try test.transfer()
                XCTAssertEqual(transfer.request.address.string, address)
                transfer.succeed(TestImage(1).bytes)
                test.turn { view.model.phase.kind == .success }
                network.isConstrained.toggle()
                let name = try Self.save(view, from: address, test)
                XCTAssertEqual("http://test/\(name ?? "")", address)
            }
        }
    }

    func testTheShownFallbackIsSavedEvenIfTheFirstSourceIsAvailableAgain() throws {
        try GtkFixture.run { test in
            let view = Self.show(.fallbacks([Self.large, Self.small]), NetworkConditions(), test)
            try test.transfer(1).fail(ImageError(.connection))
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(try Self.save(view, from: Self.small.identity, test), "small.png")
        }
    }

    func testTheLargestOfSeveralSizesIsSaved() throws {
        try GtkFixture.run { test in
            let sizes = ImageSource.candidates([
                SourceCandidate(Self.small, size: PixelSize(width: 400, height: 300)),
                SourceCandidate(Self.large, size: PixelSize(width: 4000, height: 3000)),
            ])
            let view = Self.show(sizes, NetworkConditions(), test)
            let transfer = try test.transfer()
            XCTAssertEqual(transfer.request.address.string, Self.small.identity)
            transfer.succeed(TestImage(1, width: 400, height: 300).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(try Self.save(view, from: Self.large.identity, test), "large.png")
        }
    }

    /// The current options, such as the account, do not belong to the address of another image.
    func testAnImageKeptFromAnotherSourceIsNotSaved() throws {
        try GtkFixture.run { test in
            let view = Self.show(Self.small, NetworkConditions(), test)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.phase.kind == .success }
            view.model.options.keepsImageWhileLoading = true
            view.model.source = Self.large
            _ = try test.transfer(2)
            view.model.cancel()
            XCTAssertEqual(view.model.image?.content, 1)
            gtk_widget_activate_action_variant(view.pointer, "image.save", nil)
            test.settle()
            XCTAssertTrue(FileDialog.all.isEmpty)
        }
    }

    // MARK: Steps

    @MainActor
    private static func show(_ source: ImageSource, _ network: NetworkConditions, _ test: GtkFixture) -> RemoteImageView
    {
        let pipeline = ImagePipeline.test(test.transport) { $0.network = network }
        let view = RemoteImageView(NetworkImage(source) { Picture($0) }, pipeline: pipeline)
        test.watch(view.content, "the view")
        view.hasContextMenu = true
        test.show(view.pointer)
        return view
    }

    /// Saves the image of a view, which must be requested from `address`, and returns the suggested
    /// name.
    @MainActor
    private static func save(
        _ view: RemoteImageView, from address: String, _ test: GtkFixture, file: StaticString = #filePath,
        line: UInt = #line
    ) throws -> String? {
        let folder = try TemporaryFolder()
        // The view itself may request the other image when the network changes.
        let count = test.transport.transfers.count
        gtk_widget_activate_action_variant(view.pointer, "image.save", nil)
        let dialog = try FileDialog.opened(test)
        let name = dialog.name
        try dialog.accept("saved.png", in: folder, test)
        var transfer: FakeTransfer? {
            test.transport.transfers.dropFirst(count).first { $0.request.address.string == address }
        }
        test.turn(file: file, line: line) { transfer != nil }
        let bytes = TestImage(9).bytes
        transfer?.succeed(bytes)
        test.turn(file: file, line: line) { (try? folder.read("saved.png")) == bytes }
        return name
    }
}
