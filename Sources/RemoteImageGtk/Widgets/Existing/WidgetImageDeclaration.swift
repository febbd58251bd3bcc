/// What `setImage` was told.
struct WidgetImageDeclaration {
    var source: ImageSource?
    var placeholder: ImagePlaceholder
    /// Over those that are set around the widget.
    var options: ImageOptions
    /// Nil takes that of the widgets around.
    var pipeline: ImagePipeline?
    var scale: Double
    /// Nil takes that of the options.
    var transition: ImageTransition?
    var playsAnimation: Bool
}
