extension DecodeRequest {
    /// The error for an image whose size in the codec library differs from the size in the header:
    /// `tooManyPixels` if the found size exceeds the limits, otherwise `corrupt`.
    func mismatch(width: UInt32, height: UInt32) -> ImageError {
        let found = PixelSize(width: Int(width), height: Int(height))
        do throws(ImageError) {
            try limits.check(found)
            return ImageError(.corrupt, "the header says \(header.storedSize), the image is \(found)")
        } catch {
            return error
        }
    }
}
