// The decoders that a program has without naming any.

extension IsolatedDecoder {
    /// Isolates the standard decoders.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(.standard(isolation: .none), configuration)
    }
}

extension [any ImageDecoder] {
    /// The decoders of this library, the first to be asked first: those over a codec library
    /// itself, then GdkPixbuf for the formats that have none on this machine.
    ///
    /// - Parameters:
    ///   - isolation: Whether images are decoded in a process of their own: wherever its program is
    ///     installed by default.
    ///   - allowsSVG: Whether SVG is decoded too, in the calling process: false by default. See
    ///     ``PixbufDecoder/init(allowsSVG:)``.
    public static func standard(isolation: Isolation = .preferred, allowsSVG: Bool = false) -> [any ImageDecoder] {
        // Decoders that load no library come first, so that GdkPixbuf is loaded only for formats
        // that none of them has.
        let local: [any ImageDecoder] = [
            JPEGDecoder(), PNGDecoder(), GIFDecoder(), BMPDecoder(), ICODecoder([PNGDecoder()]), WebPDecoder(),
            HEIFDecoder(), JXLDecoder(), PixbufDecoder(allowsSVG: allowsSVG),
        ]
        return switch isolation {
        case .required: allowsSVG ? [SharedDecoder.required, PixbufDecoder.ofSVG] : [SharedDecoder.required]
        case .preferred: [SharedDecoder.preferred] + local
        case .none: local
        }
    }
}

/// Shared by all pipelines of a process, so that each of the two has no more decoder processes than
/// there are decode threads.
private enum SharedDecoder {
    static let preferred = IsolatedDecoder()

    static let required: IsolatedDecoder = {
        var configuration = IsolatedDecoder.Configuration()
        configuration.isRequired = true
        return IsolatedDecoder(configuration)
    }()
}
