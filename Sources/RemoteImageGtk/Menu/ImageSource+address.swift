import CRemoteImageGtk

extension ImageSource {
    /// The address for other programs, percent-encoded, for a file with its absolute path (RFC
    /// 8089); `nil` if the source has no address or is a choice of sources. It never contains a
    /// user name or a password.
    var address: String? {
        guard let filePath else { return webAddress?.string }
        // GIO resolves a relative path against the current directory.
        guard let file = g_file_new_for_path(filePath.cString) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let address = g_file_get_uri(file) else { return nil }
        defer { g_free(address) }
        return String(cString: address)
    }
}
