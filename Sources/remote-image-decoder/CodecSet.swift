// The codecs of the formats that a decoder process was started for.

import RemoteImageDecoders

/// One loaded decoder per format.
struct CodecSet {
    private var decoders: [ImageFormat: any ImageDecoder] = [:]

    /// Loads the first decoder of each format, and no codec of later ones.
    init(_ formats: Set<ImageFormat>, of decoders: [any ImageDecoder]) {
        for format in formats {
            guard let decoder = decoders.first(where: { $0.decodes(format) }) else { continue }
            (decoder as? any ConfinableDecoder)?.load(format, testImage: TestImages.bytes(of: format))
            self.decoders[format] = decoder
        }
        if formats.contains(where: \.facts.hasColorProfile) { ColorConversion.prepare() }
    }

    /// The formats with a loaded decoder.
    var formats: Set<ImageFormat> { Set(decoders.keys) }

    /// The loaded decoder of a format.
    func decoder(of format: ImageFormat) -> (any ImageDecoder)? { decoders[format] }

    /// Whether the codec of a format decodes its test image, since a library may need a forbidden
    /// system call. `true` for a format without a test image, `false` for a format without a
    /// decoder.
    func decodesTestImage(of format: ImageFormat) -> Bool {
        guard let decoder = decoders[format] else { return false }
        guard let image = TestImages.bytes(of: format) else { return true }
        guard let header = try? ImageHeader.read(image) else { return false }
        return (try? decoder.decode(image, DecodeRequest(header: header))) != nil
    }
}
