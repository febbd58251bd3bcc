import CRemoteImageGtk
import Glibc
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Failures of “Save As…”. They used to be warnings on standard error, which the user did not see.
final class SaveFailureTests: XCTestCase {
    private static let bytes = TestImage(3).bytes
    private static let old = Array("old".utf8)

    func testAnUnwritableFolderIsReportedAndTheFileIsUnchanged() throws {
        try GtkFixture.run { test in
            let window = test.show(try Self.view(test).pointer)
            let (transfer, folder) = try Self.save(in: window, test)
            chmod(folder.path, 0o555)
            // The superuser, as whom containers run tests, may write everywhere.
            let user = geteuid()
            if user == 0 { seteuid(65534) }
            transfer.succeed(Self.bytes)
            test.turn { !MessageDialog.all.isEmpty }
            if user == 0 { seteuid(user) }
            chmod(folder.path, 0o700)
            let dialog = try MessageDialog.opened(test)
            test.watch(Widget(dialog.widget), "the dialog")
            XCTAssertTrue(dialog.isModal)
            XCTAssertEqual(dialog.parent, window.window)
            XCTAssertEqual(dialog.texts.first, "The image could not be saved.")
            let reason = try XCTUnwrap(dialog.texts.last)
            XCTAssertTrue(reason.contains(String(cString: strerror(EACCES))), reason)
            XCTAssertEqual(try folder.read("a.png"), Self.old)
            try dialog.close()
            test.turn { test.aliveCount(of: "the dialog") == 0 }
        }
    }

    func testAnInterruptedDownloadIsReportedAndTheFileIsUnchanged() throws {
        try GtkFixture.run { test in
            let window = test.show(try Self.view(test).pointer)
            let folder = try Self.fail(in: window, test)
            let dialog = try MessageDialog.opened(test)
            test.watch(Widget(dialog.widget), "the dialog")
            XCTAssertEqual(dialog.texts, ["The image could not be saved.", "The server cannot be reached"])
            XCTAssertEqual(try folder.read("a.png"), Self.old)
            let hands = try Hands(over: dialog.widget)
            // The test's display has no window manager: the keyboard focus follows the mouse.
            hands.move(to: (20, 20))
            test.draw(dialog.widget)
            hands.type(GDK_KEY_Escape)
            test.turn { test.aliveCount(of: "the dialog") == 0 }
        }
    }

    func testTheMessageClosesWhenItsWindowIsDestroyedOrHidden() throws {
        let departures: [@MainActor (TestWindow) -> Void] = [
            { $0.destroy() }, { gtk_widget_set_visible($0.widget, 0) },
        ]
        for depart in departures {
            try GtkFixture.run { test in
                let window = test.show(try Self.view(test).pointer)
                _ = try Self.fail(in: window, test)
                let dialog = try MessageDialog.opened(test)
                test.watch(Widget(dialog.widget), "the dialog")
                depart(window)
                test.turn { test.aliveCount(of: "the dialog") == 0 }
                test.settle()
            }
        }
    }

    /// Rows that are scrolled away may show another image by then, or may be released.
    func testAFailureIsReportedInTheWindowAfterTheViewHasLeftIt() throws {
        try GtkFixture.run { test in
            let window = test.show(try Self.view(test).pointer)
            let (transfer, _) = try Self.save(in: window, test)
            window.setChild(nil)
            test.turn { test.aliveCount(of: "the view") == 0 }
            transfer.fail(ImageError(.connection))
            try MessageDialog.opened(test).close()
            test.turn { MessageDialog.all.isEmpty }
        }
    }

    func testAFailureWithoutAWindowIsLoggedAsAWarning() throws {
        let departures: [@MainActor (TestWindow) -> Void] = [
            { $0.destroy() }, { gtk_widget_set_visible($0.widget, 0) },
        ]
        for depart in departures {
            try GtkFixture.run { test in
                let window = test.show(try Self.view(test).pointer)
                let (transfer, folder) = try Self.save(in: window, test)
                let warnings = Warnings()
                depart(window)
                test.settle()
                transfer.fail(ImageError(.connection))
                test.turn { !warnings.messages.isEmpty }
                XCTAssertEqual(
                    warnings.messages, ["The image could not be saved: The server cannot be reached"])
                XCTAssertTrue(MessageDialog.all.isEmpty)
                XCTAssertEqual(try folder.read("a.png"), Self.old)
            }
        }
    }

    // MARK: Steps

    @MainActor
    private static func view(_ test: GtkFixture) throws -> RemoteImageView {
        let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
        view.hasContextMenu = true
        return view
    }

    /// Saves the image of a window over a file, and returns the transfer of the saved image. A
    /// separate function, so that the test holds no reference to the view.
    @MainActor
    private static func save(in window: TestWindow, _ test: GtkFixture) throws -> (FakeTransfer, TemporaryFolder) {
        try test.transfer().succeed(bytes)
        let view = try XCTUnwrap(gtk_window_get_child(window.window))
        test.turn { RemoteImageView(of: view)?.model.phase.kind == .success }
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a.png")
        gtk_widget_activate_action_variant(view, "image.save", nil)
        try FileDialog.opened(test).accept("a.png", in: folder, test)
        return (try test.transfer(2), folder)
    }

    /// Does the same, and interrupts the transfer.
    @MainActor
    private static func fail(in window: TestWindow, _ test: GtkFixture) throws -> TemporaryFolder {
        let (transfer, folder) = try save(in: window, test)
        transfer.respond(expected: bytes.count)
        transfer.send(Array(bytes.prefix(20)))
        transfer.fail(ImageError(.connection))
        return folder
    }
}
