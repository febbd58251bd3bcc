// Conveniences for programs that have Foundation's `URL`. The only file that knows it; without the
// package trait `URL` nothing of Foundation is linked.

#if URL
    import FoundationEssentials

    extension URL: ImageSourceConvertible {
        public var imageSource: ImageSource { ImageSource(absoluteString) }
    }
#endif
