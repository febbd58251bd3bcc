/// The arguments of `setImage`.
struct WidgetImageDeclaration {
    var load: WidgetLoadController.Declaration
    var placeholder: ImagePlaceholder
    /// `nil` for the transition of the options.
    var transition: ImageTransition?
    var playsAnimation: Bool
}
