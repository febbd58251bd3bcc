/// The account for which a shown image was loaded. The paintable of the image owns this object, so
/// that a later request of its widget knows whose image the widget shows.
@MainActor
final class ImageAccount {
    private static let data = ObjectData<ImageAccount>("remote-image-account")

    private weak var pipeline: ImagePipeline?
    private let options: ImageOptions

    private init(_ pipeline: ImagePipeline, _ options: ImageOptions) {
        (self.pipeline, self.options) = (pipeline, options)
    }

    /// The account of the image of a paintable; `nil` for a paintable without one.
    static func of(_ paintable: ObjectReference) -> ImageAccount? { data[paintable.pointer] }

    /// Call when a paintable shows an image of a model.
    ///
    /// - Parameter options: Those of the model, merged over those of its pipeline.
    static func set(_ model: NetworkImageModel, _ options: ImageOptions, of paintable: ObjectReference) {
        data[paintable.pointer] = ImageAccount(model.pipeline, options)
    }

    /// Whether a model loads images of this account. An image of another pipeline may belong to
    /// another account.
    func isAccount(of model: NetworkImageModel) -> Bool {
        pipeline === model.pipeline && model.hasSameAccount(as: options)
    }
}
