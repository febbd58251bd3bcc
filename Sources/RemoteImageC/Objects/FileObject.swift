// `RemoteImageFile`: the handle of a local file of an image.

import CRemoteImageGtk
import RemoteImageGtk

/// The state of a `RemoteImageFile`.
@MainActor
final class FileObject: ObjectState {
    private var held: LocalImageFile?
    private var file = ObjectSlot(nil)

    /// An object that the library has not made has no file.
    init(_ object: UnsafeMutablePointer<GObject>) {}

    static func make(_ held: LocalImageFile) -> ObjectReference {
        let object: UnsafeMutableRawPointer = shim_object_new(type)
        let state = FileObject.of(object)
        state.held = held
        let file = ObjectReference(owned: UnsafeMutableRawPointer(g_file_new_for_path(held.path)))
        state.file = ObjectSlot(file.pointer)
        return ObjectReference(owned: object)
    }
}

extension FileObject {
    nonisolated static let table = PropertyTable<FileObject>(
        (),
        [
            .readOnly("file", .object(g_file_get_type()), initially: ObjectSlot(nil)) { $0.file }
        ])

    nonisolated static let typeName: StaticString = "RemoteImageFile"

    nonisolated static let type: GType = register()
}

extension PipelineObject {
    /// Loads an image into a local file.
    func file(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        .object(FileObject.make(try await pipeline.localFile(for: request)))
    }

    /// Loads the icon of a notification.
    ///
    /// - Parameter side: The maximum side in pixels; 0 for the default.
    func icon(
        for request: ImageRequest, side: Int, fit: ContentFit
    ) async throws(ImageError) -> AsyncAnswer {
        .object(try await pipeline.notificationIcon(for: request, side: side == 0 ? 256 : side, fit: fit).reference)
    }
}
