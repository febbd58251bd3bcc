import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// GTK's own file dialog, which is used where no portal provides the desktop's dialog.
@MainActor
struct FileDialog {
    private let pointer: OpaquePointer

    /// The existing dialogs, shown or not.
    static var all: [FileDialog] {
        toplevels(of: gtk_file_chooser_dialog_get_type()).map { FileDialog(pointer: OpaquePointer($0)) }
    }

    /// Waits for the dialog, which must be the only one, until it is drawn: on X11, GTK 4.8 reads
    /// the memory of a window that is destroyed before its first frame.
    static func opened(_ test: GtkFixture, file: StaticString = #filePath, line: UInt = #line) throws -> FileDialog {
        let dialog = try openedToplevel(of: gtk_file_chooser_dialog_get_type(), test, file: file, line: line)
        return FileDialog(pointer: OpaquePointer(dialog))
    }

    var title: String? { gtk_window_get_title(window).map { String(cString: $0) } }
    var isModal: Bool { gtk_window_get_modal(window) != 0 }
    var parent: UnsafeMutablePointer<GtkWindow>? { gtk_window_get_transient_for(window) }

    /// The text of the name entry.
    var name: String? {
        guard let name = shim_file_chooser_get_current_name(pointer) else { return nil }
        defer { g_free(name) }
        return String(cString: name)
    }

    /// Types a path and saves there. An existing file is overwritten.
    func accept(_ name: String, in folder: TemporaryFolder, _ test: GtkFixture) throws {
        let path = folder.path(name)
        shim_file_chooser_set_current_name(pointer, path)
        test.turn { chosenPath == path }
        let isThere = g_file_test(path, shim_file_test_exists) != 0
        respond(GTK_RESPONSE_ACCEPT)
        guard isThere else { return }
        // The dialog asks for confirmation.
        test.turn { replaceButton != nil }
        gtk_widget_activate(try XCTUnwrap(replaceButton))
    }

    func respond(_ response: GtkResponseType) {
        shim_dialog_response(Self.dialog(widget), Int32(response.rawValue))
    }

    private var chosenPath: String? {
        guard let file = shim_file_chooser_get_file(pointer) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let path = g_file_get_path(file) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }

    private var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(pointer) }
    private var window: UnsafeMutablePointer<GtkWindow> { UnsafeMutablePointer(pointer) }

    /// The confirmation button for replacing a file: in a `GtkMessageDialog` up to GTK 4.18, in a
    /// window of `GtkAlertDialog` later.
    private var replaceButton: UnsafeMutablePointer<GtkWidget>? {
        toplevels(of: gtk_window_get_type())
            .filter { $0 != widget && gtk_widget_get_mapped($0) != 0 }
            .flatMap { descendants(of: $0) }
            .first {
                guard shim_is_a($0, gtk_button_get_type()) != 0,
                    let label = gtk_button_get_label(UnsafeMutablePointer(OpaquePointer($0)))
                else { return false }
                return String(cString: label) == "_Replace"
            }
    }

    private static func dialog(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkDialog> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkDialog.self)
    }
}
