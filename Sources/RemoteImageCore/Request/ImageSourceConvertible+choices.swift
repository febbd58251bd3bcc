// Sources that are choices among several sources.

extension ImageSourceConvertible where Self == ImageSource {
    /// A second, smaller image for metered networks.
    ///
    /// On a constrained network the low-data source is loaded; otherwise the regular one, with the
    /// low-data image as a preview if it is in the memory cache. A ``NetworkImageModel`` replaces a
    /// low-data image when the network stops being constrained. A regular image that is shown or in
    /// the memory cache stays when the network becomes constrained.
    public static func adaptive(
        regular: some ImageSourceConvertible, lowData: some ImageSourceConvertible
    ) -> ImageSource {
        let (regular, lowData) = (regular.imageSource, lowData.imageSource)
        return ImageSource(
            .adaptive(regular: regular, lowData: lowData),
            identity: "adaptive(\(regular.identity)|\(lowData.identity))")
    }

    /// One image in several sizes. The smallest candidate that covers the requested pixels is
    /// loaded, or else the largest. A larger one that is already shown or in the memory cache is
    /// used instead.
    public static func candidates(_ candidates: [SourceCandidate]) -> ImageSource {
        let names = candidates.map { "\($0.source.identity) \($0.size)" }
        return ImageSource(
            .candidates(candidates.sorted { $0.size.pixelCount < $1.size.pixelCount }),
            identity: "candidates(\(names.joined(separator: "|")))")
    }

    /// Sources that are tried in order until one succeeds. If all fail, the error is that of the
    /// last source and lists all errors in ``ImageError/underlying``.
    public static func fallbacks(_ sources: [ImageSource]) -> ImageSource {
        ImageSource(
            .fallbacks(sources), identity: "fallbacks(\(sources.map(\.identity).joined(separator: "|")))")
    }

    /// Sources that are tried in order until one succeeds, such as an array of addresses.
    public static func fallbacks(_ sources: [some ImageSourceConvertible]) -> ImageSource {
        fallbacks(sources.map(\.imageSource))
    }
}
