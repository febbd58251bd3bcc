/// What is asked of an ``ImagePipeline``: a source, how many of its pixels, and how to load it.
///
/// A small value that is copied when it is changed.
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

    /// Creates a request: for all pixels and with the options of the pipeline, by default.
    public init(
        _ source: some ImageSourceConvertible, target: TargetSize? = nil, options: ImageOptions = ImageOptions()
    ) {
        storage = Storage(source: source.imageSource, target: target, options: options)
    }

    private init(_ storage: Storage) {
        self.storage = storage
    }

    /// Where the image comes from.
    public var source: ImageSource {
        get { storage.source }
        set { storage = Storage(source: newValue, target: target, options: options, shownSource: shownSource) }
    }

    /// The pixels wanted; nil, the default, is all of them.
    public var target: TargetSize? {
        get { storage.target }
        set { storage = Storage(source: source, target: newValue, options: options, shownSource: shownSource) }
    }

    /// The options of the request, which go before those of the pipeline.
    public var options: ImageOptions {
        get { storage.options }
        set { storage = Storage(source: source, target: target, options: newValue, shownSource: shownSource) }
    }

    /// The source of the image that the place shows already, where ``source`` is a choice: no lesser one is chosen.
    var shownSource: ImageSource? {
        get { storage.shownSource }
        set { storage = Storage(source: source, target: target, options: options, shownSource: newValue) }
    }
}
