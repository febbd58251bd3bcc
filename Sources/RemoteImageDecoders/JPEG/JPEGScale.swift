// The reduced sizes that the inverse transform of a JPEG gives for almost nothing.

package enum JPEGScale {
    /// The smallest size that the JPEG transform gives, among 1/1, 1/2, 1/4 and 1/8 with sides rounded up, that is
    /// not below `wanted` on either side.
    package static func smallestSize(of size: PixelSize, notBelow wanted: PixelSize) -> PixelSize {
        var best = size
        for denominator in [2, 4, 8] {
            let reduced = PixelSize(
                width: (size.width + denominator - 1) / denominator,
                height: (size.height + denominator - 1) / denominator)
            guard reduced.width >= wanted.width, reduced.height >= wanted.height else { break }
            best = reduced
        }
        return best
    }
}
