/// The `Accept` header of a pipeline's requests (RFC 9110 section 12.5.1).
///
/// The formats of libheif are known only after it is loaded, which takes 3 ms; libavif takes
/// another 2 ms, since both use libaom. Requests that the store serves without a server therefore
/// do without the header.
final class AcceptHeader: Sendable {
    private let decoders: DecoderRegistry
    /// The last value, and the number of changes of the decoders before it was made.
    private let known = Lock<(changeCount: Int, value: String)?>(nil)

    init(_ decoders: DecoderRegistry) {
        self.decoders = decoders
    }

    /// The formats that the decoders read, in order of preference.
    var value: String {
        let changeCount = decoders.changeCount
        if let known = known.withLock({ $0 }), known.changeCount == changeCount { return known.value }
        // The first decoder of a format suffices: GdkPixbuf is asked last.
        let candidates = decoders.decoders
        let preferred: [ImageFormat] = [.avif, .jxl, .webp, .heic, .jpeg, .png, .gif, .svg]
        let names = preferred.filter { format in candidates.contains { $0.decodes(format) } }
            .compactMap(\.facts.mediaType)
        let value = (names + ["image/*;q=0.5", "*/*;q=0.1"]).joined(separator: ",")
        known.withLock { $0 = (changeCount, value) }
        return value
    }
}
