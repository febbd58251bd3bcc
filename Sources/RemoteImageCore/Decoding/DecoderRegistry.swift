/// The decoders of a pipeline. An application can add its own.
///
/// The pipeline tries the decoders from the last added to the first; the first one that accepts the
/// bytes decodes them.
public final class DecoderRegistry: Sendable {
    private struct State {
        /// Tried from the last to the first.
        var decoders: [(id: Int, decoder: any ImageDecoder)] {
            didSet {
                acceptHeader = nil
                ordered = decoders.reversed().map(\.decoder)
            }
        }
        /// In the order in which they are tried.
        private(set) var ordered: [any ImageDecoder]
        /// `nil` until it is asked for, and after each change of the decoders.
        var acceptHeader: String?
        var nextID = 0

        init(_ ordered: [any ImageDecoder]) {
            self.ordered = ordered
            decoders = ordered.reversed().map { (-1, $0) }
        }
    }

    private let state: Lock<State>

    init(_ decoders: [any ImageDecoder]) {
        // The decoders of the configuration come after all added ones and keep their order.
        state = Lock(State(decoders))
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
        state.withLock { $0.ordered }
    }

    /// The formats that can be decoded. Asks every decoder, which may load its codec to find out.
    public var formats: Set<ImageFormat> {
        decoders.reduce(into: []) { $0.formUnion($1.formats) }
    }

    /// The value of the `Accept` header of requests (RFC 9110 section 12.5.1): the formats that the
    /// decoders read, in order of preference.
    ///
    /// The formats of libheif are known only after it is loaded, which takes 3 ms; libavif takes
    /// another 2 ms, since both use libaom. Requests that the store serves without a server
    /// therefore do without the header.
    var acceptHeader: String {
        let (listed, known) = state.withLock { ($0.decoders, $0.acceptHeader) }
        if let known { return known }
        // The first decoder of a format suffices: GdkPixbuf is asked last.
        let candidates = listed.reversed().map(\.decoder)
        let preferred: [ImageFormat] = [.avif, .jxl, .webp, .heic, .jpeg, .png, .gif, .svg]
        let names = preferred.filter { format in candidates.contains { $0.decodes(format) } }
            .compactMap(\.facts.mediaType)
        let value = (names + ["image/*;q=0.5", "*/*;q=0.1"]).joined(separator: ",")
        state.withLock { state in
            // Not kept if a decoder was added or removed meanwhile.
            if state.decoders.elementsEqual(listed, by: { $0.id == $1.id }) { state.acceptHeader = value }
        }
        return value
    }

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
