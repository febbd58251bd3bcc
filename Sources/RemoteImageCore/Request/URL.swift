// Conveniences for programs that use Foundation's `URL`. No other file imports Foundation; without
// the package trait `URL` the library does not link it.

#if URL
    import FoundationEssentials

    extension URL: ImageSourceConvertible {
        public var imageSource: ImageSource { ImageSource(absoluteString) }
    }
#endif
