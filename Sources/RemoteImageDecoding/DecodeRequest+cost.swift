// Estimates of the memory that decoding takes, from the structure of a file.

extension DecodeRequest {
    /// An estimate of the bytes that decoding the file needs.
    package func estimatedByteCount(of bytes: [UInt8]) -> Int { header.format.facts.byteCountOfFile(self, bytes) }

    /// The estimate from the header alone. For a JPEG, it counts only the pixels of the reduced
    /// decode; for other formats, all decoded pixels and the packed ones. The preferred size of an
    /// SVG is unknown before the file is parsed.
    package var estimatedByteCount: Int { header.format.facts.byteCount(self) }
}

extension PixelSize {
    /// Four bytes per pixel; clamped, since a header may claim any size.
    var decodedByteCount: Int { min(pixelCount, 1 << 48) * 4 }
}
