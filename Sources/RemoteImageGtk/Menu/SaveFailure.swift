import CGtk

/// Why an image was not saved, as the person who wanted it is told.
struct SaveFailure: Error {
    /// In the language of that person.
    let reason: String

    /// Shows a dialog over the window in which saving was asked for, which goes with it. Where that window is not to be seen any
    /// more, a warning is all that is left.
    @MainActor
    func show(in window: ObjectReference?) {
        guard let window, gtk_widget_get_mapped(window.pointer.assumingMemoryBound(to: GtkWidget.self)) != 0 else {
            return shim_warning("The image could not be saved: \(reason)")
        }
        shim_show_failure(
            window.pointer.assumingMemoryBound(to: GtkWindow.self),
            Localization.translated("The image could not be saved."),
            reason)
    }
}
