/// How an image is fitted into its area.
public enum ContentFit: String, Hashable, Sendable {
    /// Shows the whole image and keeps its aspect ratio.
    case contain
    /// Fills the whole area and keeps the aspect ratio; the excess is clipped equally on both
    /// sides.
    case cover
    /// Fills the whole area without keeping the aspect ratio.
    case fill
    /// Like ``contain``, but never larger than the image.
    case scaleDown
}
