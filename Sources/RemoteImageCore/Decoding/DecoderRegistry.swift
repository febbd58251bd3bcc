/// The decoders of a pipeline, to which an application adds its own.
///
/// A decoder that was added last is asked first; the first that accepts the bytes decodes.
public final class DecoderRegistry: Sendable {
    private struct State {
        /// The last one is asked first.
        var decoders: [(id: Int, decoder: any ImageDecoder)] {
            didSet {
                formats = nil
                changeCount += 1
            }
        }
        var changeCount = 0
        var nextID = 0
        /// Of all decoders. `nil` until first asked for.
        var formats: Set<ImageFormat>?
    }

    private let state: Lock<State>

    package init(_ decoders: [any ImageDecoder]) {
        // Those of the configuration are asked in their order, after all that are added.
        state = Lock(State(decoders: decoders.reversed().map { (-1, $0) }))
    }

    /// Adds a decoder until the registration is taken back.
    @discardableResult
    public func register(_ decoder: any ImageDecoder) -> Registration {
        state.withLock { state in
            state.nextID += 1
            state.decoders.append((state.nextID, decoder))
            return Registration(id: state.nextID, registry: self)
        }
    }

    /// A decoder that was added. Lives on its own: only ``cancel()`` takes the decoder back.
    public struct Registration: Sendable {
        fileprivate let id: Int
        fileprivate let registry: DecoderRegistry

        /// Takes the decoder back. What it decodes at the moment it decodes to the end. Nothing
        /// happens the second time.
        public func cancel() {
            registry.state.withLock { state in state.decoders.removeAll { $0.id == id } }
        }
    }

    /// All decoders, the first to be asked first.
    public var decoders: [any ImageDecoder] {
        state.withLock { $0.decoders.reversed().map(\.decoder) }
    }

    /// The formats that can be decoded.
    public var formats: Set<ImageFormat> {
        let (known, asked, changeCount) = state.withLock { ($0.formats, $0.decoders, $0.changeCount) }
        if let known { return known }
        // Foreign code is not called under a lock.
        let formats = asked.reduce(into: Set<ImageFormat>()) { $0.formUnion($1.decoder.formats) }
        state.withLock { if $0.changeCount == changeCount { $0.formats = formats } }
        return formats
    }

    /// Tells all decoders that a load has begun.
    func prepare() {
        for decoder in decoders { decoder.prepare() }
    }

    /// Decodes with the first decoder that has the format of the header, as that decoder does: the
    /// orientation is not applied.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let decoder = decoders.first(where: { $0.decodes(request.header.format) }) else {
            throw ImageError(.unsupportedFormat, request.header.format.rawValue)
        }
        var image = try decoder.decode(bytes, request)
        image.decoder = image.decoder ?? decoder.name
        return image
    }

    /// What the first decoder that has the format of the header makes of the beginning of an image,
    /// in stored pixels.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        decoders.first { $0.decodes(request.header.format) }?.decodeBeginning(bytes, request)
    }

    /// Who decodes these bytes, and what their header says.
    ///
    /// Throws what is wrong with the header, or ``ImageError/Code/unsupportedFormat``.
    func decoder(for bytes: [UInt8]) throws(ImageError) -> (OrientedDecoder, ImageHeader) {
        let known = Result { () throws(ImageError) in try ImageHeader.read(bytes) }
        for decoder in decoders {
            if case .success(let header) = known, decoder.decodes(header.format) {
                return (OrientedDecoder(decoder), header)
            }
            if let header = decoder.header(of: bytes) { return (OrientedDecoder(decoder), header) }
        }
        throw ImageError(.unsupportedFormat, try known.get().format.rawValue)
    }
}
