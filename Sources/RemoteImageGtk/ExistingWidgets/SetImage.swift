import CRemoteImageGtk

extension OpaquePointer {
    /// Shows a remote image in this `GtkPicture` or `GtkImage`, or in another widget with a
    /// property of type `GdkPaintable`, such as `AdwAvatar`.
    ///
    /// The request replaces the previous one of the widget, so that rows of lists can be bound
    /// again at any time. A cached image is shown before the call returns, or, if the widget is not
    /// in a window yet and uses the pipeline of its ancestors, when it is put into a window. Any
    /// other image is loaded when the widget is mapped and visible, and is decoded at the size of
    /// the widget in pixels. A widget that has no size after three frames loads it nevertheless; a
    /// `GtkPicture` then decodes all pixels, unless `maxPixelSize` is set. Like a
    /// ``RemoteImageView``, the request yields to other loads when the widget is no longer visible,
    /// decodes again when the widget has grown, and retries when the network returns.
    ///
    /// ```swift
    /// image.setImage(
    ///     "https://example.org/cat.jpg", placeholder: .iconName("image-x-generic-symbolic"))
    /// ```
    ///
    /// An `AdwAvatar` shows its initials until its image is loaded, and after a failure:
    ///
    /// ```swift
    /// avatar.setImage("https://example.org/ann.jpg")
    /// ```
    ///
    /// - Parameters:
    ///   - source: The source of the image; `nil` shows the placeholder.
    ///   - property: The name of a writable property of type `GdkPaintable` that shows the image.
    ///     Default: `nil`, the image of a `GtkPicture` or `GtkImage`, or the property
    ///     `custom-image` or else `paintable` of another widget.
    ///   - placeholder: The content until the image, or a preview for which the options ask, is
    ///     there, and after a failure. Default: `.clear`, which sets the property to `NULL`.
    ///   - transition: The transition to the image, in a `GtkPicture` or `GtkImage`; other widgets
    ///     show the image at once. Default: `nil`, the transition of the options.
    ///   - options: Override the options of the ancestors.
    ///   - pipeline: Default: `nil`, the pipeline of the nearest ancestor that has one, else
    ///     `ImagePipeline.shared`.
    ///   - scale: Pixels of the image per point. Default: 1.
    ///   - playsAnimation: Whether an animated image plays while the widget is visible; otherwise
    ///     its first frame is shown. Default: `true`.
    ///   - completion: Called once: with the image, with the error, or with `ImageError.cancelled`
    ///     when another request replaces this one or it is cancelled. With a `nil` source it is
    ///     called only on replacement or cancellation. Not called when the widget is destroyed.
    @MainActor
    public func setImage(
        _ source: (any ImageSourceConvertible)?, property: String? = nil, placeholder: ImagePlaceholder = .clear,
        transition: ImageTransition? = nil, options: ImageOptions = ImageOptions(), pipeline: ImagePipeline? = nil,
        scale: Double = 1, playsAnimation: Bool = true,
        completion: (@MainActor (Result<LoadedImage, ImageError>) -> Void)? = nil
    ) {
        guard let widget = borrowed, let target = PaintableTarget(widget.pointer, property: property) else {
            let wanted = property.map { " named \($0)" } ?? ""
            return shim_critical("setImage: this widget has no writable property of type GdkPaintable\(wanted)")
        }
        MainLoop.installOrExplain(for: "setImage")
        DesktopFollower.shared.start()
        let declaration = WidgetLoadController.Declaration(
            source: source?.imageSource, options: options, pipeline: pipeline, scale: scale)
        let request = WidgetImageRequest(
            declaration, on: target, placeholder: placeholder, transition: transition, playsAnimation: playsAnimation,
            completion: completion)
        // A completion that is called synchronously may release the widget, which owns the request.
        withExtendedLifetime((widget, request)) { request.start() }
    }

    /// Cancels the request of this widget. The widget keeps its content.
    @MainActor
    public func cancelImageRequest() {
        guard let widget = borrowed else { return }
        WidgetImageRequest.cancel(on: widget.pointer)
    }

    @MainActor
    private var borrowed: Widget? { Widget(borrowing: UnsafeMutableRawPointer(self)) }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// Shows a remote image in this widget: see `OpaquePointer.setImage`.
    @MainActor
    public func setImage(
        _ source: (any ImageSourceConvertible)?, property: String? = nil, placeholder: ImagePlaceholder = .clear,
        transition: ImageTransition? = nil, options: ImageOptions = ImageOptions(), pipeline: ImagePipeline? = nil,
        scale: Double = 1, playsAnimation: Bool = true,
        completion: (@MainActor (Result<LoadedImage, ImageError>) -> Void)? = nil
    ) {
        OpaquePointer(self).setImage(
            source, property: property, placeholder: placeholder, transition: transition, options: options,
            pipeline: pipeline,
            scale: scale, playsAnimation: playsAnimation, completion: completion)
    }

    /// Cancels the request of this widget. The widget keeps its content.
    @MainActor
    public func cancelImageRequest() {
        OpaquePointer(self).cancelImageRequest()
    }
}
