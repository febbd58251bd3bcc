/// Decodes an image and applies its orientation, which happens nowhere else. The wrapped decoder
/// gets requests in stored pixels.
package struct OrientedDecoder: Sendable {
    private let decoder: any ImageDecoder

    package init(_ decoder: any ImageDecoder) {
        self.decoder = decoder
    }

    var name: String { decoder.name }

    /// Whether images are decoded in a decoder process now.
    var isConfined: Bool { (decoder as? any ConfinedDecoder)?.isConfined ?? false }

    /// Decodes the image and applies its orientation. The target of the request is in displayed
    /// pixels.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        var image = try decoder.decode(bytes, request.forStoredPixels)
        let orientation = request.header.orientation
        image.pixels = image.pixels.applyingOrientation(orientation)
        image.size = image.size.applyingOrientation(orientation)
        return image
    }

    /// Decodes frames of an animation, in one exchange if the decoder has a process.
    func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] {
        guard let decoder = decoder as? any ConfinedDecoder else {
            return try decoder.ownFrames(request, from: files, cursor)
        }
        return try decoder.frames(request, from: files, cursor)
    }

    /// Decodes a preview from the first bytes of an image and applies the orientation.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        decoder.decodeBeginning(bytes, request.forStoredPixels)?.applyingOrientation(request.header.orientation)
    }
}

extension DecodeRequest {
    /// The request in stored pixels, without an orientation.
    fileprivate var forStoredPixels: DecodeRequest {
        var request = self
        request.target = target?.applyingOrientation(header.orientation).withoutMaximum(for: header.storedSize)
        request.header.orientation = .up
        return request
    }
}
