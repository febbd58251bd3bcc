import CGtk

/// Writes the file of a picture where somebody wants it.
@MainActor
enum PictureFile {
    /// The bytes come from the store as a rule; where they do not, they are loaded.
    static func write(_ request: ImageRequest, from pipeline: ImagePipeline, to file: ObjectReference) async {
        do throws(ImageError) {
            let data = try await pipeline.data(for: request)
            write(data.bytes, to: file)
        } catch {
            shim_warning("The picture could not be saved: \(error.localizedMessage)")
        }
    }

    /// Under another name first, so that a file that is there is whole, the old or the new. Does not wait.
    private static func write(_ bytes: [UInt8], to file: ObjectReference) {
        let content = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(content) }
        g_file_replace_contents_bytes_async(
            OpaquePointer(file.pointer), content, nil, 0, G_FILE_CREATE_REPLACE_DESTINATION, nil,
            { file, result, _ in
                var error: UnsafeMutablePointer<GError>?
                let target = file.map { OpaquePointer($0) }
                if g_file_replace_contents_finish(target, result, nil, &error) == 0, let error {
                    shim_warning("The picture could not be saved: \(String(cString: error.pointee.message))")
                    g_error_free(error)
                }
            }, nil)
    }
}
