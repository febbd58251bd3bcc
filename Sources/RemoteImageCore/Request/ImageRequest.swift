/// A request to an ``ImagePipeline``: a source, a target size, and options.
///
/// A small value; its setters copy it.
public struct ImageRequest: Sendable {
    private final class Storage: Sendable {
        let source: ImageSource
        let target: TargetSize?
        let options: ImageOptions
        let shownSource: ImageSource?

        init(source: ImageSource, target: TargetSize?, options: ImageOptions, shownSource: ImageSource? = nil) {
            self.source = source
            self.target = target
            self.options = options
            self.shownSource = shownSource
        }
    }

    private var storage: Storage

    /// Creates a request, by default for all pixels and with the options of the pipeline.
    public init(
        _ source: some ImageSourceConvertible, target: TargetSize? = nil, options: ImageOptions = ImageOptions()
    ) {
        storage = Storage(source: source.imageSource, target: target, options: options)
    }

    /// Where the image comes from.
    public var source: ImageSource {
        get { storage.source }
        set { storage = Storage(source: newValue, target: target, options: options, shownSource: shownSource) }
    }

    /// The size at which the image is drawn. `nil`, the default, requests all pixels.
    public var target: TargetSize? {
        get { storage.target }
        set { storage = Storage(source: source, target: newValue, options: options, shownSource: shownSource) }
    }

    /// The options of the request. They override those of the pipeline.
    public var options: ImageOptions {
        get { storage.options }
        set { storage = Storage(source: source, target: target, options: newValue, shownSource: shownSource) }
    }

    /// The source of the image that the view already shows. If ``source`` is a choice, the pipeline
    /// does not choose a lesser one.
    var shownSource: ImageSource? {
        get { storage.shownSource }
        set { storage = Storage(source: source, target: target, options: options, shownSource: newValue) }
    }
}
