// The content that a front end contributes to the declaration of an image.

/// What a front end draws: a widget, a view, a line of text.
///
/// Conforming a type makes it usable as the `Content` of a ``NetworkImage``. The requirements
/// create the front end's standard content for phases that a declaration leaves out.
@MainActor
public protocol NetworkImageContent {
    /// What the modifiers of a ``NetworkImage`` change: the front end's declaration of its view.
    /// Default: none.
    associatedtype Declaration = Never
    /// Empty content, for the phase without an image.
    static func empty() -> Self
    /// Content for a load in progress.
    static func loading(_ state: LoadingState) -> Self
    /// Content for a failure. `retry` loads the image again.
    static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Self
    /// Content that shows the image.
    static func image(_ image: LoadedImage) -> Self
    /// Combines several parts, in order. Not called with exactly one part.
    static func group(_ parts: [Self]) -> Self
}

extension NetworkImageContent {
    /// The front end's standard content for a phase.
    package static func standard(
        for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void
    ) -> Self {
        switch phase {
        case .empty: .empty()
        case .loading(let state): .loading(state)
        case .success(let image): .image(image)
        case .failure(let error): .failure(error, retry: retry)
        }
    }
}

/// A value that a builder closure converts to content, such as one kind of widget among many.
@MainActor
public protocol NetworkImageContentConvertible {
    /// The content type of the front end.
    associatedtype Content: NetworkImageContent
    /// The value as content.
    var content: Content { get }
}
