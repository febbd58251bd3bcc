/// Decides when a growing file is worth the next preview, if each preview decodes the file from its
/// start: when the file has grown by half. All previews of a file then cost at most three decodes
/// of the whole file.
struct PreviewGrowth {
    /// The bytes of which the last preview was made.
    private var lastByteCount = 0

    /// Whether a preview of `byteCount` bytes is due. If it is, the next one counts from here.
    mutating func isDue(at byteCount: Int) -> Bool {
        guard byteCount >= lastByteCount + lastByteCount / 2 else { return false }
        lastByteCount = byteCount
        return true
    }
}
