import CRemoteImageGtk

/// The widget of a ``NetworkImage``, for programs that hold pointers to widgets.
///
/// It loads its image when it becomes visible, and cancels when it has not been visible for a
/// while, as `ImageOptions.loadOptions` specifies. It is visible while it is mapped, laid out, and
/// within the viewports of the scrolled windows around it or at most `ImageOptions.viewportMargin`
/// points outside. In a list, a row that GTK has not mapped yet counts as visible within this
/// margin, too. A view that is laid out with no width or no height also loads its image, and
/// decodes it in full.
///
/// A handle to a `GtkWidget` of the class `RemoteImageView`, CSS name `remoteimage`, accessible
/// role `img`. The widget owns its state: the handle may be discarded and made again from the
/// pointer of the widget, for example in the rows of a list.
///
/// ```swift
/// let view = RemoteImageView(NetworkImage("https://example.org/cat.jpg").contentFit(.cover))
/// gtk_box_append(box, view.pointer)
/// view.source = "https://example.org/dog.jpg"
/// ```
///
/// Among declarations, it is this very widget.
@MainActor
public struct RemoteImageView: WidgetDeclaration {
    public let content: Widget
    public var body: DeclaredWidget { return content.body }

    /// Makes a widget for `image`, with its modifiers.
    ///
    /// The first view makes the main actor run on the GLib main loop (``MainLoop/install()``); if
    /// that fails, a critical message is logged.
    ///
    /// - Parameters:
    ///   - image: The source, the options and the content of each phase. The options override those
    ///     of the ancestors.
    ///   - pipeline: The pipeline that loads the image. Default: `nil`, that of the image, or of
    ///     the nearest ancestor that has one, else `ImagePipeline.shared`.
    public init(_ image: NetworkImage, pipeline: ImagePipeline? = nil) {
        var image = image
        if let pipeline { image.pipeline = pipeline }
        // Without the box of a maximum size, which is for the container of a declared image.
        content = WidgetNode.makeWidget(image.body)
    }

    /// The view of a widget pointer; `nil` if the pointer is `nil` or another widget.
    public init?(of pointer: UnsafeMutableRawPointer?) {
        guard let pointer, shim_is_a(pointer, RemoteImageViewState.type) != 0, let widget = Widget(borrowing: pointer)
        else { return nil }
        content = widget
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

    /// The source, the options and the content of each phase, and modifiers. A change takes effect
    /// at once; a running load continues if it loads the same image. The pipeline stays unless the
    /// new image has one. The handlers of the old image are no longer called; properties that its
    /// modifiers have set, such as a CSS class, stay.
    public var image: NetworkImage {
        get { state.image }
        nonmutating set {
            var image = newValue
            if image.pipeline == nil { image.pipeline = state.image.pipeline }
            WidgetNode.attached(to: content).update(to: image.body)
        }
    }

    /// The source of the image. Set it to recycle a row: the view drops the old image. A visible
    /// view shows a cached image before the assignment returns; another view shows it when it is
    /// mapped.
    public var source: ImageSource? {
        get { state.image.source }
        nonmutating set { state.setSource(newValue) }
    }

    /// A description of the image for screen readers. Default: `nil`.
    public var accessibleLabel: String? {
        get { state.properties.alternativeText }
        nonmutating set { shim_set_pointer(pointer, "alternative-text", newValue) }
    }

    /// Whether the image is only decoration, so that screen readers ignore it. Default: `false`.
    public var isDecorative: Bool {
        get { state.properties.decorative }
        nonmutating set { shim_set_number(pointer, "decorative", newValue ? 1 : 0) }
    }

    /// Whether an animated image plays, otherwise it pauses at its current frame. Default: `true`.
    public var isPlaying: Bool {
        get { state.properties.display.isPlaying }
        nonmutating set { shim_set_number(pointer, "playing", newValue ? 1 : 0) }
    }

    /// The model of the view, with its phase, `load()`, `reload()` and `cancel()`.
    public var model: NetworkImageModel { state.model }

    var state: RemoteImageViewState { RemoteImageViewState.of(content.pointer) }
}

extension RemoteImageViewState {
    package func setAccessibleLabel(_ text: String) { shim_set_pointer(widget, "alternative-text", text) }

    package func setMenuItems(_ items: @escaping ContextMenu.Items) {
        guard let view = RemoteImageView(of: widget) else { return }
        view.hasContextMenu = true
        ImageMenu.set(items, on: view)
    }
}
