/// A type that identifies an image: an ``ImageSource``, a `String`, a ``WebAddress`` or a `URL`.
public protocol ImageSourceConvertible {
    /// The value as a source.
    var imageSource: ImageSource { get }
}

extension ImageSource: ImageSourceConvertible {
    public var imageSource: ImageSource { self }
}

extension WebAddress: ImageSourceConvertible {
    public var imageSource: ImageSource { ImageSource(self) }
}

extension String: ImageSourceConvertible {
    public var imageSource: ImageSource { ImageSource(self) }
}
