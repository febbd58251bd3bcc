import RemoteImage
import RemoteImageCore

/// Decodes SVG at most at the drawing's own size, since the command enlarges nothing.
struct DrawingDecoder: ConfinedDecoder {
    private let decoder: any ImageDecoder

    init(isolation: DecoderIsolation) { decoder = [any ImageDecoder].svg(isolation: isolation) }

    var name: String { decoder.name }
    var formats: Set<ImageFormat> { decoder.formats }
    var isConfined: Bool { (decoder as? any ConfinedDecoder)?.isConfined ?? false }

    func decodes(_ format: ImageFormat) -> Bool { decoder.decodes(format) }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let target = request.target else { return try decoder.decode(bytes, request) }
        var request = request
        // Only a decode finds the drawing's own size; a single pixel is the cheapest one.
        request.target = .longestSide(1)
        let size = try decoder.decode(bytes, request).size
        request.target = target.isCovered(by: size) ? target : nil
        return try decoder.decode(bytes, request)
    }
}
