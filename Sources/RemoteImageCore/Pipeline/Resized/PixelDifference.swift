import Glibc

/// The difference between two images of the same size, in decibels (PSNR).
struct PixelDifference {
    /// Of the whole image; infinite for equal images, 0 for images of different size or format.
    let peakSignalToNoise: Double
    /// Of the tile of 16 × 16 pixels with the largest difference.
    let worstTile: Double

    /// The limits of ``isInvisible``. The second one finds damage of a small part, such as a thin
    /// line or a letter, in an otherwise plain image.
    static let minimum = 42.0, minimumOfTile = 33.0

    /// Whether a person sees no difference at the same size.
    var isInvisible: Bool { peakSignalToNoise >= Self.minimum && worstTile >= Self.minimumOfTile }

    private static let tileSide = 16

    init(_ first: PixelBuffer, _ second: PixelBuffer) {
        guard first.size == second.size, first.format == second.format else {
            (peakSignalToNoise, worstTile) = (0, 0)
            return
        }
        let (size, channels) = (first.size, first.format.bytesPerPixel)
        let rowCount = size.width * channels
        var (total, worst) = (0.0, 0.0)
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                for top in stride(from: 0, to: size.height, by: Self.tileSide) {
                    let height = min(Self.tileSide, size.height - top)
                    for left in stride(from: 0, to: rowCount, by: Self.tileSide * channels) {
                        let width = min(Self.tileSide * channels, rowCount - left)
                        var sum: Int32 = 0
                        for y in top..<(top + height) {
                            let start = y * rowCount + left
                            for index in start..<(start + width) {
                                let difference = Int32(first[index]) &- Int32(second[index])
                                sum &+= difference &* difference
                            }
                        }
                        total += Double(sum)
                        worst = max(worst, Double(sum) / Double(width * height))
                    }
                }
            }
        }
        peakSignalToNoise = Self.decibels(total / Double(max(1, rowCount * size.height)))
        worstTile = Self.decibels(worst)
    }

    private static func decibels(_ meanSquare: Double) -> Double {
        meanSquare == 0 ? .infinity : 10 * log10(255 * 255 / meanSquare)
    }
}
