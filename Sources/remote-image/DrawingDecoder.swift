import RemoteImageCore
import RemoteImagePixbuf

/// Decodes SVG like `PixbufDecoder`, but at most at the drawing's own size, since the command
/// enlarges nothing.
struct DrawingDecoder: ImageDecoder {
    private let decoder = PixbufDecoder(allowsSVG: true)

    var name: String { decoder.name }
    var formats: Set<ImageFormat> { decoder.formats.intersection([.svg]) }

    func decodes(_ format: ImageFormat) -> Bool { format == .svg && decoder.decodes(format) }

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
