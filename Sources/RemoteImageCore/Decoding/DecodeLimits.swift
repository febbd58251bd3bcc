/// What one picture may cost. Checked against its header before any decoder sees the bytes.
public struct DecodeLimits: Hashable, Sendable {
    /// Width × height: 50 million by default.
    public var maxPixelCount: Int = 50_000_000
    /// The longer side in pixels: 16,384 by default.
    public var maxSide: Int = 16_384
    /// Bytes of decoded pixels: 256 MiB by default.
    public var maxDecodedByteCount: Int = 256 << 20

    public init() {}
}
