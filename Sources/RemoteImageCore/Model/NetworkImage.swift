/// The declaration of a remote image: where it comes from and what to show in each phase.
///
/// A value without life of its own; a front end shows it, driven by a ``NetworkImageModel``.
///
/// ```swift
/// NetworkImage("https://example.org/cat.jpg") { image in
///     Picture(image)
/// } placeholder: {
///     Spinner()
/// } failure: { error, retry in
///     Label(error.message)
///     Button("Try again", action: retry)
/// }
/// ```
///
/// The closures run on the main actor, once for each phase and again when observable state that they
/// read has changed. Progress does not run them again: it reaches the content that is already there.
@MainActor
public struct NetworkImage<Content: NetworkImageContent> {
    /// What is shown; nil is the phase ``NetworkImagePhase/empty``.
    public var source: ImageSource?
    /// Pixels of the image per point, 1 by default.
    public var scale: Double
    /// The options of the view, which go before those of the widgets around it.
    public var options: ImageOptions
    /// Whether the front end's own content shows the image, rather than a closure.
    package let hasStandardImage: Bool

    private let build: @MainActor (NetworkImagePhase, _ retry: @escaping @MainActor () -> Void) -> Content

    /// The content for a phase. `retry` is handed to failure closures.
    public func content(
        for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void
    ) -> Content {
        build(phase, retry)
    }

    private init(
        source: ImageSource?, scale: Double, options: ImageOptions, hasStandardImage: Bool = false,
        build: @escaping @MainActor (NetworkImagePhase, @escaping @MainActor () -> Void) -> Content
    ) {
        self.source = source
        self.scale = scale
        self.options = options
        self.hasStandardImage = hasStandardImage
        self.build = build
    }
}

extension NetworkImage {
    /// The front end's own looks for every phase.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions()
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options, hasStandardImage: true) { phase, retry in
            Content.standard(for: phase, retry: retry)
        }
    }

    /// One closure for all phases.
    ///
    /// The label tells it from the closure that is given the image:
    /// `NetworkImage(phasesOf: address) { phase in … }`.
    public init(
        phasesOf source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (NetworkImagePhase) -> Content
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, _ in content(phase) }
    }

    /// A closure for the image; the front end's own looks for the other phases.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, retry in
            if case .success(let image) = phase { return content(image) }
            return Content.standard(for: phase, retry: retry)
        }
    }

    /// Closures for the image and for what stands in its place: before it is there, and where there
    /// is none.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, _ in
            if case .success(let image) = phase { return content(image) }
            return placeholder()
        }
    }

    /// Closures for the image, for the time before it is there, and for its failure.
    public init(
        _ source: (some ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (
                ImageError, _ retry: @escaping @MainActor () -> Void
            ) -> Content
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, retry in
            switch phase {
            case .success(let image): content(image)
            case .failure(let error): failure(error, retry)
            case .empty, .loading: placeholder()
            }
        }
    }

    /// A closure for each phase.
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
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, retry in
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
    /// The front end's own looks for a phase.
    static func standard(for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void) -> Self {
        switch phase {
        case .empty: empty()
        case .loading(let state): loading(state)
        case .success(let image): Self.image(image)
        case .failure(let error): failure(error, retry: retry)
        }
    }
}
