/// Decides when to make the next preview of a growing file whose previews each decode it from the
/// start: whenever the file has grown by half. All previews of a file then cost at most three
/// decodes of the whole file.
struct PreviewGrowth {
    /// The number of bytes from which the last preview was made.
    private var lastByteCount = 0

    /// Whether a preview of `byteCount` bytes is due. If it is, `byteCount` becomes the base of the
    /// next one.
    mutating func isDue(at byteCount: Int) -> Bool {
        guard byteCount >= lastByteCount + lastByteCount / 2 else { return false }
        lastByteCount = byteCount
        return true
    }
}
