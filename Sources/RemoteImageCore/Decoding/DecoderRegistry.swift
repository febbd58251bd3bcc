/// The decoders of a pipeline. An application can add its own.
///
/// The pipeline tries the decoders from the last added to the first; the first one that accepts the
/// bytes decodes them.
public final class DecoderRegistry: Sendable {
    private struct State {
        /// Tried from the last to the first.
        var decoders: [(id: Int, decoder: any ImageDecoder)] {
            didSet { changeCount += 1 }
        }
        var changeCount = 0
        var nextID = 0
    }

    private let state: Lock<State>

    init(_ decoders: [any ImageDecoder]) {
        // The decoders of the configuration come after all added ones and keep their order.
        state = Lock(State(decoders: decoders.reversed().map { (-1, $0) }))
    }

    /// Adds a decoder until its registration is cancelled.
    @discardableResult
    public func register(_ decoder: any ImageDecoder) -> Registration {
        state.withLock { state in
            state.nextID += 1
            state.decoders.append((state.nextID, decoder))
            return Registration(id: state.nextID, registry: self)
        }
    }

    /// The registration of a decoder. Only ``cancel()`` removes the decoder; releasing this value
    /// does not.
    public struct Registration: Sendable {
        fileprivate let id: Int
        fileprivate let registry: DecoderRegistry

        /// Removes the decoder. Its running decodes continue. Further calls do nothing.
        public func cancel() {
            registry.state.withLock { state in state.decoders.removeAll { $0.id == id } }
        }
    }

    /// All decoders, in the order in which the pipeline tries them.
    public var decoders: [any ImageDecoder] {
        state.withLock { $0.decoders.reversed().map(\.decoder) }
    }

    /// The formats that can be decoded. Asks every decoder, which may load its codec to find out.
    public var formats: Set<ImageFormat> {
        decoders.reduce(into: []) { $0.formUnion($1.formats) }
    }

    /// The number of decoders that were added or removed so far.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Calls ``ImageDecoder/prepare()`` on all decoders when a load begins.
    func prepare() {
        for decoder in decoders { decoder.prepare() }
    }

    /// Returns the decoder for these bytes and their header.
    ///
    /// Throws the error of ``ImageHeader/read(_:)``, or ``ImageError/Code/unsupportedFormat`` if no
    /// decoder supports the format.
    func decoder(for bytes: [UInt8]) throws(ImageError) -> (OrientedDecoder, ImageHeader) {
        let known = Result { () throws(ImageError) in try ImageHeader.read(bytes) }
        let decoders = decoders
        for decoder in decoders {
            if case .success(let header) = known, decoder.decodes(header.format) {
                return (OrientedDecoder(decoder), header)
            }
            if let header = decoder.header(of: bytes) { return (OrientedDecoder(decoder), header) }
        }
        let format = try known.get().format.rawValue
        throw ImageError(
            .unsupportedFormat,
            decoders.isEmpty
                ? "\(format): the pipeline has no decoders. Pass `decoders: .standard()`, which RemoteImage "
                    + "provides, to ImagePipeline.Configuration."
                : format)
    }
}
