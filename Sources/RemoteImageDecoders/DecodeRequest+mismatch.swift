extension DecodeRequest {
    /// The error for an image whose size in the codec library differs from the size in the header:
    /// `tooManyPixels` if `found` exceeds the limits, otherwise `corrupt`.
    func mismatch(_ found: PixelSize, _ expected: PixelSize) -> ImageError {
        do throws(ImageError) {
            try limits.check(found)
            return ImageError(.corrupt, "the header says \(expected), the image is \(found)")
        } catch {
            return error
        }
    }
}
