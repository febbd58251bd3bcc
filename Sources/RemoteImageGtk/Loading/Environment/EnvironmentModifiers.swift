import CRemoteImageGtk

extension WidgetDeclaration {
    /// Sets the options for this widget and all views below it. They override the options of
    /// ancestors. See `Widget.imageOptions`.
    public func imageOptions(_ options: ImageOptions) -> Modified {
        modifier("image-options") { Widget($0.pointer).imageOptions = options }
    }

    /// Sets the pipeline for this widget and all views below it that set none of their own.
    public func imagePipeline(_ pipeline: ImagePipeline) -> Modified {
        modifier("image-pipeline") { Widget($0.pointer).imagePipeline = pipeline }
    }
}
