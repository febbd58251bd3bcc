// The border to GObject's reference counts.

import CGtk
import CPlatform

/// Owns one reference to a `GObject`, given back on the main thread wherever the owner is released.
final class ObjectReference {
    // Unchecked by `nonisolated(unsafe)`: set once; the object behind it is touched on the main thread only.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    /// Takes a reference of its own; a floating one is taken over.
    init(_ pointer: UnsafeMutableRawPointer) {
        self.pointer = g_object_ref_sink(pointer)
    }

    /// Takes over a reference that the caller has.
    init(owned pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    deinit {
        if platform_is_main_thread() != 0 {
            g_object_unref(pointer)
        } else {
            // GTK's objects may only be released on its thread.
            g_idle_add_full(
                G_PRIORITY_DEFAULT,
                { pointer in
                    g_object_unref(pointer)
                    return 0
                }, pointer, nil)
        }
    }
}
