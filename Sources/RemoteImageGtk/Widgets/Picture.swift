import CRemoteImageGtk

/// A loaded image. Its natural size is the size of the image in points; it shrinks if there is less
/// space.
///
/// A view draws the picture itself if it is the whole content; among other widgets it is a
/// `GtkPicture`, which is kept when it is declared again. An image that is more than twice as large
/// as it is drawn is replaced by a scaled-down one once the size has settled, since GTK would draw
/// it with aliasing.
public struct Picture: WidgetDeclaration {
    let image: LoadedImage
    let playsAnimation: Bool
    private(set) var layout: ImageLayout
    private(set) var accessibleLabel: String?

    /// - Parameters:
    ///   - image: The image.
    ///   - contentFit: How the image is fitted into its area. Default: `.contain`.
    ///   - playsAnimation: Whether an animated image plays while it is visible; otherwise its first
    ///     frame is shown. Default: `true`.
    public init(_ image: LoadedImage, contentFit: ContentFit = .contain, playsAnimation: Bool = true) {
        (self.image, self.playsAnimation) = (image, playsAnimation)
        layout = ImageLayout(fit: contentFit)
    }

    public var content: Widget {
        // The label belongs to a widget.
        accessibleLabel == nil ? Widget(PictureContent(self)) : WidgetNode.makeWidget(body)
    }

    public var body: DeclaredWidget {
        return DeclaredWidget("GtkPicture") {
            let widget = Widget(gtk_picture_new())
            gtk_picture_set_can_shrink(widget.opaque, 1)
            return widget
        }
        .setting { ShownPicture.show(self, in: $0.pointer) }
    }

    /// Sets the description of the image for screen readers.
    public func accessibleLabel(_ text: String) -> Picture {
        var picture = self
        picture.accessibleLabel = text
        return picture
    }

    /// Sets the alignment of the image in a larger area, or of the visible part in a smaller one:
    /// from (0, 0), top left, to (1, 1), bottom right. Default: (0.5, 0.5), the center.
    public func position(x: Double, y: Double) -> Picture {
        var picture = self
        (picture.layout.x, picture.layout.y) = (min(1, max(0, x)), min(1, max(0, y)))
        return picture
    }

    /// Sets the corner radius of the visible part of the image, in points. Default: 0; negative
    /// values become 0.
    public func cornerRadius(_ radius: Double) -> Picture {
        var picture = self
        picture.layout.cornerRadius = max(0, radius)
        return picture
    }
}
