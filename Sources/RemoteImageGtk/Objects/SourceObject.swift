// `RemoteImageSource`: an `ImageSource` as a GObject.

import CRemoteImageGtk

/// The state of a `RemoteImageSource`, which does not change after it is made.
@MainActor
package final class SourceObject: ObjectState {
    /// An object that `g_object_new()` made has no source; its loads fail.
    package private(set) var source = ImageSource.provider(
        ClosureImageProvider(identity: "remote-image:none") {
            throw ImageError(.source, "the source was not made by one of its constructors")
        })

    package init(_ object: UnsafeMutablePointer<GObject>) {}

    /// Makes an object. The caller releases it.
    package static func make(_ source: ImageSource) -> UnsafeMutableRawPointer {
        let object: UnsafeMutableRawPointer = shim_object_new(type)
        of(object).source = source
        return object
    }

    package static func answer(_ source: ImageSource) -> AsyncAnswer { .object(ObjectReference(owned: make(source))) }
}

extension SourceObject {
    nonisolated package static let typeName: StaticString = "RemoteImageSource"

    nonisolated package static let type: GType = register()
}
