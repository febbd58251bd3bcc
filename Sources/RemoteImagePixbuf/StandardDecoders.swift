// The decoders that a program has without naming any.

extension IsolatedDecoder {
    /// Isolates the standard decoders.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(.standard(), configuration)
    }
}

extension [any ImageDecoder] {
    /// The decoders of this library, the first to be asked first: those over a codec library itself, then GdkPixbuf for
    /// the formats that have none on this machine.
    ///
    /// - Parameters:
    ///   - isIsolated: Whether images are decoded in a process of their own. See ``IsolatedDecoder``.
    ///   - allowsSVG: Whether SVG is decoded too. See ``PixbufDecoder/init(allowsSVG:)``.
    public static func standard(isIsolated: Bool = false, allowsSVG: Bool = false) -> [any ImageDecoder] {
        let codecs: [any ImageDecoder] = [
            JPEGDecoder(), PNGDecoder(), WebPDecoder(), PixbufDecoder(allowsSVG: allowsSVG),
        ]
        let local: [any ImageDecoder] = codecs + [BMPDecoder(), ICODecoder(codecs)]
        return isIsolated ? [IsolatedDecoder(local)] + local : local
    }

    /// Loads the libraries of all decoders, before a process locks itself in.
    package static func prepareStandard() {
        _ = WebPDecoder().formats
        PixbufDecoder.loadEverything()
    }
}
