extension DecodeRequest {
    /// The maximum number of scans of a JPEG of this size, at most 500: a file with more is built
    /// to waste time, whatever its size. The programs of libjpeg-turbo have the same limit.
    package var maxScanCount: Int {
        min(500, max(1, limits.maxScanPixelCount / max(1, header.storedSize.pixelCount)))
    }

    /// Throws ``ImageError/Code/tooManyPixels`` for a JPEG that has too many scans, or whose
    /// coefficients and pixels exceed the memory limit.
    package func checkScans(of bytes: [UInt8]) throws(ImageError) {
        let (scans, frame) = bytes.withReader { (JPEGScans($0), JPEGFrame($0)) }
        guard scans.count <= maxScanCount else {
            throw ImageError(
                .tooManyPixels, "\(header.storedSize) in \(scans.count) scans, at most \(maxScanCount) are allowed")
        }
        let kept = frame?.coefficientByteCount ?? 0
        guard kept == 0 || kept + estimatedByteCount <= limits.maxDecodedByteCount else {
            throw ImageError(
                .tooManyPixels,
                "\(header.storedSize) in several scans, at most \(limits.maxDecodedByteCount) bytes are allowed")
        }
    }
}
