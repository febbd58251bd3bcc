// Ownership of GObject references.

import CRemoteImageGtk
import CRemoteImagePlatform

/// Owns one reference to a `GObject`, and releases it on the main thread, whichever thread releases
/// the owner.
///
/// The last reference to an object is released in the next iteration of the main loop, not at once:
/// Swift may release the owner as soon as its pointer has been read, and
/// `gtk_window_set_child(window, view.pointer)` needs a live widget.
package final class ObjectReference: Sendable {
    // Unchecked by `nonisolated(unsafe)`: set once, and the object behind it is used on the main
    // thread only.
    package nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    /// Adds a reference, or takes over a floating one. Only for a new object or for one that the
    /// caller gives away: another owner's floating reference would end with this value.
    package init(sinking pointer: UnsafeMutableRawPointer) {
        self.pointer = g_object_ref_sink(pointer)
    }

    /// Adds a reference, and leaves a floating one to its owner, such as a program that has not put
    /// its new widget into a parent yet.
    package init(borrowing pointer: UnsafeMutableRawPointer) {
        self.pointer = g_object_ref(pointer)
    }

    /// Takes over a reference of the caller.
    package init(owned pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    deinit {
        if platform_is_main_thread() != 0, shim_reference_count(pointer) > 1 {
            g_object_unref(pointer)
        } else {
            // Also used for other threads, since GTK objects may be released on the main thread
            // only.
            ReleaseQueue.add(pointer)
        }
    }
}
