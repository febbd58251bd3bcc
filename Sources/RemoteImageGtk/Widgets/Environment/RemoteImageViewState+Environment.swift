import CGtk

/// What holds for a view: its own options and pipeline, over those that are set around it.
extension RemoteImageViewState {
    var isRooted: Bool { gtk_widget_get_root(widget) != nil }

    var options: ImageOptions { image.options.merged(over: WidgetEnvironment.options(at: widget)) }

    /// - Parameter present: What stays where the view is nowhere, between two places.
    func effectivePipeline(over present: ImagePipeline? = nil) -> ImagePipeline {
        if let pipeline { return pipeline }
        if !isRooted, let present { return present }
        return WidgetEnvironment.effectivePipeline(at: widget)
    }

    func effectiveOptions(of model: NetworkImageModel) -> ImageOptions {
        model.options.merged(over: model.pipeline.configuration.options)
    }
}
