import CRemoteImageGtk
import XCTest

/// GTK's own dialog for a message.
@MainActor
struct MessageDialog {
    private let pointer: OpaquePointer

    /// The existing dialogs, shown or not.
    static var all: [MessageDialog] {
        toplevels(of: gtk_message_dialog_get_type()).map { MessageDialog(pointer: OpaquePointer($0)) }
    }

    /// Waits for the dialog, which must be the only one, until it is drawn.
    static func opened(_ test: GtkFixture, file: StaticString = #filePath, line: UInt = #line) throws -> MessageDialog {
        let dialog = try openedToplevel(of: gtk_message_dialog_get_type(), test, file: file, line: line)
        return MessageDialog(pointer: OpaquePointer(dialog))
    }

    var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(pointer) }
    var isModal: Bool { gtk_window_get_modal(window) != 0 }
    var parent: UnsafeMutablePointer<GtkWindow>? { gtk_window_get_transient_for(window) }

    /// The message and the text below it.
    var texts: [String] {
        descendants(of: shim_message_dialog_get_message_area(UnsafeMutablePointer(pointer)))
            .filter { shim_is_a($0, gtk_label_get_type()) != 0 }.compactMap { text(in: $0) }
    }

    /// Presses the only button.
    func close() throws {
        let buttons = descendants(of: widget).filter { shim_is_a($0, gtk_button_get_type()) != 0 }
        XCTAssertEqual(buttons.count, 1)
        gtk_widget_activate(try XCTUnwrap(buttons.first))
    }

    private var window: UnsafeMutablePointer<GtkWindow> { UnsafeMutablePointer(pointer) }
}
