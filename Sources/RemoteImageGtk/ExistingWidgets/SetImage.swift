import CGtk

extension OpaquePointer {
    /// Shows a remote image in this `GtkPicture` or `GtkImage`.
    ///
    /// The request takes the place of the one before, so that rows of lists may be bound again at any time. An image in
    /// memory is there when the call returns, or when a widget that takes its pipeline from around is put into a window;
    /// any other is loaded once the widget is mapped, has a size and is in sight, for the pixels of its place. Like a
    /// ``RemoteImageView`` it makes way for others when it goes out of sight, is decoded again when it has grown, and tries
    /// again when the network returns.
    ///
    /// ```swift
    /// image.setImage("https://example.org/cat.jpg", placeholder: .iconName("image-x-generic-symbolic"))
    /// ```
    ///
    /// - Parameters:
    ///   - source: Where the image comes from; nil shows the placeholder.
    ///   - placeholder: What is shown until then and after a failure: nothing by default.
    ///   - transition: How the image comes in; nil, the default, as the options say.
    ///   - options: Over those that are set on the widgets around.
    ///   - pipeline: nil, the default, is that of the widgets around.
    ///   - scale: Pixels of the image per point, 1 by default.
    ///   - playsAnimation: Whether one that moves is played while the widget is mapped, by default; else its first frame
    ///     is shown.
    ///   - completion: Called once: with the image, with what went wrong, or with `ImageError.cancelled` when another
    ///     request came. Not when the widget goes.
    @MainActor
    public func setImage(
        _ source: (some ImageSourceConvertible)?, placeholder: ImagePlaceholder = .clear,
        transition: ImageTransition? = nil, options: ImageOptions = ImageOptions(), pipeline: ImagePipeline? = nil,
        scale: Double = 1, playsAnimation: Bool = true,
        completion: (@MainActor (Result<LoadedImage, ImageError>) -> Void)? = nil
    ) {
        guard let widget = Widget(of: self), let target = PaintableTarget(widget.pointer) else {
            return shim_critical("setImage: this is neither a GtkPicture nor a GtkImage")
        }
        MainLoop.installOrExplain(for: "setImage")
        DesktopFollower.shared.start()
        // A completion that is called at once may throw the widget away.
        withExtendedLifetime(widget) {
            let load = WidgetLoadController.Declaration(
                source: source?.imageSource, options: options, pipeline: pipeline, scale: scale)
            let declaration = WidgetImageDeclaration(
                load: load, placeholder: placeholder, transition: transition, playsAnimation: playsAnimation)
            WidgetImageRequest.start(declaration, on: target, completion: completion)
        }
    }

    /// Ends the request of this `GtkPicture` or `GtkImage`. What it shows stays.
    @MainActor
    public func cancelImageRequest() {
        guard let widget = Widget(of: self) else { return }
        WidgetImageRequest.cancel(on: widget.pointer)
    }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// Shows a remote image in this `GtkPicture` or `GtkImage`: see `OpaquePointer.setImage`.
    @MainActor
    public func setImage(
        _ source: (some ImageSourceConvertible)?, placeholder: ImagePlaceholder = .clear,
        transition: ImageTransition? = nil, options: ImageOptions = ImageOptions(), pipeline: ImagePipeline? = nil,
        scale: Double = 1, playsAnimation: Bool = true,
        completion: (@MainActor (Result<LoadedImage, ImageError>) -> Void)? = nil
    ) {
        OpaquePointer(self).setImage(
            source, placeholder: placeholder, transition: transition, options: options, pipeline: pipeline,
            scale: scale, playsAnimation: playsAnimation, completion: completion)
    }

    /// Ends the request of this `GtkPicture` or `GtkImage`. What it shows stays.
    @MainActor
    public func cancelImageRequest() {
        OpaquePointer(self).cancelImageRequest()
    }
}
