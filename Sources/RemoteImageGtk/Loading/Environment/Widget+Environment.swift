import CRemoteImageGtk

extension Widget {
    /// The options for this widget and all views below it. They override the options of ancestors.
    /// Default: `nil`, no options. Changes to the layout and visibility (`reservedSize`,
    /// `targetFit`, `viewportMargin`), the priority, the preview hash, and the options that
    /// determine the image (`processors`, `headers`, `requestHook`, `authorization`,
    /// `maxPixelSize`) take effect at once; all other changes take effect with the next load.
    ///
    /// ```swift
    /// var options = ImageOptions()
    /// options.transition = .crossFade
    /// Widget(of: window)?.imageOptions = options
    /// ```
    public var imageOptions: ImageOptions? {
        get { WidgetEnvironment.at(pointer)?.options }
        nonmutating set {
            guard newValue != imageOptions else { return }
            WidgetEnvironment.change(at: pointer) { $0.options = newValue }
        }
    }

    /// The pipeline for this widget and all views below it that set none of their own. Default:
    /// `nil`, the pipeline of the nearest ancestor that has one, else `ImagePipeline.shared`.
    public var imagePipeline: ImagePipeline? {
        get { WidgetEnvironment.at(pointer)?.pipeline }
        nonmutating set {
            guard newValue !== imagePipeline else { return }
            WidgetEnvironment.change(at: pointer) { $0.pipeline = newValue }
        }
    }

    /// The options of this widget merged over those of its ancestors, without those of the
    /// pipeline.
    public var effectiveImageOptions: ImageOptions { WidgetEnvironment.options(at: pointer) }

    /// The pipeline of this widget or of the nearest ancestor that has one, else
    /// `ImagePipeline.shared`.
    public var effectiveImagePipeline: ImagePipeline { WidgetEnvironment.effectivePipeline(at: pointer) }

    /// Calls `body` when the effective options or pipeline of this widget may have changed: they
    /// were set on this widget or an ancestor, or the widget was moved. For custom views of an
    /// application.
    public func observeImageEnvironment(_ body: @escaping @MainActor () -> Void) -> ObservationToken {
        WidgetEnvironment.observe(at: pointer, body)
    }
}
