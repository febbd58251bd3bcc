extension [any ImageDecoder] {
    private func decoder(for format: ImageFormat) throws(ImageError) -> any ImageDecoder {
        guard let decoder = first(where: { $0.decodes(format) }) else {
            throw ImageError(.unsupportedFormat, format.rawValue)
        }
        return decoder
    }

    /// Decodes with the first decoder that supports the format of the header. The orientation is
    /// not applied.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let decoder = try decoder(for: request.header.format)
        var image = try decoder.decode(bytes, request)
        image.decoder = image.decoder ?? decoder.name
        return image
    }

    /// Decodes the first bytes of an image with the first decoder that supports the format of the
    /// header. The orientation is not applied.
    package func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        try? decoder(for: request.header.format).decodeBeginning(bytes, request)
    }

    /// Decodes frames of an animation with the first decoder that supports its format.
    package func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] {
        try decoder(for: request.format).ownFrames(request, from: files, cursor)
    }
}
