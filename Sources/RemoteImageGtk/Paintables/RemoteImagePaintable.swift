import CRemoteImageGtk

/// A remote image as a `GdkPaintable`, for a `GtkPicture`, a drag icon, a snapshot.
///
/// A paintable has no position on screen. It therefore loads at once, and decodes all pixels unless
/// `ImageOptions.maxPixelSize` limits them. GTK redraws it when the image arrives.
///
/// A widget that draws the paintable directly, as below, does not tell whether it is visible: GTK
/// draws all widgets of a scrolled window at once, and scrolls without drawing them again. The
/// paintable then keeps its image as long as it exists. A ``picture(contentFit:)`` releases it
/// after `ImageOptions.releaseDelay`, and so does `setImage` on a widget.
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
    ///   - source: The source of the image; `nil` draws nothing.
    ///   - options: Override the options of the pipeline. `loadOptions` has no effect.
    ///   - pipeline: The pipeline that loads the image. Default: `nil`, `ImagePipeline.shared`.
    ///   - scale: Pixels of the image per point, for its natural size. Default: 1.
    public init(
        _ source: (any ImageSourceConvertible)?, options: ImageOptions = ImageOptions(),
        pipeline: ImagePipeline? = nil, scale: Double = 1
    ) {
        reference = ObjectReference(owned: shim_object_new(PaintableObject.type))
        state.show(source?.imageSource, options: options, pipeline: pipeline ?? .shared, scale: scale)
    }

    /// The `GdkPaintable`. Valid while this value lives, and at least until the next iteration of
    /// the main loop.
    public var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    /// The source of the image. Setting another source removes the old image, unless
    /// `ImageOptions.keepsImageWhileLoading` is set.
    public var source: ImageSource? {
        get { model.source }
        nonmutating set {
            state.show(newValue, options: model.options, pipeline: model.pipeline, scale: model.scale)
        }
    }

    /// The model of the paintable, with its phase, `reload()` and `cancel()`.
    public var model: NetworkImageModel { state.model }

    /// Declares a `GtkPicture` that shows the image of the paintable. Its minimum size is zero.
    /// While no such picture is visible, the paintable releases its image; see
    /// `ImageOptions.releaseDelay`.
    ///
    /// - Parameter contentFit: How the image is fitted into its area. Default: `.contain`.
    public func picture(contentFit: ContentFit = .contain) -> DeclaredWidget {
        DeclaredWidget("GtkPicture of a paintable") { Widget(gtk_picture_new()) }.setting { node in
            if !PaintableBinding.isBound(reference.pointer, to: node.pointer, "paintable") {
                _ = PaintableBinding.bind(reference.pointer, to: node.pointer, "paintable")
            }
            gtk_picture_set_content_fit(node.opaque, contentFit.gtk)
        }
    }

    private var state: PaintableObject { PaintableObject.of(reference.pointer) }
}
