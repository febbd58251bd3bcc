import CRemoteImageGtk

/// The reason why an image was not saved, for the user.
struct SaveFailure: Error {
    /// A localized text.
    let reason: String

    /// Shows an error dialog over the window in which the user saved the image; the dialog closes
    /// with the window. Logs a warning if the window is no longer mapped.
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
