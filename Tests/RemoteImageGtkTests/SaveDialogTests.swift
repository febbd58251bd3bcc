import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// “Save As…” with the real dialog. The pipeline has no store: the saved image is loaded again.
final class SaveDialogTests: XCTestCase {
    private static let bytes = TestImage(3).bytes

    func testTheOriginalBytesAreSavedToTheChosenFile() throws {
        try GtkFixture.run { test in
            let (view, window) = try Self.show("http://test/photos/a.png", test)
            let folder = try TemporaryFolder()
            Self.save(view)
            let dialog = try FileDialog.opened(test)
            XCTAssertEqual(dialog.title, "Save Image")
            XCTAssertEqual(dialog.name, "a.png")
            XCTAssertTrue(dialog.isModal)
            XCTAssertEqual(dialog.parent, window.window)
            try dialog.accept("b.png", in: folder, test)
            try test.transfer(2).succeed(Self.bytes)
            test.turn { (try? folder.read("b.png")) == Self.bytes }
            test.turn { FileDialog.all.isEmpty }
        }
    }

    func testAnExistingFileIsReplacedAfterConfirmation() throws {
        try GtkFixture.run { test in
            let (view, _) = try Self.show("http://test/a.png", test)
            let folder = try TemporaryFolder()
            try folder.write("old", to: "a.png")
            Self.save(view)
            try FileDialog.opened(test).accept("a.png", in: folder, test)
            try test.transfer(2).succeed(Self.bytes)
            test.turn { (try? folder.read("a.png")) == Self.bytes }
        }
    }

