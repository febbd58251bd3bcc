/// What an existing widget shows until its image is there, and where there is none.
public enum ImagePlaceholder {
    /// What it shows already: the old image stays.
    case none
    /// Nothing.
    case clear
    /// An image that the program has.
    case image(LoadedImage)
    /// An icon of the theme, such as `image-missing-symbolic`.
    case iconName(String)
    /// Whatever the closure makes of the widget.
    case custom(@MainActor (Widget) -> Void)
}
