// `RemoteImageProcessor`: processors of the decoded pixels as a GObject.

import CRemoteImageGtk

/// The state of a `RemoteImageProcessor`, which does not change after its creation.
@MainActor
package final class ProcessorObject: ObjectState {
    /// The processors in the order in which they run. More than one is a composition, whose steps
    /// other lists with the same beginning share.
    package private(set) var processors: [ImageProcessor] = []

    package init(_ object: UnsafeMutablePointer<GObject>) {}

    /// Makes an object, which the caller owns.
    package static func make(_ processors: [ImageProcessor]) -> UnsafeMutableRawPointer? {
        guard let object = shim_object_new(type) else { return nil }
        of(object).processors = processors
        return object
    }

    /// The processors of a property; none without an object.
    nonisolated static func processors(in slot: ObjectSlot) -> [ImageProcessor] {
        guard let pointer = slot.pointer else { return [] }
        nonisolated(unsafe) let object = pointer  // Never leaves this call, which is on the main thread.
        return MainLoop.assumeIsolated { of(object).processors }
    }

    /// The names of the processors with their parameters, for example `grayscale, circle()`.
    package var description: String { processors.map(\.identity).joined(separator: ", ") }
}

extension ProcessorObject {
    nonisolated package static let typeName: StaticString = "RemoteImageProcessor"

    nonisolated package static let type: GType = register()
}
