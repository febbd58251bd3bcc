extension [any ImageDecoder] {
    /// Decodes with the first decoder that supports the format of the header. The orientation is
    /// not applied.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let decoder = first(where: { $0.decodes(request.header.format) }) else {
            throw ImageError(.unsupportedFormat, request.header.format.rawValue)
        }
        var image = try decoder.decode(bytes, request)
        image.decoder = image.decoder ?? decoder.name
        return image
    }

    /// Decodes the first bytes of an image with the first decoder that supports the format of the
    /// header. The orientation is not applied.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        first { $0.decodes(request.header.format) }?.decodeBeginning(bytes, request)
    }

    /// Decodes frames of an animation with the first decoder that supports its format.
    package func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] {
        guard let decoder = first(where: { $0.decodes(request.format) }) else {
            throw ImageError(.unsupportedFormat, request.format.rawValue)
        }
        return try decoder.ownFrames(request, from: files, cursor)
    }
}
