/// The declaration of a remote image: its source and the content of each phase.
///
/// A value without state; a front end shows it with a ``NetworkImageModel``. In GTK, `NetworkImage`
/// stands for `NetworkImage<Widget>`, which is a declared widget:
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
/// The closures run on the main actor, once for each phase, and again when observable state that
/// they read has changed, such as the ``LoadingState`` of a view.
@MainActor
public struct NetworkImage<Content: NetworkImageContent> {
    /// Changes the front end's declaration of the view that shows the image.
    package typealias Modifier = @MainActor (Content.Declaration) -> Content.Declaration

    /// Returns the content for a phase. `retry` loads the image again after a failure.
    package typealias Build = @MainActor (NetworkImagePhase, _ retry: @escaping @MainActor () -> Void) -> Content

    /// The source of the image. `nil` means the phase ``NetworkImagePhase/empty``.
    public var source: ImageSource?
    /// Pixels of the image per point, 1 by default.
    public var scale: Double
    /// The options of the view. They override those of the widgets around it.
    public var options: ImageOptions
    /// The pipeline that loads the image. Default: `nil`, which leaves the choice to the front end.
    public var pipeline: ImagePipeline?
    /// The modifiers of the view, applied in this order.
    package var modifiers: [Modifier] = []

    /// The fit for which the image is decoded unless the options set one: `.contain` for the front
    /// end's standard content, `.cover`, which has enough pixels for any fit, for a closure.
    package private(set) var targetFit = ContentFit.cover
    /// Equal for declarations with equal content in every phase.
    package private(set) var contentIdentity: ContentIdentity
    private var build: Build

    package enum ContentIdentity: Hashable {
        /// The front end's standard content.
        case standard
        /// Content of the front end that is determined by these values.
        case values(AnyHashable)
        /// The closures of one declaration, which cannot be compared with others.
        case closures(number: Int)
    }

    /// The content for a phase. `retry` is passed to failure closures.
    public func content(for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void) -> Content {
        build(phase, retry)
    }

    /// - Parameter identity: Default: `nil`, for closures of the program.
    package init(
        source: ImageSource?, scale: Double, options: ImageOptions, pipeline: ImagePipeline? = nil,
        identity: ContentIdentity? = nil, build: @escaping Build
    ) {
        (self.source, self.scale, self.options, self.pipeline) = (source, scale, options, pipeline)
        contentIdentity = identity ?? .closures(number: ClosureNumbers.next())
        self.build = build
    }

    /// Replaces the content.
    package mutating func show(_ values: some Hashable, targetFit: ContentFit, build: @escaping Build) {
        (contentIdentity, self.targetFit, self.build) = (.values(AnyHashable(values)), targetFit, build)
    }
}

@MainActor
private enum ClosureNumbers {
    private static var last = 0

    static func next() -> Int {
        last += 1
        return last
    }
}

// MARK: Closures

extension NetworkImage {
    /// Creates an image with the front end's standard content for every phase.
    ///
    /// - Parameters:
    ///   - source: The image; `nil` for none.
    ///   - scale: Pixels of the image per point. Default: 1.
    ///   - options: How the image is loaded. They override those of the widgets around it.
    public init(_ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions()) {
        self.init(source: source?.imageSource, scale: scale, options: options, identity: .standard) { phase, retry in
            .standard(for: phase, retry: retry)
        }
        targetFit = .contain
    }

