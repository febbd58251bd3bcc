import CGtk

extension ImageSource {
    /// The address as other programs take it, percent-encoded and of a file with its whole path (RFC 8089); nil where an image
    /// has none, and where the source is a choice. Never with a user name or a password.
    var address: String? {
        guard let filePath else { return webAddress?.string }
        // A path that is not whole begins where this process is.
        guard let file = g_file_new_for_path(filePath) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let address = g_file_get_uri(file) else { return nil }
        defer { g_free(address) }
        return String(cString: address)
    }
}
