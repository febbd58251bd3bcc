/// Decodes the images of a pipeline. Its decoder gets requests for pixels as they are stored; the
/// orientation is applied to what the decoder returns, here and nowhere else.
package struct OrientedDecoder: Sendable {
    private let decoder: any ImageDecoder

    package init(_ decoder: any ImageDecoder) {
        self.decoder = decoder
    }

    var name: String { decoder.name }

    /// The image as shown. The target of the request is in pixels as shown.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        var image = try decoder.decode(bytes, request.forStoredPixels)
        let orientation = request.header.orientation
        image.pixels = image.pixels.applyingOrientation(orientation)
        image.size = image.size.applyingOrientation(orientation)
        return image
    }

    /// What can be shown of an image of which only the beginning is there.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        decoder.decodeBeginning(bytes, request.forStoredPixels)?.applyingOrientation(request.header.orientation)
    }
}

extension DecodeRequest {
    /// The same request without the orientation.
    fileprivate var forStoredPixels: DecodeRequest {
        var request = self
        request.target = target?.applyingOrientation(header.orientation)
        request.header.orientation = .up
        return request
    }
}
