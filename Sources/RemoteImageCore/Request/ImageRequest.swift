/// What is asked of an ``ImagePipeline``: a source, how many of its pixels, and how to load it.
public struct ImageRequest: Sendable {
    public var source: ImageSource
    /// The pixels wanted; nil, the default, is all of them.
    public var target: TargetSize?
    public var options: ImageOptions

    public init(
        _ source: some ImageSourceConvertible, target: TargetSize? = nil, options: ImageOptions = ImageOptions()
    ) {
        self.source = source.imageSource
        self.target = target
        self.options = options
    }

    /// ``target``, bounded by the option ``ImageOptions/maxPixelSize``.
    var boundedTarget: TargetSize? {
        guard let side = options.maxPixelSize else { return target }
        guard let target else { return .longestSide(side) }
        let longest = target.box.longestSide
        guard longest > side else { return target }
        return TargetSize(
            PixelSize(width: target.box.width * side / longest, height: target.box.height * side / longest),
            fit: target.fit)
    }
}
