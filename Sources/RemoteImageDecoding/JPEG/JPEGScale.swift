/// A reduced size that the inverse transform of a JPEG produces at almost no cost.
package struct JPEGScale: Equatable {
    package let size: PixelSize
    /// The scale in eighths of each side.
    package let eighths: Int

    /// The sides are rounded up.
    package init(_ full: PixelSize, eighths: Int) {
        size = PixelSize(width: (full.width * eighths + 7) / 8, height: (full.height * eighths + 7) / 8)
        self.eighths = eighths
    }

    /// The smallest among 1/1, 1/2, 1/4 and 1/8 that is not below `wanted` on either side.
    ///
    /// Measured with libjpeg-turbo 2.1.5, 2560 × 1600 pixels, milliseconds: 8/8 9.7, 7/8 20.2, 6/8
    /// 14.9, 5/8 12.4, 4/8 6.8, 3/8 7.1, 2/8 5.4, 1/8 4.3.
    package static func smallest(of full: PixelSize, notBelow wanted: PixelSize) -> JPEGScale {
        let reduced = [1, 2, 4].lazy.map { JPEGScale(full, eighths: $0) }
        return reduced.first { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
            ?? JPEGScale(full, eighths: 8)
    }

    /// The size at which the decoded image is kept: `wanted` if the reduced size has more than
    /// twice its pixels, since memory is then worth the time of averaging.
    ///
    /// Without averaging, 4000 × 3000 pixels that are drawn at 160 × 120 are kept as 500 × 375.
    package func keptSize(for wanted: PixelSize) -> PixelSize {
        size.pixelCount > 2 * wanted.pixelCount ? wanted : size
    }
}
