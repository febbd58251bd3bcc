import CRemoteImageGtk

/// The content of an image drag: the file and the pixels for programs that show images, the address
/// for programs that fetch it.
@MainActor
enum ImageDrag {
    /// The longer side of the drag icon, in points.
    static let iconSide = 96.0

    /// Makes a drag source for the image of a view.
    static func makeSource(
        of view: UnsafeMutablePointer<GtkWidget>, address: @escaping @MainActor () -> String?
    )
        -> OpaquePointer?
    {
        let source = gtk_drag_source_new()
        EventControllers.connectPrepare(source) {
            // The viewer moves the image.
            guard ViewerZoom.around(view)?.canScroll != true else { return nil }
            guard let model = RemoteImageView(of: view)?.model, let image = model.image else { return nil }
            gtk_drag_source_set_icon(source, icon(image).map { OpaquePointer($0.pointer) }, 0, 0)
            return content(of: model, address: address())
        }
        return source
    }

    /// The image at the size of the drag icon, with its aspect ratio.
    static func icon(_ image: LoadedImage) -> ObjectReference? {
        var image = image
        let size = image.info.naturalSize
        image.scale = max(1, Double(max(size.width, size.height)) / iconSide)
        return ImagePaintable.make(image)
    }

    /// A new reference to the dragged content.
    private static func content(of model: NetworkImageModel, address: String?) -> OpaquePointer? {
        var providers: [UnsafeMutablePointer<GdkContentProvider>?] = OriginalContent.make(of: model)
        if let address {
            // A list of addresses, one per line (RFC 2483, section 5), and the address as plain
            // text.
            providers.append(provider(of: address + "\r\n", type: "text/uri-list"))
            providers.append(provider(of: address, type: "text/plain;charset=utf-8"))
        }
        // Takes over the references.
        return gdk_content_provider_new_union(&providers, gsize(providers.count)).map { OpaquePointer($0) }
    }

    private static func provider(of text: String, type: String) -> UnsafeMutablePointer<GdkContentProvider>? {
        let bytes = Array(text.utf8)
        let content = SharedBytes.make(bytes)
        defer { g_bytes_unref(content) }
        return gdk_content_provider_new_for_bytes(type, content)
    }
}
