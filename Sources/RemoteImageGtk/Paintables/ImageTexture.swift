import CRemoteImageGtk

/// The `GdkTexture` of a loaded image. It is also a `GIcon`, for uses of icons in GTK and GIO; for
/// notifications in a sandbox use ``ImageIcon``.
///
/// ```swift
/// if let texture = pipeline.cachedTexture(for: ImageRequest("https://example.org/ann.png")) {
///     g_notification_set_icon(notification, texture.pointer)
/// }
/// ```
@MainActor
public struct ImageTexture {
    private let reference: ObjectReference

    /// Wraps the pixels without copying them; `nil` only if GDK cannot make a texture.
    public init?(_ image: LoadedImage) {
        guard let reference = TextureStore.texture(of: image.pixels) else { return nil }
        self.reference = reference
    }

    /// The `GdkTexture`. Valid while this value lives, and at least until the next iteration of the
    /// main loop.
    public var pointer: OpaquePointer { OpaquePointer(reference.pointer) }
}

extension ImagePipeline {
    /// The texture of an image in the memory cache, or `nil`. Never loads and never waits.
    @MainActor
    public func cachedTexture(for request: ImageRequest) -> ImageTexture? {
        cachedImage(for: request).flatMap { ImageTexture($0) }
    }

    /// The texture of an image in the memory cache or in the store, decoded if needed. Files,
    /// `data:` addresses and bytes are read, too. `nil` if there is no image without the network,
    /// or if decoding fails. Never uses the network.
    @MainActor
    public func storedTexture(for request: ImageRequest) async -> ImageTexture? {
        if let texture = cachedTexture(for: request) { return texture }
        var request = request
        request.options.cachePolicy = .cacheOnly
        // There is no texture if the image is not stored or cannot be decoded.
        guard let image = try? await image(for: request) else { return nil }
        return ImageTexture(image)
    }
}
