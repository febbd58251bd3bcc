import CRemoteImageGtk
import Glibc

/// Tells screen readers the state of a view: whether it is busy, and its error.
@MainActor
enum Announcement {
    static func tell(
        of new: NetworkImagePhase, from old: NetworkImagePhase, at widget: UnsafeMutablePointer<GtkWidget>,
        isDecorative: Bool
    ) {
        shim_update_busy(widget, new.kind == .loading ? 1 : 0)
        if let error = new.error {
            shim_update_description(widget, error.localizedDescription)
            // The failure of a decorative image is not announced.
            if !isDecorative { say(error.localizedDescription, widget) }
        } else if old.error != nil {
            shim_update_description(widget, "")
        }
    }

    private typealias Announce = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Int32) -> Void

    /// `nil` before GTK 4.14. Without it, screen readers rely on the alert role of the failure
    /// content.
    private static let announceFunction: Announce? = dlsym(nil, "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Announce.self)
    }

    private typealias GetContext = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

    /// `nil` before GTK 4.10. The caller releases the result.
    private static let contextFunction: GetContext? = dlsym(nil, "gtk_accessible_get_at_context").map {
        unsafeBitCast($0, to: GetContext.self)
    }

    /// Announces a message. Tests replace it.
    static var say: @MainActor (_ message: String, _ widget: UnsafeMutablePointer<GtkWidget>) -> Void = {
        guard let announceFunction, let context = contextFunction?(UnsafeMutableRawPointer($1)) else { return }
        defer { g_object_unref(context) }
        // The medium priority: the message waits for the current speech.
        if canAnnounce(context) { announceFunction(UnsafeMutableRawPointer($1), $0, 1) }
    }

    /// `false` for the context that GTK uses without an accessibility bus: it has no announce
    /// function, but GTK 4.14 to 4.24 calls the function without a check.
    static func canAnnounce(_ context: UnsafeMutableRawPointer) -> Bool {
        let name = g_type_name(shim_type_of(context)).map { String(cString: $0) }
        return name != "GtkTestATContext"
    }
}
