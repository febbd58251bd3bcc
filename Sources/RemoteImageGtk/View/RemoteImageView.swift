import CGtk

/// The widget that shows a `NetworkImage`: loads when it can be seen, cancels when it cannot for a while, both as
/// `ImageOptions.loadOptions` say.
///
/// It can be seen when it is mapped, has a size, and is within the scrolled windows around it or at most
/// `ImageOptions.viewportMargin` away.
///
/// A handle to a `GtkWidget` of the class `RemoteImageView`, CSS name `remoteimage`, accessible role `img`. The widget
/// owns everything: the handle may be thrown away and made again of the widget's pointer, as rows of a list are.
///
/// ```swift
/// let view = RemoteImageView(NetworkImage("https://example.org/cat.jpg") { image in
///     Picture(image, contentFit: .cover)
/// } placeholder: {
///     Spinner()
/// })
/// gtk_box_append(box, view.pointer)
/// ```
@MainActor
public struct RemoteImageView: NetworkImageContentConvertible {
    public let content: Widget

    /// Makes a widget for `image`.
    ///
    /// The first one lets the main actor run on the GLib main loop (``MainLoop/install()``); where that cannot be done, a
    /// critical message says why.
    ///
    /// - Parameters:
    ///   - image: What is shown, in which phase. Its options go before those that are set on the widgets around.
    ///   - pipeline: Who loads; nil, the default, is the pipeline of the widgets around, else `ImagePipeline.shared`.
    public init(_ image: NetworkImage<Widget>, pipeline: ImagePipeline? = nil) {
        content = Widget(RemoteImageViewClass.make())
        state.show(image, pipeline: pipeline)
    }

    /// The view behind a widget's pointer; nil where it is another widget, or none.
    public init?(of pointer: UnsafeMutableRawPointer?) {
        guard let pointer, RemoteImageViewClass.isInstance(pointer), let widget = Widget(of: pointer) else {
            return nil
        }
        content = widget
    }

    /// The view behind a widget's pointer; nil where it is another widget, or none.
    public init?(of pointer: OpaquePointer?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    /// The view behind a widget's pointer; nil where it is another widget, or none.
    public init?(of pointer: UnsafeMutablePointer<GtkWidget>?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    /// The widget, for the functions of GTK.
    public var pointer: UnsafeMutablePointer<GtkWidget> { content.pointer }

    /// What is shown, in which phase. A new declaration takes effect at once; a load under way goes on if it makes the same
    /// image.
    public var image: NetworkImage<Widget> {
        get { state.image }
        nonmutating set { state.show(newValue, pipeline: state.pipeline) }
    }

    /// Where the image comes from, for rows that are used again: the old image goes. In a view that is shown, one that
    /// is in memory is there when the assignment ends; in one that is not, when it is mapped.
    public var source: ImageSource? {
        get { state.image.source }
        nonmutating set { state.setSource(newValue) }
    }

    /// What the image shows, for those who cannot see it; nil by default.
    public var alternativeText: String? {
        get { state.object.declaration.alternativeText }
        nonmutating set { shim_set_pointer(pointer, "alternative-text", newValue) }
    }

    /// Whether the image says nothing that is not said elsewhere, so that screen readers pass it over: false by default.
    public var isDecorative: Bool {
        get { state.object.declaration.decorative }
        nonmutating set { shim_set_number(pointer, "decorative", newValue ? 1 : 0) }
    }

    /// What drives the view: its phase, and `load()`, `reload()`, `cancel()`.
    public var model: NetworkImageModel { state.model }

    private var state: RemoteImageViewState { RemoteImageViewClass.state(of: content.pointer) }
}
