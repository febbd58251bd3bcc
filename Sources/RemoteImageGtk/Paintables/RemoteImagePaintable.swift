import CGtk

/// A remote image for places that draw a `GdkPaintable` and take no widget: a `GtkPicture`, a drag icon, a snapshot.
///
/// It has no place on the screen that could say when it is seen: it loads at once, and all pixels unless
/// `ImageOptions.maxPixelSize` bounds them. GTK redraws it when the image arrives.
///
/// ```swift
/// let background = RemoteImagePaintable("https://example.org/wood.jpg")
/// let image = gtk_picture_new_for_paintable(background.pointer)
/// gtk_picture_set_content_fit(OpaquePointer(image), GTK_CONTENT_FIT_COVER)
///
/// let icon = RemoteImagePaintable("https://example.org/cat.jpg", options: thumbnail)
/// gtk_drag_source_set_icon(dragSource, icon.pointer, 0, 0)
/// ```
///
/// A handle to a GObject of the class `RemoteImagePaintable`, which loads while it is referenced.
@MainActor
public struct RemoteImagePaintable {
    private let reference: ObjectReference

    /// - Parameters:
    ///   - source: Where the image comes from; nil draws nothing.
    ///   - options: Over those of the pipeline. When it loads is not among what they can say.
    ///   - pipeline: Who loads; nil, the default, is `ImagePipeline.shared`.
    ///   - scale: Pixels of the image per point, 1 by default: what its natural size is measured in.
    public init(
        _ source: (some ImageSourceConvertible)?, options: ImageOptions = ImageOptions(),
        pipeline: ImagePipeline? = nil, scale: Double = 1
    ) {
        reference = ObjectReference(owned: shim_object_new(PaintableObject.type))
        state.show(source?.imageSource, options: options, pipeline: pipeline ?? .shared, scale: scale)
    }

    /// The `GdkPaintable`. Valid while this value lives, at least until the next turn of the main loop.
    public var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    /// Where the image comes from. Another one takes the old image away, unless
    /// `ImageOptions.keepsImageWhileLoading` is set.
    public var source: ImageSource? {
        get { model.source }
        nonmutating set {
            state.show(newValue, options: model.options, pipeline: model.pipeline, scale: model.scale)
        }
    }

    /// What drives it: its phase, and `reload()`, `cancel()`.
    public var model: NetworkImageModel { state.model }

    private var state: PaintableObject { PaintableObject.of(reference.pointer) }
}
