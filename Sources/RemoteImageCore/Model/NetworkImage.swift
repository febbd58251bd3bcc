/// The declaration of a remote image: its source and the content of each phase.
///
/// A value without state; a front end shows it with a ``NetworkImageModel``.
///
/// ```swift
/// NetworkImage<Widget>("https://example.org/cat.jpg") { image in
///     Picture(image)
/// } placeholder: {
///     Spinner()
/// } failure: { error, retry in
///     Label(error.message)
///     Button("Try again", action: retry)
/// }
/// ```
///
/// The closures run on the main actor, once for each phase, and again when observable state that
/// they read has changed. Progress does not run them again; the existing content receives it.
@MainActor
public struct NetworkImage<Content: NetworkImageContent> {
    /// The source of the image. `nil` means the phase ``NetworkImagePhase/empty``.
    public var source: ImageSource?
    /// Pixels of the image per point, 1 by default.
    public var scale: Double
    /// The options of the view. They override those of the widgets around it.
    public var options: ImageOptions
    /// The fit for which the image is decoded unless the options set one: `.contain` for the front
    /// end's standard content, `.cover`, which has enough pixels for any fit, for a closure.
    package let targetFit: ContentFit

    private let build: @MainActor (NetworkImagePhase, _ retry: @escaping @MainActor () -> Void) -> Content

    /// The content for a phase. `retry` is passed to failure closures.
    public func content(
        for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void
    ) -> Content {
        build(phase, retry)
    }

    package init(
        source: ImageSource?, scale: Double = 1, options: ImageOptions, targetFit: ContentFit = .cover,
        build: @escaping @MainActor (NetworkImagePhase, @escaping @MainActor () -> Void) -> Content
    ) {
        self.source = source
        self.scale = scale
        self.options = options
        self.targetFit = targetFit
        self.build = build
    }
}

extension NetworkImage {
    /// Creates an image with the front end's standard content for every phase.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions()
    ) {
        self.init(source: source, scale: scale, options: options, targetFit: .contain) { phase, retry in
            Content.standard(for: phase, retry: retry)
        }
    }

    /// Creates an image with one closure for all phases.
    ///
    /// The label distinguishes it from the initializer whose closure receives the image:
    /// `NetworkImage(phasesOf: address) { phase in … }`.
    public init(
        phasesOf source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (NetworkImagePhase) -> Content
    ) {
        self.init(source: source, scale: scale, options: options) { phase, _ in content(phase) }
    }

    /// Creates an image with a closure for the image, and closures for the load and a failure. A
    /// phase without a closure has the front end's standard content.
    ///
    /// `inProgress` runs once for each load. Content that is made from its state, such as a
    /// progress bar, follows the load.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content = { .loading($0) },
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content = { .failure($0, retry: $1) }
    ) {
        self.init(
            source, scale: scale, options: options, empty: { .empty() }, inProgress: inProgress, failure: failure
        ) { image, _ in content(image) }
    }

    /// Creates an image with closures for the image and for a placeholder, which is shown before
    /// the image is loaded and after a failure.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content
    ) {
        self.init(source: source, scale: scale, options: options) { phase, _ in
            if case .success(let image) = phase { return content(image) }
            return placeholder()
        }
    }

    /// Creates an image with closures for the image, for a placeholder until it is loaded, and for
    /// a failure.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content
    ) {
        self.init(source: source, scale: scale, options: options) { phase, retry in
            switch phase {
            case .success(let image): content(image)
            case .failure(let error): failure(error, retry)
            case .empty, .loading: placeholder()
            }
        }
    }

    /// Creates an image with a closure for each phase.
    public init(
        _ source: ImageSource?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content
    ) {
        self.init(source: source, scale: scale, options: options) { phase, retry in
            switch phase {
            case .empty: empty()
            case .loading(let state): inProgress(state)
            case .failure(let error): failure(error, retry)
            case .success(let image): content(image, image.info)
            }
        }
    }
}

extension NetworkImageContent {
    /// The front end's standard content for a phase.
    static func standard(for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void) -> Self {
        switch phase {
        case .empty: empty()
        case .loading(let state): loading(state)
        case .success(let image): Self.image(image)
        case .failure(let error): failure(error, retry: retry)
        }
    }
}
