import CRemoteImageGtk

/// A widget that shows a `NetworkImage`. It loads when it becomes visible, and cancels when it has
/// not been visible for a while, as `ImageOptions.loadOptions` specifies.
///
/// The view is visible while it is mapped, laid out, and within the viewports of the scrolled
/// windows around it or at most `ImageOptions.viewportMargin` points outside. A view that is laid
/// out with no width or no height also loads its image, and decodes it in full.
///
/// A handle to a `GtkWidget` of the class `RemoteImageView`, CSS name `remoteimage`, accessible
/// role `img`. The widget owns its state: the handle may be discarded and made again from the
/// pointer of the widget, for example in the rows of a list.
///
/// ```swift
/// RemoteImageView("https://example.org/cat.jpg")
///     .contentFit(.cover)
///     .frame(width: 320, height: 240)
/// ```
///
/// Closures declare the content of the phases, as for a `NetworkImage`:
///
/// ```swift
/// let view = RemoteImageView("https://example.org/cat.jpg") { image in
///     Picture(image).cornerRadius(12)
/// } placeholder: {
///     Spinner()
/// }
/// gtk_box_append(box, view.pointer)
/// ```
///
/// The widget is made when it is first requested. Among other declarations, a view that is declared
/// again keeps its widget and its image.
@MainActor
public struct RemoteImageView: WidgetDeclaration {
    private enum Storage {
        case widget(Widget)
        case declared(DeclaredView)
    }

    private let storage: Storage

    /// Makes a widget for `image`.
    ///
    /// The first view makes the main actor run on the GLib main loop (``MainLoop/install()``); if
    /// that fails, a critical message is logged.
    ///
    /// - Parameters:
    ///   - image: The source, the options and the content of each phase. The options override those
    ///     of the ancestors.
    ///   - pipeline: The pipeline that loads the image. Default: `nil`, the pipeline of the nearest
    ///     ancestor that has one, else `ImagePipeline.shared`.
    public init(_ image: NetworkImage<Widget>, pipeline: ImagePipeline? = nil) {
        self.init(DeclaredView.Values(image: image, pipeline: pipeline))
    }

    init(_ values: DeclaredView.Values) {
        storage = .declared(DeclaredView(values))
    }

    /// The declaration; `nil` once the program has requested the widget.
    var declared: DeclaredView? {
        if case .declared(let declared) = storage, !declared.isRequested { declared } else { nil }
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

    /// The view of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: UnsafeMutableRawPointer?) {
        guard let pointer, shim_is_a(pointer, RemoteImageViewState.type) != 0, let widget = Widget(borrowing: pointer)
        else { return nil }
        storage = .widget(widget)
    }

    /// The view of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: OpaquePointer?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    /// The view of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: UnsafeMutablePointer<GtkWidget>?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    /// The widget, for the functions of GTK.
    public var pointer: UnsafeMutablePointer<GtkWidget> { content.pointer }

    /// The source, the options and the content of each phase. A change takes effect at once; a
    /// running load continues if it loads the same image.
    public var image: NetworkImage<Widget> {
        get { state.image }
        nonmutating set { state.show(newValue, pipeline: state.pipeline) }
    }

    /// The source of the image. Set it to recycle a row: the view drops the old image. A visible
    /// view shows a cached image before the assignment returns; another view shows it when it is
    /// mapped.
    public var source: ImageSource? {
        get { state.image.source }
        nonmutating set { state.setSource(newValue) }
    }

    /// The accessible label: a description of the image for screen readers. Default: `nil`.
    public var alternativeText: String? {
        get { state.properties.alternativeText }
        nonmutating set { shim_set_pointer(pointer, "alternative-text", newValue) }
    }

    /// Whether the image is only decoration, so that screen readers ignore it. Default: `false`.
    public var isDecorative: Bool {
        get { state.properties.decorative }
        nonmutating set { shim_set_number(pointer, "decorative", newValue ? 1 : 0) }
    }

    /// The model of the view, with its phase, `load()`, `reload()` and `cancel()`.
    public var model: NetworkImageModel { state.model }

    var state: RemoteImageViewState { RemoteImageViewState.of(content.pointer) }
}
