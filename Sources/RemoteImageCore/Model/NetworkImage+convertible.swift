// The initializers of NetworkImage for addresses of any type. Those for ImageSource are separate,
// so that `NetworkImage(nil)` and `NetworkImage(.file(path))` compile.

extension NetworkImage {
    /// Creates an image with the front end's standard content for every phase.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions()
    ) {
        self.init(source?.imageSource, scale: scale, options: options)
    }

    /// Creates an image with one closure for all phases.
    public init(
        phasesOf source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (NetworkImagePhase) -> Content
    ) {
        self.init(phasesOf: source?.imageSource, scale: scale, options: options, content: content)
    }

    /// Creates an image with a closure for the image, and closures for the load and a failure. A
    /// phase without a closure has the front end's standard content.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content = { .loading($0) },
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content = { .failure($0, retry: $1) }
    ) {
        self.init(
            source?.imageSource, scale: scale, options: options, content: content, inProgress: inProgress,
            failure: failure)
    }

    /// Creates an image with closures for the image and for a placeholder, which is shown before
    /// the image is loaded and after a failure.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content
    ) {
        self.init(
            source?.imageSource, scale: scale, options: options, content: content, placeholder: placeholder)
    }

    /// Creates an image with closures for the image, for a placeholder until it is loaded, and for
    /// a failure.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content
    ) {
        self.init(
            source?.imageSource, scale: scale, options: options, content: content, placeholder: placeholder,
            failure: failure)
    }

    /// Creates an image with a closure for each phase.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content
    ) {
        self.init(
            source?.imageSource, scale: scale, options: options, empty: empty, inProgress: inProgress,
            failure: failure, content: content)
    }
}
