import CRemoteImageGtk

/// The file of an image, for programs that read images by their path or `file:` address: a media
/// player publishes its cover as
/// [`mpris:artUrl`](https://www.freedesktop.org/wiki/Specifications/mpris-spec/metadata/), and the
/// desktop shows it. Keep the value in a property as long as the address is published.
///
/// ```swift
/// let cover = try await pipeline.localFile(for: ImageRequest("https://example.org/cover.jpg"))
/// print("mpris:artUrl", cover.address)
/// ```
///
/// The file is a copy of the encoded data. Its path neither changes nor disappears while a copy of
/// this value exists, whatever is evicted from the disk cache or removed from it. The file is
/// removed soon after the last copy is released; the files that a process leaves at its end are
/// removed by the next process that makes one. Values of the same process with equal data share one
/// file. Another image never gets the path of an existing file, since desktops cache covers by
/// address.
///
/// The file is in the folder `files` of the disk cache of the pipeline: by default
/// `$XDG_CACHE_HOME/<application id>/remote-images/files`, also for a pipeline without a store. In
/// a Flatpak this is below `~/.var/app/<application id>/cache`, which has the same path on the host
/// ([base directories of
/// Flatpak](https://docs.flatpak.org/en/latest/conventions.html#xdg-base-directories)); `/tmp` of a
/// sandbox does not. Only the user may read the file.
public struct LocalImageFile: Sendable {
    private let held: HeldFile

    init(_ held: HeldFile) {
        self.held = held
    }

    /// The path, with the usual file name extension of the format of the image.
    public var path: String { held.path }

    /// The `file:` address (RFC 8089), percent-encoded.
    public var address: String {
        guard let file = g_file_new_for_path(path) else { return "" }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let address = g_file_get_uri(file) else { return "" }
        defer { g_free(address) }
        return String(cString: address)
    }
}

extension ImagePipeline {
    /// Loads the encoded data of an image into a local file that other programs can read.
    ///
    /// The data comes from the disk cache or from the source, as in `data(for:)`, and is not
    /// changed.
    ///
    /// Throws `ImageError.Code.notAnImage` for data that is not an image, the error of the decode
    /// for an image that cannot be decoded, and `ImageError.Code.io` if the file cannot be written
    /// or there is no cache folder.
    public func localFile(for request: ImageRequest) async throws(ImageError) -> LocalImageFile {
        LocalImageFile(try await heldFile(for: request, application: Self.applicationName))
    }
}
