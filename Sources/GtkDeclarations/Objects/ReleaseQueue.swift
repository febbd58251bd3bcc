// Releases references to GObjects on the main thread.

import CRemoteImageGtk
import CRemoteImagePlatform

import class RemoteImageDecoding.Lock
import struct RemoteImageDecoding.MainThreadTimeSlice

/// Releases references in time slices of the main loop, before the next frame, so that the
/// references of thousands of views do not block the main thread. It may be used on any thread.
package enum ReleaseQueue {
    private struct State {
        // Addresses of objects: the queue owns a reference to each.
        var objects: [UInt] = []
        var next = 0

        mutating func take() -> UnsafeMutableRawPointer? {
            guard next < objects.count else {
                objects.removeAll(keepingCapacity: objects.count < 1000)
                next = 0
                return nil
            }
            defer { next += 1 }
            return UnsafeMutableRawPointer(bitPattern: objects[next])
        }
    }

    private static let state = Lock(State())

    /// Takes over a reference of the caller.
    package static func add(_ object: UnsafeMutableRawPointer) {
        let isFirst = state.withLock { state in
            state.objects.append(UInt(bitPattern: object))
            return state.objects.count == 1
        }
        if isFirst { scheduleSlice() }
    }

    // MARK: Last references

    /// Call first in the `dispose` of a class, and return at once if the result is `true`: another
    /// thread dropped the last reference, and `dispose` will run again on the main thread. Garbage
    /// collectors of other languages release objects on any thread.
    package static func defersDisposal(of object: UnsafeMutablePointer<GObject>?) -> Bool {
        guard let object, platform_is_main_thread() == 0, platform_was_forked() == 0 else { return false }
        let isFirst = deferred.withLock { $0.insert(UInt(bitPattern: object)).inserted }
        // A plain reference is not enough: the main thread could drop it before this thread has
        // dropped its own, which would then again be the last one.
        if isFirst { g_object_add_toggle_ref(object, lastReferenceIsLeft, nil) }
        return true
    }

    /// Objects with a toggle reference of this queue.
    private static let deferred = Lock<Set<UInt>>([])

    /// GLib calls this when the toggle reference is the only one, after the other thread has
    /// dropped its own.
    private static let lastReferenceIsLeft: GToggleNotify = { _, object, isLast in
        guard isLast != 0, let object, deferred.withLock({ $0.remove(UInt(bitPattern: object)) }) != nil else { return }
        g_object_ref(object)
        g_object_remove_toggle_ref(object, lastReferenceIsLeft, nil)
        add(UnsafeMutableRawPointer(object))
    }

    private static func scheduleSlice() {
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { _ in
                MainLoop.perform { ReleaseQueue.releaseSome() }
                return 0
            }, nil, nil)
    }

    private static func releaseSome() {
        let slice = MainThreadTimeSlice()
        while let object = state.withLock({ $0.take() }) {
            g_object_unref(object)
            if slice.isOver { return scheduleSlice() }
        }
    }
}
