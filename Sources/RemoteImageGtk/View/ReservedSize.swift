import CRemoteImageGtk

/// The size of a view, independent of its content.
public enum ReservedSize: Hashable, Sendable {
    /// This size in points.
    case points(width: Int, height: Int)
    /// The height follows from the allocated width and this aspect ratio: width divided by height.
    ///
    /// Put views side by side into a homogeneous `Row` or `GtkBox`: from GTK 4.18 on, the minimum
    /// height of any other box can be less than theirs.
    case aspectRatio(Double)
}

extension ReservedSize {
    /// Wider than any view, but narrower than a child's share of the 2^20 points that GtkBox tries.
    private static var unlimitedWidth: Int32 { 1 << 14 }

    var requestMode: GtkSizeRequestMode {
        switch self {
        case .points: GTK_SIZE_REQUEST_CONSTANT_SIZE
        case .aspectRatio: GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
        }
    }

    /// `false` for an invalid aspect ratio: zero, negative or not finite.
    var isValid: Bool {
        if case .aspectRatio(let ratio) = self { ratio > 0 && ratio.isFinite } else { true }
    }

    /// `nil` for an invalid aspect ratio.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32)? {
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        switch self {
        case .points(let width, let height):
            let length = Int32(clamping: isWidth ? width : height)
            return (length, length)
        case .aspectRatio(let ratio):
            guard isValid else { return nil }
            // GtkBox tries widths up to 2^20 to find the width for a height. It expects that no
            // such width has a larger minimum height than a measurement without a width.
            guard size > 0, isWidth || size < Self.unlimitedWidth else { return (0, 0) }
            let exact = isWidth ? Double(size) * ratio : Double(size) / ratio
            let length = min(1_000_000, Int32(saturating: exact.rounded()))
            return isWidth ? (0, length) : (length, length)
        }
    }
}
