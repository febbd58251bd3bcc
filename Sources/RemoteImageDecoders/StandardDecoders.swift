// The default decoders of a program.

extension IsolatedDecoder {
    /// Isolates the standard decoders.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(.standard(isolation: .none), configuration)
    }
}

extension [any ImageDecoder] {
    /// The decoders of this library, in the order in which a pipeline tries them: first those that
    /// use a codec library directly, then GdkPixbuf for WebP and AVIF without one.
    ///
    /// - Parameters:
    ///   - isolation: Whether images are decoded in a separate process: by default, if its program
    ///     is installed.
    ///   - allowsSVG: Whether SVG is also decoded: `false` by default. Drawings are rendered in a
    ///     separate process, and fail with `ImageError.Code.io` without its program; they are
    ///     rendered in the calling process only if `isolation` is `DecoderIsolation.none`. See
    ///     `SVGDecoder`.
    public static func standard(isolation: DecoderIsolation = .preferred, allowsSVG: Bool = false) -> [any ImageDecoder] {
        // GdkPixbuf comes last, so that it is loaded only for formats that no other decoder
        // supports.
        let local: [any ImageDecoder] = [
            JPEGDecoder(), PNGDecoder(), GIFDecoder(), BMPDecoder(), ICODecoder([PNGDecoder()]), WebPDecoder(),
            AVIFDecoder(), HEIFDecoder(), JXLDecoder(), PixbufDecoder(),
        ]
        let decoders: [any ImageDecoder] =
            switch isolation {
            case .required: [SharedDecoder.required]
            case .preferred: [SharedDecoder.preferred] + local
            case .none: local
            }
        return allowsSVG ? decoders + [Self.svg(isolation: isolation)] : decoders
    }

    /// The decoder of SVG.
    package static func svg(isolation: DecoderIsolation) -> any ImageDecoder {
        switch isolation {
        case .required: SharedDecoder.requiredForSVG
        case .preferred: SharedDecoder.preferredForSVG
        case .none: SVGDecoder()
        }
    }
}

/// The isolated decoders that all pipelines of a process share, so that each of them has at most as
/// many decoder processes as there are decode threads.
private enum SharedDecoder {
    static let preferred = IsolatedDecoder()
    static let required = isolated(.standard(isolation: .none)) { $0.isRequired = true }

    // Drawings have processes of their own. In a common pool, images and drawings would end each
    // other's idle processes.
    static let preferredForSVG = isolated([SVGDecoder()]) { $0.mayFallBack = false }
    static let requiredForSVG = isolated([SVGDecoder()]) { $0.isRequired = true }

    private static func isolated(
        _ local: [any ImageDecoder], _ configure: (inout IsolatedDecoder.Configuration) -> Void
    ) -> IsolatedDecoder {
        var configuration = IsolatedDecoder.Configuration()
        configure(&configuration)
        return IsolatedDecoder(local, configuration)
    }
}
