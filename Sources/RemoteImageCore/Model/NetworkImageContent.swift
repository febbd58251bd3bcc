// What a front end brings to the declaration of an image.

/// What a front end draws: a widget, a view, a line of text.
///
/// Conforming a type makes it usable as the `Content` of a ``NetworkImage``. The requirements are the
/// front end's own looks, used where a declaration leaves a phase out.
@MainActor
public protocol NetworkImageContent {
    /// Nothing to see.
    static func empty() -> Self
    /// Loading, with whatever `state` knows so far.
    static func loading(_ state: LoadingState) -> Self
    /// A failure, with a way to try again.
    static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Self
    /// The image.
    static func image(_ image: LoadedImage) -> Self
    /// Several parts as one, in their order. Called with two or more, or none.
    static func group(_ parts: [Self]) -> Self
}

/// Something that becomes content in a builder closure, such as one kind of widget among many.
@MainActor
public protocol NetworkImageContentConvertible {
    /// The content of the front end.
    associatedtype Content: NetworkImageContent
    /// The value as content.
    var content: Content { get }
}
