// The border to GObject's reference counts.

import CGtk
import CPlatform

/// Owns one reference to a `GObject`, given back on the main thread wherever the owner is released.
///
/// A reference that is the last one is given back in the next turn of the main loop, not at once: Swift may release
/// an owner as soon as its pointer was read, and `gtk_window_set_child(window, view.pointer)` must find the widget alive.
package final class ObjectReference: Sendable {
    // Unchecked by `nonisolated(unsafe)`: set once; the object behind it is touched on the main thread only.
    package nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    /// Takes a reference of its own; a floating one is taken over.
    init(_ pointer: UnsafeMutableRawPointer) {
        self.pointer = g_object_ref_sink(pointer)
    }

    /// Takes over a reference that the caller has.
    init(owned pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    deinit {
        if platform_is_main_thread() != 0, shim_reference_count(pointer) > 1 {
            g_object_unref(pointer)
        } else {
            // Also for other threads: GTK's objects may only be released on its own.
            ReleaseQueue.add(pointer)
        }
    }
}
