// The default decoders of a program.

extension IsolatedDecoder {
    /// Isolates the standard decoders.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(.standard(isolation: .none), configuration)
    }
}

extension [any ImageDecoder] {
    /// The decoders of this library, in the order in which a pipeline tries them: first those that
    /// use a codec library directly, then GdkPixbuf for SVG, and for WebP and AVIF without one.
    ///
    /// - Parameters:
    ///   - isolation: Whether images are decoded in a separate process: by default, if its program
    ///     is installed.
    ///   - allowsSVG: Whether SVG is also decoded, in the calling process: `false` by default. See
    ///     ``PixbufDecoder/init(allowsSVG:)``.
    public static func standard(isolation: Isolation = .preferred, allowsSVG: Bool = false) -> [any ImageDecoder] {
        // GdkPixbuf comes last, so that it is loaded only for formats that no other decoder
        // supports.
        let local: [any ImageDecoder] = [
            JPEGDecoder(), PNGDecoder(), GIFDecoder(), BMPDecoder(), ICODecoder([PNGDecoder()]), WebPDecoder(),
            AVIFDecoder(), HEIFDecoder(), JXLDecoder(), PixbufDecoder(allowsSVG: allowsSVG),
        ]
        return switch isolation {
        case .required: allowsSVG ? [SharedDecoder.required, PixbufDecoder.ofSVG] : [SharedDecoder.required]
        case .preferred: [SharedDecoder.preferred] + local
        case .none: local
        }
    }
}

/// The isolated decoders that all pipelines of a process share, so that each of the two has at most
/// as many decoder processes as there are decode threads.
private enum SharedDecoder {
    static let preferred = IsolatedDecoder()

    static let required: IsolatedDecoder = {
        var configuration = IsolatedDecoder.Configuration()
        configuration.isRequired = true
        return IsolatedDecoder(configuration)
    }()
}
