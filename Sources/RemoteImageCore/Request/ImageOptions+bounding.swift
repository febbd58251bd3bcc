extension ImageOptions {
    /// A target, bounded by ``maxPixelSize``. The result contains the bound, since requests with
    /// different bounds need different pixels.
    func bounding(_ target: TargetSize?) -> TargetSize? {
        guard let limit = maxPixelSize else { return target }
        func bounded(_ box: PixelSize, _ fit: ContentFit) -> TargetSize {
            TargetSize(box, fit: fit, maxPixelSize: limit)
        }
        guard let target else { return bounded(limit, .contain) }
        let box = target.box
        guard box.exceeds(limit) else { return bounded(box, target.fit) }
        if target.fit == .contain {
            // The limit applies to each side of the image, so it applies to each side of the box.
            return bounded(
                PixelSize(width: min(limit.width, box.width), height: min(limit.height, box.height)), .contain)
        }
        let isTooWide = Double(limit.width) / Double(box.width) < Double(limit.height) / Double(box.height)
        let (allowed, side) = isTooWide ? (limit.width, box.width) : (limit.height, box.height)
        // The product may be out of the range of `Int`.
        func scaled(_ length: Int) -> Int { side.dividingFullWidth(length.multipliedFullWidth(by: allowed)).quotient }
        return bounded(PixelSize(width: scaled(box.width), height: scaled(box.height)), target.fit)
    }
}
