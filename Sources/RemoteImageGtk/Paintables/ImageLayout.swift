import CGtk

/// How an image is brought into its place.
struct ImageLayout: Equatable {
    var fit: Picture.ContentFit
    /// Where the image is where its place is larger, and what of it is seen where it is smaller: 0 left, 1 right.
    var x = 0.5
    /// The same: 0 top, 1 bottom.
    var y = 0.5
    /// Of the corners of what is drawn, in points.
    var cornerRadius = 0.0

    /// Whether it is what every fit does by itself.
    var isPlain: Bool { (x, y, cornerRadius) == (0.5, 0.5, 0) }

    /// Where in a place of `width` × `height` points an image of that size is drawn; it may reach out of it.
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

extension Picture.ContentFit {
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
