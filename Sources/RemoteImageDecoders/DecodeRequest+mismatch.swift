extension DecodeRequest {
    /// The error of an image that a codec library reads another size in than the header said: too
    /// large, or else corrupt.
    func mismatch(_ found: PixelSize, _ expected: PixelSize) -> ImageError {
        do throws(ImageError) {
            try limits.check(found)
            return ImageError(.corrupt, "the header says \(expected), the image is \(found)")
        } catch {
            return error
        }
    }
}
