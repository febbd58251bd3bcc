import CRemoteImageGtk

/// A weak reference to a `GObject`.
final class WeakObject: @unchecked Sendable {
    // Unchecked: GLib synchronizes access to the weak reference.
    private let reference: UnsafeMutablePointer<GWeakRef>
    /// For comparison only.
    let address: UInt

    init(_ object: UnsafeMutableRawPointer) {
        reference = .allocate(capacity: 1)
        g_weak_ref_init(reference, object)
        address = UInt(bitPattern: object)
    }

    func strong() -> ObjectReference? {
        g_weak_ref_get(reference).map { ObjectReference(owned: $0) }
    }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }
}
