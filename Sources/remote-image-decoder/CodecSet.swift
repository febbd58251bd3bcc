// The codecs of the formats that a decoder process was started for.

import CPlatform
import RemoteImageDecoders

/// A decoder for each format, loaded. A codec is tested before its first image, since a library may need a system call that
/// is forbidden.
struct CodecSet {
    private struct Codec {
        let decoder: any ImageDecoder
        /// Whether it decoded the test image; `nil` before its first image.
        var isUsable: Bool?
    }

    private var codecs: [ImageFormat: Codec] = [:]

    /// Loads the first decoder of each format, and no other codec where an earlier one has the format.
    init(_ formats: Set<ImageFormat>, of decoders: [any ImageDecoder]) {
        for format in formats {
            guard let decoder = decoders.first(where: { $0.decodes(format) }) else { continue }
            (decoder as? any LoadingDecoder)?.load(format, testImage: TestImages.bytes(of: format))
            codecs[format] = Codec(decoder: decoder)
        }
        if formats.contains(where: \.canHaveProfile) { ColorConversion.prepare() }
    }

    /// The formats that were loaded.
    var formats: Set<ImageFormat> { Set(codecs.keys) }

    /// The decoder of a format that was loaded.
    func decoder(of format: ImageFormat) -> (any ImageDecoder)? { codecs[format]?.decoder }

    /// Whether the codec of a format decodes its test image here; a format without one is not tested.
    mutating func isUsable(_ format: ImageFormat) -> Bool {
        guard let codec = codecs[format] else { return false }
        if let isUsable = codec.isUsable { return isUsable }
        let isUsable = isTestDecoded(format, by: codec.decoder)
        codecs[format]?.isUsable = isUsable
        return isUsable
    }

    private func isTestDecoded(_ format: ImageFormat, by decoder: any ImageDecoder) -> Bool {
        guard let image = TestImages.bytes(of: format) else { return true }
        platform_set_task(Int32(DecoderAnswer.task(format)))
        defer { platform_set_task(0) }
        guard let header = try? ImageHeader.read(image) else { return false }
        return (try? decoder.decode(image, DecodeRequest(header: header))) != nil
    }
}

extension ImageFormat {
    /// Whether files of the format may embed an ICC profile that its decoder applies.
    fileprivate var canHaveProfile: Bool {
        switch self {
        case .gif, .bmp: false
        default: true
        }
    }
}
