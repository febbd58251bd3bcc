import CRemoteImageGtk

/// A weak reference to a `GObject`.
package final class WeakObject: @unchecked Sendable {
    // Unchecked: GLib synchronizes access to the weak reference.
    private let reference: UnsafeMutablePointer<GWeakRef>
    /// For comparison only.
    package let address: UInt

    package init(_ object: UnsafeMutableRawPointer) {
        reference = .allocate(capacity: 1)
        g_weak_ref_init(reference, object)
        address = UInt(bitPattern: object)
    }

    package func strong() -> ObjectReference? {
        g_weak_ref_get(reference).map { ObjectReference(owned: $0) }
    }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }
}

/// A weak reference to a Swift object, as an element of a collection.
package struct Weak<Object: AnyObject> {
    package weak var object: Object?

    package init(_ object: Object) { self.object = object }
}
