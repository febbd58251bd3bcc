import CRemoteImageGtk

/// A widget that shows one image with zoom, from the whole image to magnified pixels.
///
/// Pinch, Ctrl and the scroll wheel, or the keys plus and minus zoom; the point between the fingers
/// or under the pointer stays where it is. The key 0 shows the image at the size of ``fit(_:)``,
/// the key 1 its natural size; a double click switches between them, and doubles the image where
/// they are the same. Dragging, the arrow keys and scrolling move the image. The program receives
/// keys with Alt or Super, and keys with Ctrl except for plus, minus and 0.
///
/// A handle to a `GtkScrolledWindow` with a ``RemoteImageView`` in it, which decodes more pixels
/// when it is zoomed in.
///
/// ```swift
/// Window("Map", width: 800, height: 600) {
///     RemoteImageViewer("https://example.org/map.jpg")
/// }
/// ```
///
/// The widget is made when it is first requested. Among other declarations, a viewer that is
/// declared again keeps its widget; another image is shown without a zoom factor.
@MainActor
public struct RemoteImageViewer: WidgetDeclaration {
    private enum Storage {
        case widget(Widget)
        case declared(DeclaredViewer)
    }

    /// How large an image is without a zoom factor.
    public enum Fit: Hashable, Sendable {
        /// The whole image, not enlarged.
        case whole
        /// As wide as the viewer, and scrolled to its top.
        case width
        /// As high as the viewer, and scrolled to its start.
        case height
        /// The smallest size that covers the viewer.
        case cover
        /// One point for each point of the image.
        case naturalSize
    }

    private let storage: Storage

    /// - Parameters:
    ///   - source: The image; `nil` for none.
    ///   - options: Override the options of the ancestors.
    ///   - pipeline: Default: `nil`, the pipeline of the nearest ancestor that has one, else
    ///     `ImagePipeline.shared`.
    ///   - scale: Pixels of the image per point. Default: 1.
    public init(
        _ source: (any ImageSourceConvertible)?, options: ImageOptions = ImageOptions(),
        pipeline: ImagePipeline? = nil, scale: Double = 1
    ) {
        var image = NetworkImage(source, scale: scale, options: options)
        image.pipeline = pipeline
        self.init(image)
    }

    /// Creates a viewer that shows a declared image: with its closures, options and modifiers.
    ///
    /// ```swift
    /// RemoteImageViewer(
    ///     NetworkImage("https://example.org/map.jpg").accessibleLabel("A map").contextMenu())
    /// ```
    public init(_ image: NetworkImage) {
        self.init(DeclaredViewer.Values(image: image))
    }

    public var content: Widget {
        switch storage {
        case .widget(let widget): widget
        case .declared(let declared): declared.widget
        }
    }

    public var body: DeclaredWidget {
        if case .declared(let declared) = storage { return declared.body }
        return content.body
    }

    private init(_ values: DeclaredViewer.Values) {
        storage = .declared(DeclaredViewer(values))
    }

    /// Makes a binding follow the zoom factor, and the viewer follow the binding. See ``zoom``.
    /// Before the widget is requested.
    public func zoom(_ zoom: Binding<Double?>) -> RemoteImageViewer {
        changing { $0.zoom = zoom }
    }

    /// Sets the size of an image without a zoom factor, for all images of the viewer and all sizes
    /// of its window. Default: ``Fit/whole``. Before the widget is requested.
    public func fit(_ fit: Fit) -> RemoteImageViewer {
        changing { $0.fit = fit }
    }

    /// Sets the maximum zoom factor. Default: 8; values below 1 become 1. Before the widget is
    /// requested.
    public func maxZoom(_ factor: Double) -> RemoteImageViewer {
        changing { $0.maxZoom = factor }
    }

    private func changing(_ change: (inout DeclaredViewer.Values) -> Void) -> RemoteImageViewer {
        guard case .declared(let declared) = storage else { return self }
        var values = declared.values
        change(&values)
        return RemoteImageViewer(values)
    }

    /// The viewer of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: OpaquePointer?) {
        guard let widget = Widget(borrowing: pointer.map(UnsafeMutableRawPointer.init)),
            ViewerZoom.data[widget.pointer] != nil
        else { return nil }
        storage = .widget(widget)
    }

    /// The widget, for the functions of GTK.
    public var pointer: UnsafeMutablePointer<GtkWidget> { content.pointer }

    /// The view of the image, with its model.
    public var view: RemoteImageView? { zoomState?.view }

    /// The zoom factor relative to the natural size of the image. Default: `nil`, for the size of
    /// ``fit(_:)``.
    public var zoom: Double? {
        get { zoomState?.zoom }
        nonmutating set { zoomState?.set(newValue, around: nil) }
    }

    /// The maximum zoom factor. Default: 8; values below 1 become 1.
    public var maxZoom: Double {
        get { zoomState?.maxZoom ?? 8 }
        nonmutating set { zoomState?.maxZoom = newValue }
    }

    private var zoomState: ViewerZoom? { ViewerZoom.data[content.pointer] }
}
