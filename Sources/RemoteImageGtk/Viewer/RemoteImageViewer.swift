import CRemoteImageGtk

/// A widget that shows one image with zoom, from the whole image to magnified pixels.
///
/// Pinch, Ctrl and the scroll wheel, or the keys plus and minus zoom; a double click and the keys 0
/// and 1 switch between the whole image and its natural size; dragging, the arrow keys and
/// scrolling move the image. A handle to a `GtkScrolledWindow` with a ``RemoteImageView`` in it,
/// which decodes more pixels when it is zoomed in.
///
/// ```swift
/// let viewer = RemoteImageViewer("https://example.org/map.jpg")
/// gtk_window_set_child(window, viewer.pointer)
/// ```
@MainActor
public struct RemoteImageViewer: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameters:
    ///   - source: The image.
    ///   - options: Override the options of the ancestors.
    ///   - pipeline: Default: `nil`, the pipeline of the nearest ancestor that has one, else
    ///     `ImagePipeline.shared`.
    ///   - scale: Pixels of the image per point. Default: 1.
    public init(
        _ source: (some ImageSourceConvertible)?, options: ImageOptions = ImageOptions(),
        pipeline: ImagePipeline? = nil, scale: Double = 1
    ) {
        let view = RemoteImageView(NetworkImage(source, scale: scale, options: options), pipeline: pipeline)
        content = Widget(gtk_scrolled_window_new())
        let zoom = ViewerZoom(view, in: content)
        ViewerZoom.data[content.pointer] = zoom
        ViewerInput.connect(zoom, to: content)
    }

    /// The viewer of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: OpaquePointer?) {
        guard let widget = Widget(of: pointer), ViewerZoom.data[widget.pointer] != nil else { return nil }
        content = widget
    }

    /// The widget, for the functions of GTK.
    public var pointer: UnsafeMutablePointer<GtkWidget> { content.pointer }

    /// The view of the image, with its model.
    public var view: RemoteImageView? { zoomState?.view }

    /// The zoom factor relative to the natural size of the image. Default: `nil`, which shows the
    /// whole image, but not enlarged.
    public var zoom: Double? {
        get { zoomState?.zoom }
        nonmutating set { zoomState?.set(newValue, around: nil) }
    }

    /// The maximum zoom factor. Default: 8; values below 1 become 1.
    public var maxZoom: Double {
        get { zoomState?.maxZoom ?? 8 }
        nonmutating set { zoomState?.maxZoom = max(1, newValue) }
    }

    private var zoomState: ViewerZoom? { ViewerZoom.data[content.pointer] }
}
