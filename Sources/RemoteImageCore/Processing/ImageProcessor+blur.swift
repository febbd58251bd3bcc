extension ImageProcessor {
    /// Blurs an image with an approximate Gaussian.
    ///
    /// Applies three box blurs, which come within 3 % of a Gaussian (Kovesi, *Fast Almost-Gaussian
    /// Filtering*, 2010) and take the same time for any radius. Outside the image, the pixels of
    /// its edge are repeated.
    ///
    /// - Parameter sigma: The standard deviation in pixels, clamped to the range 0 to 1000; 0
    ///   leaves the image unchanged.
    public static func gaussianBlur(sigma: Double) -> ImageProcessor {
        let sigma = min(1000, max(0, sigma))
        return ImageProcessor("gaussianBlur(\(sigma))") { pixels in
            boxRadii(for: sigma).reduce(pixels) { pixels, radius in
                radius > 0 ? pixels.boxBlurred(radius: radius) : pixels
            }
        }
    }

    /// The radii of three boxes whose variances add up to that of the Gaussian, as closely as whole
    /// pixels allow.
    static func boxRadii(for sigma: Double) -> [Int] {
        let ideal = (12 * sigma * sigma / 3 + 1).squareRoot()
        var lower = Int(ideal)
        if lower % 2 == 0 { lower -= 1 }
        let width = Double(lower)
        let lowerCount = (12 * sigma * sigma - 3 * width * width - 12 * width - 9) / (-4 * width - 4)
        return (0..<3).map { Double($0) < lowerCount.rounded() ? (lower - 1) / 2 : (lower + 1) / 2 }
    }
}
