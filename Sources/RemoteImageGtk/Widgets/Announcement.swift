import CGtk
import Glibc

/// What screen readers are told of a view: that it is busy, and what went wrong.
@MainActor
enum Announcement {
    static func tell(
        of new: NetworkImagePhase, from old: NetworkImagePhase, at widget: UnsafeMutablePointer<GtkWidget>
    ) {
        shim_update_busy(widget, new.kind == .loading ? 1 : 0)
        if let error = new.error {
            shim_update_description(widget, error.localizedMessage)
            announce(error.localizedMessage, widget)
        } else if old.error != nil {
            shim_update_description(widget, "")
        }
    }

    private typealias Announce = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Int32) -> Void

    /// Newer than the GTK that is required (4.14); before, the role of what is shown has to do.
    private static let announceFunction: Announce? = dlsym(nil, "gtk_accessible_announce").map {
        unsafeBitCast($0, to: Announce.self)
    }

    private static func announce(_ message: String, _ widget: UnsafeMutablePointer<GtkWidget>) {
        // The middle priority: it waits for what is being said.
        announceFunction?(UnsafeMutableRawPointer(widget), message, 1)
    }
}