    /// Creates an image with one closure for all phases.
    ///
    /// ```swift
    /// NetworkImage(address, phase: { phase in
    ///     switch phase {
    ///     case .success(let image): Picture(image)
    ///     case .failure(let error): Label(error.message)
    ///     default: Spinner()
    ///     }
    /// })
    /// ```
    ///
    /// A trailing closure without the label receives the phase if its body does not compile with an
    /// image.
    @_disfavoredOverload
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> phase: @escaping @MainActor (NetworkImagePhase) -> Content
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { current, _ in phase(current) }
    }

    /// Creates an image with closures for its phases. Only the closure for the image is required.
    ///
    /// - Parameters:
    ///   - source: The image; `nil` for none.
    ///   - scale: Pixels of the image per point. Default: 1.
    ///   - options: How the image is loaded. They override those of the widgets around it.
    ///   - content: The content for the image.
    ///   - placeholder: The content for the phases without a closure: before the load, while the
    ///     image loads, and after a failure. Default: the front end's standard content.
    ///   - inProgress: The content while the image loads. Content that reads its state, such as a
    ///     progress bar, follows the load.
    ///   - failure: The content after a failure, with a closure that loads the image again.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content? = { nil },
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content? = { _ in nil },
        @ContentBuilder<Content> failure:
            @escaping @MainActor (ImageError, _ retry: @escaping @MainActor () -> Void) -> Content? = { _, _ in nil }
    ) {
        self.init(
            source, scale: scale, options: options, content: { image, _ in content(image) }, placeholder: placeholder,
            inProgress: inProgress, failure: failure)
    }

    /// Creates an image with closures for its phases, one of which also receives the information
    /// about the image.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content? = { nil },
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content? = { _ in nil },
        @ContentBuilder<Content> failure:
            @escaping @MainActor (ImageError, _ retry: @escaping @MainActor () -> Void) -> Content? = { _, _ in nil }
    ) {
        self.init(source: source?.imageSource, scale: scale, options: options) { phase, retry in
            let declared: Content? =
                switch phase {
                case .empty: placeholder()
                case .loading(let state): inProgress(state) ?? placeholder()
                case .success(let image): content(image, image.info)
                case .failure(let error): failure(error, retry) ?? placeholder()
                }
            return declared ?? .standard(for: phase, retry: retry)
        }
    }

    /// Creates an image with closures for its phases, whose failure is not retried.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content? = { nil },
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content? = { _ in nil },
        @ContentBuilder<Content> failure: @escaping @MainActor (ImageError) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: { image, _ in content(image) }, placeholder: placeholder,
            inProgress: inProgress, failure: { error, _ in failure(error) })
    }

    /// Creates an image with closures for its phases, whose failure is not retried.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content,
        @ContentBuilder<Content> placeholder: @escaping @MainActor () -> Content? = { nil },
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content? = { _ in nil },
        @ContentBuilder<Content> failure: @escaping @MainActor (ImageError) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: content, placeholder: placeholder,
            inProgress: inProgress, failure: { error, _ in failure(error) })
    }
}

// MARK: Closures in the order of the phases

extension NetworkImage {
    /// Creates an image with a closure for each phase, in their order.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (ImageError, _ retry: @escaping @MainActor () -> Void) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: content, placeholder: empty, inProgress: inProgress,
            failure: failure)
    }

    /// Creates an image with a closure for each phase, in their order.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure:
            @escaping @MainActor (ImageError, _ retry: @escaping @MainActor () -> Void) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: content, placeholder: empty, inProgress: inProgress,
            failure: failure)
    }

    /// Creates an image with a closure for each phase, whose failure is not retried.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure: @escaping @MainActor (ImageError) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage, ImageInfo) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: content, placeholder: empty, inProgress: inProgress,
            failure: failure)
    }

    /// Creates an image with a closure for each phase, whose failure is not retried.
    public init(
        _ source: (any ImageSourceConvertible)?, scale: Double = 1, options: ImageOptions = ImageOptions(),
        @ContentBuilder<Content> empty: @escaping @MainActor () -> Content,
        @ContentBuilder<Content> inProgress: @escaping @MainActor (LoadingState) -> Content,
        @ContentBuilder<Content> failure: @escaping @MainActor (ImageError) -> Content,
        @ContentBuilder<Content> content: @escaping @MainActor (LoadedImage) -> Content
    ) {
        self.init(
            source, scale: scale, options: options, content: content, placeholder: empty, inProgress: inProgress,
            failure: failure)
    }
}
