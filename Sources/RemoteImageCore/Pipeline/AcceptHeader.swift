/// The `Accept` header of a pipeline's requests (RFC 9110 section 12.5.1).
final class AcceptHeader: Sendable {
    private let known = Lock<(formats: Set<ImageFormat>, value: String)?>(nil)

    /// The formats that the decoders read, in order of preference.
    func value(for decoders: DecoderRegistry) -> String {
        let formats = decoders.formats
        return known.withLock { known in
            if let known, known.formats == formats { return known.value }
            let preferred: [ImageFormat] = [.avif, .jxl, .webp, .heic, .jpeg, .png, .gif, .svg]
            let names = preferred.filter(formats.contains).map { $0 == .svg ? "image/svg+xml" : "image/\($0.rawValue)" }
            let value = (names + ["image/*;q=0.5", "*/*;q=0.1"]).joined(separator: ",")
            known = (formats, value)
            return value
        }
    }
}
