import CGtk

/// The `GdkTexture` of a loaded image, which is a `GIcon` too: for notifications, and wherever GTK and GIO take an
/// icon.
///
/// ```swift
/// if let texture = pipeline.cachedTexture(for: ImageRequest("https://example.org/ann.png")) {
///     g_notification_set_icon(notification, texture.pointer)
/// }
/// ```
@MainActor
public struct ImageTexture {
    private let reference: ObjectReference

    /// Wraps the pixels without a copy; nil only where GDK cannot make a texture.
    public init?(_ image: LoadedImage) {
        guard let reference = TextureStore.texture(of: image.pixels) else { return nil }
        self.reference = reference
    }

    /// The `GdkTexture`. Valid while this value lives, at least until the next turn of the main loop.
    public var pointer: OpaquePointer { OpaquePointer(reference.pointer) }
}

extension ImagePipeline {
    /// The texture of an image that is in memory; nil where it is not. Never loads and never waits.
    @MainActor
    public func cachedTexture(for request: ImageRequest) -> ImageTexture? {
        cachedImage(for: request).flatMap { ImageTexture($0) }
    }

    /// The texture of an image that is in memory or in the store, decoded where it has to be; nil where it is in neither.
    /// Never asks the network.
    @MainActor
    public func storedTexture(for request: ImageRequest) async -> ImageTexture? {
        if let texture = cachedTexture(for: request) { return texture }
        var request = request
        request.options.cachePolicy = .storedOnly
        // Not stored, or no longer an image: there is no texture either way.
        guard let image = try? await image(for: request) else { return nil }
        return ImageTexture(image)
    }
}
