import CGtk

/// Asks for the file that an image is to be saved in: the desktop's own dialog, over a window and with it.
@MainActor
final class SaveDialog {
    private let chooser: ObjectReference
    /// Not owned: a window with other references is never destroyed. `nil` once it is disposed of.
    private var window: UnsafeMutablePointer<GtkWindow>?
    private var handlers: [gulong] = []
    private var answered: (@MainActor (ObjectReference?) -> Void)?

    /// - Parameters:
    ///   - window: Takes no input meanwhile. Closing or hiding it closes the dialog.
    ///   - name: Suggested for the file.
    ///   - answered: Called once, with the file, or with nil where none was chosen; not after ``close()``.
    init?(
        over window: UnsafeMutablePointer<GtkWindow>?, name: String,
        answered: @escaping @MainActor (ObjectReference?) -> Void
    ) {
        let chooser = shim_save_dialog_new(Localization.translated("Save Image"), window)
        guard let chooser else { return nil }
        self.chooser = ObjectReference(owned: UnsafeMutableRawPointer(chooser))
        self.window = window
        self.answered = answered
        shim_file_chooser_set_current_name(chooser, name)
        Controllers.connectResponse(chooser) { [weak self] response in
            let isAccepted = response == Int32(GTK_RESPONSE_ACCEPT.rawValue)
            let file = isAccepted ? shim_file_chooser_get_file(chooser) : nil
            let owned = file.map { ObjectReference(owned: UnsafeMutableRawPointer($0)) }
            self?.answer(owned)
        }
        if let window {
            // One that its program keeps is not destroyed when it is closed.
            handlers = ["unmap", "destroy"].map { signal in
                Signal.connect(signal, of: UnsafeMutableRawPointer(window)) { [weak self] in self?.answer(nil) }
            }
        }
        gtk_native_dialog_set_modal(dialog, 1)
        gtk_native_dialog_show(dialog)
    }

    /// Takes the question back.
    func close() {
        answered = nil
        if let window { for handler in handlers { g_signal_handler_disconnect(window, handler) } }
        window = nil
        gtk_native_dialog_destroy(dialog)
    }

    private func answer(_ file: ObjectReference?) {
        guard let answered else { return }
        close()
        answered(file)
    }

    private var dialog: UnsafeMutablePointer<GtkNativeDialog> {
        chooser.pointer.assumingMemoryBound(to: GtkNativeDialog.self)
    }
}
