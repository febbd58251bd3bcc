import CRemoteImageGtk

/// Writes the file of an image to a path that the user chose.
@MainActor
enum ImageFile {
    /// Takes the bytes from the store if possible, else loads them.
    static func write(
        _ request: ImageRequest, from pipeline: ImagePipeline, to file: ObjectReference
    ) async throws(SaveFailure) {
        let bytes: [UInt8]
        do throws(ImageError) {
            bytes = try await pipeline.data(for: request).bytes
        } catch {
            throw SaveFailure(reason: error.localizedDescription)
        }
        if let failure = await write(bytes, to: file) { throw failure }
    }

    /// Writes a temporary file and renames it, so that an existing file is replaced atomically.
    private static func write(_ bytes: [UInt8], to file: ObjectReference) async -> SaveFailure? {
        let content = SharedBytes.make(bytes)
        defer { g_bytes_unref(content) }
        return await withCheckedContinuation { continuation in
            g_file_replace_contents_bytes_async(
                OpaquePointer(file.pointer), content, nil, 0, shim_file_create_replace_destination, nil,
                { file, result, writing in
                    guard let writing else { return }
                    let owned = Unmanaged<Writing>.fromOpaque(writing).takeRetainedValue()
                    owned.value.resume(returning: ImageFile.failure(of: file, result))
                }, Unmanaged.passRetained(Writing(continuation)).toOpaque())
        }
    }

    private nonisolated static func failure(
        of file: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?
    ) -> SaveFailure? {
        var error: UnsafeMutablePointer<GError>?
        let target = file.map { OpaquePointer($0) }
        guard g_file_replace_contents_finish(target, result, nil, &error) == 0 else { return nil }
        defer { g_clear_error(&error) }
        return SaveFailure(reason: error.map { String(cString: $0.pointee.message) } ?? "")
    }

    /// The continuation that waits for the end of writing.
    private typealias Writing = Box<CheckedContinuation<SaveFailure?, Never>>
}
