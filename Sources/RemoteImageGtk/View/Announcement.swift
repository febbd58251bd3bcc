import CGtk
import Glibc

/// What screen readers are told of a view: that it is busy, and what went wrong.
@MainActor
enum Announcement {
    static func tell(
        of new: NetworkImagePhase, from old: NetworkImagePhase, at widget: UnsafeMutablePointer<GtkWidget>,
        isDecorative: Bool
    ) {
        shim_update_busy(widget, new.kind == .loading ? 1 : 0)
        if let error = new.error {
            shim_update_description(widget, error.localizedMessage)
            // What says nothing while it is there is not missed.
            if !isDecorative { say(error.localizedMessage, widget) }
        } else if old.error != nil {
            shim_update_description(widget, "")
        }
    }

    private typealias Announce = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Int32) -> Void

    /// Newer than the GTK that is required (4.14); before, the role of what is shown has to do.
    private static let announceFunction: Announce? = dlsym(nil, "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Announce.self)
    }

    private typealias GetContext = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

    /// Newer than the GTK that is required (4.10). The result is the caller's to release.
    private static let contextFunction: GetContext? = dlsym(nil, "gtk_accessible_get_at_context").map {
        unsafeBitCast($0, to: GetContext.self)
    }

    /// Says a message; tests, which hear nothing, listen here.
    static var say: @MainActor (_ message: String, _ widget: UnsafeMutablePointer<GtkWidget>) -> Void = {
        guard let announceFunction, let context = contextFunction?(UnsafeMutableRawPointer($1)) else { return }
        defer { g_object_unref(context) }
        // The middle priority: it waits for what is being said.
        if canAnnounce(context) { announceFunction(UnsafeMutableRawPointer($1), $0, 1) }
    }

    /// False for the context that GTK falls back to without an accessibility bus: it has no function to announce, which
    /// GTK calls all the same (4.14 to 4.24).
    static func canAnnounce(_ context: UnsafeMutableRawPointer) -> Bool {
        let name = g_type_name(shim_type_of(context)).map { String(cString: $0) }
        return name != "GtkTestATContext"
    }
}
