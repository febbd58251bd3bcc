import CGtk

extension Widget {
    /// Options for every view at and below this widget, over those that are set further out; nil, the default, sets none.
    /// Views follow a change at once where it concerns their layout and visibility (`reservedSize`, `targetFit`,
    /// `viewportMargin`), the priority, or the image that is made of the source (`processors`, `headers`, `requestHook`,
    /// `maxPixelSize`). All other options hold from the next load on.
    ///
    /// ```swift
    /// var options = ImageOptions()
    /// options.transition = .crossFade
    /// Widget(window).imageOptions = options
    /// ```
    public var imageOptions: ImageOptions? {
        get { WidgetEnvironment.at(pointer)?.options }
        nonmutating set {
            guard newValue != imageOptions else { return }
            WidgetEnvironment.change(at: pointer) { $0.options = newValue }
        }
    }

    /// The pipeline of every view at and below this widget that brings none of its own; nil, the default, leaves it to
    /// the widgets further out, and in the end to `ImagePipeline.shared`.
    public var imagePipeline: ImagePipeline? {
        get { WidgetEnvironment.at(pointer)?.pipeline }
        nonmutating set {
            guard newValue !== imagePipeline else { return }
            WidgetEnvironment.change(at: pointer) { $0.pipeline = newValue }
        }
    }

    /// The options that hold here: those of this widget over those of the widgets around it. Not those of the pipeline.
    public var effectiveImageOptions: ImageOptions { WidgetEnvironment.options(at: pointer) }

    /// The pipeline that holds here.
    public var effectiveImagePipeline: ImagePipeline { WidgetEnvironment.effectivePipeline(at: pointer) }

    /// Calls `body` when what holds here may have changed: something was set on this widget or around it, or it was
    /// moved. For an application's own views.
    public func observeImageEnvironment(_ body: @escaping @MainActor () -> Void) -> EnvironmentObservation {
        WidgetEnvironment.observe(at: pointer, body)
    }
}
