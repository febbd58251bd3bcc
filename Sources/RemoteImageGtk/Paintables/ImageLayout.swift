import CRemoteImageGtk

/// The fit, position and corner radius of an image in an area.
struct ImageLayout: Equatable {
    var fit: ContentFit
    /// The horizontal alignment of the image in a larger area, or of the visible part in a smaller
    /// one: 0 is left, 1 is right.
    var x = 0.5
    /// The vertical alignment: 0 is top, 1 is bottom.
    var y = 0.5
    /// The corner radius of the drawn area, in points.
    var cornerRadius = 0.0

    /// Whether the image is centered and has square corners.
    var isPlain: Bool { (x, y, cornerRadius) == (0.5, 0.5, 0) }

    /// The rectangle in which an image is drawn in an area of `width` × `height` points. It may
    /// extend beyond the area.
    func area(ofWidth imageWidth: Double, height imageHeight: Double, inWidth width: Double, height: Double) -> Rect {
        guard fit != .fill, imageWidth > 0, imageHeight > 0 else {
            return Rect(x: 0, y: 0, width: width, height: height)
        }
        let (across, down) = (width / imageWidth, height / imageHeight)
        let factor =
            switch fit {
            case .cover: max(across, down)
            case .contain, .fill: min(across, down)
            case .scaleDown: min(1, across, down)
            }
        let (drawnWidth, drawnHeight) = (imageWidth * factor, imageHeight * factor)
        return Rect(
            x: ((width - drawnWidth) * x).rounded(), y: ((height - drawnHeight) * y).rounded(), width: drawnWidth,
            height: drawnHeight)
    }
}

extension ContentFit {
    var gtk: GtkContentFit {
        switch self {
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .fill: GTK_CONTENT_FIT_FILL
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }

    init(_ fit: GtkContentFit) {
        switch fit {
        case GTK_CONTENT_FIT_COVER: self = .cover
        case GTK_CONTENT_FIT_FILL: self = .fill
        case GTK_CONTENT_FIT_SCALE_DOWN: self = .scaleDown
        default: self = .contain
        }
    }
}
