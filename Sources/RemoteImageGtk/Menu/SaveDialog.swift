import CRemoteImageGtk

/// The desktop's file dialog for saving an image. It is modal for a window and closes with it.
@MainActor
final class SaveDialog {
    private let chooser: ObjectReference
    private let connections = SignalConnections()
    private var answered: (@MainActor (ObjectReference?) -> Void)?

    /// - Parameters:
    ///   - window: The parent, which takes no input while the dialog is open. Closing or hiding it
    ///     closes the dialog.
    ///   - name: The suggested file name.
    ///   - answered: Called once with the chosen file, or with `nil` if the user chose none. Not
    ///     called after ``close()``.
    init?(
        over window: UnsafeMutablePointer<GtkWindow>?, name: String,
        answered: @escaping @MainActor (ObjectReference?) -> Void
    ) {
        let chooser = shim_save_dialog_new(Localization.translated("Save Image"), window)
        guard let chooser else { return nil }
        self.chooser = ObjectReference(owned: UnsafeMutableRawPointer(chooser))
        self.answered = answered
        shim_file_chooser_set_current_name(chooser, name)
        EventControllers.connect("response", chooser) { [weak self] (response: Int) in
            let isAccepted = response == Int(GTK_RESPONSE_ACCEPT.rawValue)
            let file = isAccepted ? shim_file_chooser_get_file(chooser) : nil
            let owned = file.map { ObjectReference(owned: UnsafeMutableRawPointer($0)) }
            self?.answer(owned)
        }
        if let window {
            // A window that the program keeps is only unmapped, not destroyed, when it is closed.
            for signal in ["unmap", "destroy"] {
                connections.connect(signal, of: window) { [weak self] in self?.answer(nil) }
            }
        }
        gtk_native_dialog_set_modal(dialog, 1)
        gtk_native_dialog_show(dialog)
    }

    /// Closes the dialog without calling `answered`.
    func close() {
        answered = nil
        connections.end()
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
