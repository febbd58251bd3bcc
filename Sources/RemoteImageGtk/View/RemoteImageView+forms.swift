// Views in one expression: the initializers of `NetworkImage`, for `RemoteImageView`.

extension RemoteImageView {
    /// Creates a view with the standard content of every phase: a ``LoadingIndicator`` while it
    /// loads, the image, or the error with a button that retries, in a small view as an icon.
    ///
    /// - Parameters:
    ///   - source: The image; `nil` for none.
    ///   - scale: Pixels of the image per point. Default: 1.
    ///   - options: How the image is loaded. They override those of the ancestors.
    public init(_ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions()) {
        self.init(
            DeclaredView.Values(
                image: NetworkImage(source, scale: scale, options: options), appearance: StandardAppearance()))
    }

    /// Creates a view with one closure for all phases.
    public init(
        phasesOf source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Widget> content: @escaping @MainActor (NetworkImagePhase) -> Widget
    ) {
        self.init(NetworkImage(phasesOf: source, scale: scale, options: options, content: content))
    }

    /// Creates a view with a closure for the image, and closures for the load and a failure. A
    /// phase without a closure has the standard content.
    ///
    /// `inProgress` runs once for each load. A ``ProgressBar`` or a ``Label`` that is made from its
    /// state follows the load.
    ///
    /// ```swift
    /// RemoteImageView(address) { image in
    ///     Picture(image)
    /// } inProgress: { state in
    ///     Label(state) { "\($0.progress.completedByteCount) bytes" }
    /// }
    /// ```
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage) -> Widget,
        @ContentBuilder<Widget> inProgress: @escaping @MainActor (LoadingState) -> Widget = { .loading($0) },
        @ContentBuilder<Widget> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Widget = { .failure($0, retry: $1) }
    ) {
        self.init(
            NetworkImage(
                source, scale: scale, options: options, content: content, inProgress: inProgress, failure: failure))
    }

    /// Creates a view with closures for the image and for a placeholder, which is shown before the
    /// image is loaded and after a failure.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage) -> Widget,
        @ContentBuilder<Widget> placeholder: @escaping @MainActor () -> Widget
    ) {
        self.init(NetworkImage(source, scale: scale, options: options, content: content, placeholder: placeholder))
    }

    /// Creates a view with closures for the image, for a placeholder until it is loaded, and for a
    /// failure.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage) -> Widget,
        @ContentBuilder<Widget> placeholder: @escaping @MainActor () -> Widget,
        @ContentBuilder<Widget> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Widget
    ) {
        self.init(
            NetworkImage(
                source, scale: scale, options: options, content: content, placeholder: placeholder, failure: failure))
    }

    /// Creates a view with a closure for each phase.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Widget> empty: @escaping @MainActor () -> Widget,
        @ContentBuilder<Widget> inProgress: @escaping @MainActor (LoadingState) -> Widget,
        @ContentBuilder<Widget> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Widget,
        @ContentBuilder<Widget> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Widget
    ) {
        self.init(
            NetworkImage(
                source, scale: scale, options: options, empty: empty, inProgress: inProgress, failure: failure,
                content: content))
    }
}