    func testCancellingTheDialogWritesNothing() throws {
        try GtkFixture.run { test in
            let (view, _) = try Self.show("http://test/a.png", test)
            for answer in [GTK_RESPONSE_CANCEL, GTK_RESPONSE_DELETE_EVENT] {
                Self.save(view)
                try FileDialog.opened(test).respond(answer)
                test.turn { FileDialog.all.isEmpty }
            }
            test.settle()
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    /// A second dialog used to replace the first, and the entered text was lost.
    func testADialogThatIsOpenIsNotOpenedAgain() throws {
        try GtkFixture.run { test in
            let (view, _) = try Self.show("http://test/a.png", test)
            let folder = try TemporaryFolder()
            Self.save(view)
            let dialog = try FileDialog.opened(test)
            Self.save(view)
            test.settle()
            XCTAssertEqual(FileDialog.all.count, 1)
            try dialog.accept("first.png", in: folder, test)
            try test.transfer(2).succeed(Self.bytes)
            test.turn { (try? folder.read("first.png")) == Self.bytes }
            // After an answer the dialog can be opened again.
            Self.save(view)
            try FileDialog.opened(test).accept("second.png", in: folder, test)
            try test.transfer(3).succeed(Self.bytes)
            test.turn { (try? folder.read("second.png")) == Self.bytes }
        }
    }

    /// The image that was shown when the file was chosen used to be saved.
    func testTheImageForWhichTheDialogWasOpenedIsSaved() throws {
        try GtkFixture.run { test in
            let (view, _) = try Self.show("http://test/a.png", test)
            let folder = try TemporaryFolder()
            Self.save(view)
            let dialog = try FileDialog.opened(test)
            view.source = "http://test/b.png"
            try test.transfer(2).succeed(TestImage(4).bytes)
            test.turn { view.model.image?.content == 4 }
            try dialog.accept("a.png", in: folder, test)
            let transfer = try test.transfer(3)
            XCTAssertEqual(transfer.request.address.string, "http://test/a.png")
            transfer.succeed(Self.bytes)
            test.turn { (try? folder.read("a.png")) == Self.bytes }
        }
    }

    func testTheDialogClosesWithItsMenuViewOrWindow() throws {
        let departures: [@MainActor (RemoteImageView, TestWindow) -> Void] = [
            { view, _ in view.hasContextMenu = false }, { _, window in window.setChild(nil) },
            { _, window in window.destroy() },
        ]
        for (number, depart) in departures.enumerated() {
            try GtkFixture.run { test in
                // A separate function, so that this test holds no reference to the view.
                try Self.depart(depart, test)
                test.turn { FileDialog.all.isEmpty }
                if number > 0 { test.turn { test.aliveCount(of: "the view") == 0 } }
                test.settle()
                XCTAssertEqual(test.transport.transfers.count, 1)
            }
        }
    }

    @MainActor
    private static func depart(
        _ depart: @MainActor (RemoteImageView, TestWindow) -> Void, _ test: GtkFixture
    ) throws {
        let (view, window) = try show("http://test/a.png", test)
        save(view)
        _ = try FileDialog.opened(test)
        depart(view, window)
    }

    /// The dialog used to stay open without a window.
    func testTheDialogClosesWithItsWindowEvenIfTheProgramKeepsTheView() throws {
        try GtkFixture.run { test in
            let (view, window) = try Self.show("http://test/a.png", test)
            Self.save(view)
            _ = try FileDialog.opened(test)
            window.destroy()
            test.turn { FileDialog.all.isEmpty }
            // The dialog can be opened again in another window.
            let second = test.show(view.pointer)
            Self.save(view)
            let dialog = try FileDialog.opened(test)
            XCTAssertEqual(dialog.parent, second.window)
            dialog.respond(GTK_RESPONSE_CANCEL)
            test.turn { FileDialog.all.isEmpty }
        }
    }

    func testAChosenFileIsSavedEvenIfItsViewIsReleased() throws {
        try GtkFixture.run { test in
            let folder = try TemporaryFolder()
            try Self.acceptAndClose(folder, test)
            test.turn { test.aliveCount(of: "the view") == 0 }
            try test.transfer(2).succeed(Self.bytes)
            test.turn { (try? folder.read("a.png")) == Self.bytes }
        }
    }

    @MainActor
    private static func acceptAndClose(_ folder: TemporaryFolder, _ test: GtkFixture) throws {
        let (view, window) = try show("http://test/a.png", test)
        save(view)
        try FileDialog.opened(test).accept("a.png", in: folder, test)
        _ = try test.transfer(2)
        window.destroy()
    }

    // MARK: The suggested name

    func testTheSuggestedNameIsTheReadableNameInTheAddress() {
        let names = [
            ("https://h/a/cat.jpg", "cat.jpg"), ("https://h/cat.JPG?size=2/3#x/y", "cat.JPG"),
            ("https://h/caf%C3%A9.jpg", "café.jpg"), ("https://h/a%20b.png", "a b.png"),
            ("https://h/a/b/", "b.png"), ("https://h/", "image.png"), ("https://h", "image.png"),
            ("https://h?a/b", "image.png"), ("https://h/photo", "photo.png"), ("https://h/v1.2", "v1.2.png"),
            ("https://h/show.php?id=7", "show.php.png"), ("https://h/scan.tiff", "scan.tiff"),
            // Another image format's suffix is kept: servers send different formats for one
            // address.
            ("https://h/cat.webp", "cat.webp"),
            // Not valid text after decoding.
            ("https://h/caf%E9.jpg", "caf%E9.jpg"), ("https://h/100%.png", "100%.png"),
            ("https://h/a%00b.png", "a%00b.png"),
            ("file:///tmp/100%2525%20%231%3F.png", "100%25 #1?.png"), ("file:///a.png", "a.png"),
            ("file:///", "image.png"),
            // Commands would take the name for an option.
            ("https://h/-rf.png", "rf.png"), ("https://h/%2D.-rf", "rf.png"),
        ]
        for (address, name) in names { XCTAssertEqual(ImageName.suggested(for: address, .png), name, address) }
        XCTAssertEqual(ImageName.suggested(for: "https://h/photo", .jpeg), "photo.jpg")
        XCTAssertEqual(ImageName.suggested(for: "https://h/photo", .other), "photo")
        XCTAssertEqual(ImageName.suggested(for: nil, nil), "image")
    }

    func testTheSuggestedNameIsNeitherAPathNorHiddenNorDisguised() {
        let names = [
            ("https://h/a%2Fb.png", "a_b.png"), ("https://h/..%2F..%2Fetc%2Fpasswd", "_.._etc_passwd.png"),
            ("https://h/%2E%2E", "image.png"), ("https://h/.bashrc", "bashrc.png"),
            ("https://h/%20.png%20", "png.png"),
            ("https://h/a%0Ab.png", "a_b.png"), ("https://h/cat%E2%80%AEgnp.exe", "cat_gnp.exe.png"),
        ]
        for (address, name) in names { XCTAssertEqual(ImageName.suggested(for: address, .png), name, address) }
        let long = "https://h/" + String(repeating: "%C3%A9", count: 300) + ".png"
        XCTAssertEqual(ImageName.suggested(for: long, nil), String(repeating: "é", count: 60) + ".png")
    }

    func testAnImageWithoutAnAddressIsNamedImage() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(ImageSource(Self.dataAddress)) { Picture($0) })
            view.hasContextMenu = true
            test.show(view.pointer)
            test.turn { view.model.phase.kind == .success }
            Self.save(view)
            let dialog = try FileDialog.opened(test)
            XCTAssertEqual(dialog.name, "image.png")
            let folder = try TemporaryFolder()
            try dialog.accept("inline.png", in: folder, test)
            test.turn { (try? folder.read("inline.png")) == Self.bytes }
        }
    }

    /// The image in Base64, which contains slashes as paths do.
    private static var dataAddress: String {
        let text = bytes.withUnsafeBytes { g_base64_encode($0.baseAddress, gsize($0.count)) }
        defer { g_free(text) }
        return "data:image/png;base64," + (text.map { String(cString: $0) } ?? "")
    }

    // MARK: Steps

    /// A view with a menu, which has loaded its image.
    @MainActor
    private static func show(_ source: ImageSource, _ test: GtkFixture) throws -> (RemoteImageView, TestWindow) {
        let view = test.view(NetworkImage(source) { Picture($0) })
        view.hasContextMenu = true
        let window = test.show(view.pointer)
        try test.transfer().succeed(bytes)
        test.turn { view.model.phase.kind == .success }
        return (view, window)
    }

    @MainActor
    private static func save(_ view: RemoteImageView) {
        gtk_widget_activate_action_variant(view.pointer, "image.save", nil)
    }
}
