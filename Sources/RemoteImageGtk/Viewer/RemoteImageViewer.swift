import CGtk

/// A widget to look at one image closely: from the whole of it to its pixels and beyond.
///
/// Pinch, Ctrl and the scroll wheel, or the keys plus and minus zoom; a double click, 0 and 1 change between the whole
/// image and its own size; dragging, the arrow keys and scrolling move. A handle to a `GtkScrolledWindow` with a
/// ``RemoteImageView`` in it, which decodes more pixels when they are seen.
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
    ///   - options: Over those that are set on the widgets around.
    ///   - pipeline: nil, the default, is that of the widgets around.
    ///   - scale: Pixels of the image per point, 1 by default.
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

    /// The viewer behind a widget's pointer; nil where it is another widget, or none.
    public init?(of pointer: OpaquePointer?) {
        guard let widget = Widget(of: pointer), ViewerZoom.data[widget.pointer] != nil else { return nil }
        content = widget
    }

    /// The widget, for the functions of GTK.
    public var pointer: UnsafeMutablePointer<GtkWidget> { content.pointer }

    /// The view of the image, with its model.
    public var view: RemoteImageView? { zoomState?.view }

    /// Points for each point of the image's own size; nil, the default, shows the whole image, and never larger than
    /// it is.
    public var zoom: Double? {
        get { zoomState?.zoom }
        nonmutating set { zoomState?.set(newValue, around: nil) }
    }

    /// How far the image can be zoomed in: 8 by default.
    public var maxZoom: Double {
        get { zoomState?.maxZoom ?? 8 }
        nonmutating set { zoomState?.maxZoom = max(1, newValue) }
    }

    private var zoomState: ViewerZoom? { ViewerZoom.data[content.pointer] }
}
