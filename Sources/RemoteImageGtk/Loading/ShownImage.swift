/// The image that a widget or a paintable shows, whose pixels it releases while it is out of sight.
@MainActor
struct ShownImage {
    /// The content shows this image, so that its pixels can be released.
    let image: LoadedImage
    /// Whether the model has released the image, and has not shown it again. The image may have its
    /// pixels already.
    private(set) var isAwaited = false

    init(_ image: LoadedImage) {
        self.image = image.releasable
    }

    mutating func release() {
        isAwaited = true
        image.release()
    }

    /// Gives a released image the pixels of another load of the same image.
    ///
    /// - Returns: `false` if the image has its pixels, or if they belong to another image.
    func refill(from other: LoadedImage) -> Bool { image.isReleased && image.refill(from: other) }

    /// Call when the model shows `new`. A released image gets its pixels.
    ///
    /// - Returns: Whether it is the shown image.
    mutating func isShown(by new: LoadedImage) -> Bool {
        guard image.hasSameContent(as: new) || refill(from: new) else { return false }
        isAwaited = false
        return true
    }

    /// The phase of the model, with this image in place of an equal one. It stays `.success` while
    /// the image is released.
    func phase(of model: NetworkImageModel) -> NetworkImagePhase {
        let phase = model.phase
        guard model.isReleased || phase.image?.hasSameContent(as: image) == true else { return phase }
        return .success(image)
    }
}
