/// The content of an existing widget until its image is loaded, and after a failure.
public enum ImagePlaceholder {
    /// The widget keeps its current content, but not the image of another account.
    case none
    /// The content that the widget had before its first image. If an earlier request with another
    /// placeholder has removed a paintable, it comes back as long as the program has it.
    case original
    /// The widget is cleared.
    case clear
    /// A loaded image.
    case image(LoadedImage)
    /// A themed icon, such as `image-missing-symbolic`. A `GtkImage` shows it in its own size,
    /// other widgets in `size` points.
    case iconName(String, size: Int = 48)
    /// The closure changes the widget.
    case custom(@MainActor (Widget) -> Void)
}
