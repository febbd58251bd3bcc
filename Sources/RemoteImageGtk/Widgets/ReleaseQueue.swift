// References that nobody holds any more, given back on the main thread.

import CGtk
import RemoteImageCore

/// Gives references back in the turns of the main loop, before the next frame, a few at a time: what thousands of views have
/// let go of would hold the main thread for long otherwise. From any thread.
enum ReleaseQueue {
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

    /// Takes over a reference of the caller's.
    static func add(_ object: UnsafeMutableRawPointer) {
        let isFirst = state.withLock { state in
            state.objects.append(UInt(bitPattern: object))
            return state.objects.count == 1
        }
        if isFirst { g_idle_add_full(G_PRIORITY_DEFAULT, { _ in ReleaseQueue.releaseSome() }, nil, nil) }
    }

    /// Whether there is more to release.
    private static func releaseSome() -> gboolean {
        let turn = MainThreadTurn()
        while let object = state.withLock({ $0.take() }) {
            g_object_unref(object)
            if turn.isOver { return 1 }
        }
        return 0
    }
}
