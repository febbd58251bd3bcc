/// What an existing widget shows until its picture is there, and where there is none.
public enum ImagePlaceholder {
    /// What it shows already: the old picture stays.
    case none
    /// Nothing.
    case clear
    /// A picture that the program has.
    case image(LoadedImage)
    /// An icon of the theme, such as `image-missing-symbolic`.
    case iconName(String)
    /// Whatever the closure makes of the widget.
    case custom(@MainActor (Widget) -> Void)
}
