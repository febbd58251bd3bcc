/// The progress of a load.
public struct LoadProgress: Hashable, Sendable {
    /// The number of bytes received.
    public var completedByteCount: Int
    /// The total number of bytes. `nil` if the server does not state a plausible length.
    public var totalByteCount: Int?

    /// Creates the progress of a transfer, by default before the first byte.
    public init(completedByteCount: Int = 0, totalByteCount: Int? = nil) {
        self.completedByteCount = completedByteCount
        self.totalByteCount = totalByteCount
    }

    /// The completed fraction, 0 to 1. `nil` if the total is unknown.
    public var fraction: Double? {
        guard let totalByteCount, totalByteCount > 0 else { return nil }
        return min(1, max(0, Double(completedByteCount) / Double(totalByteCount)))
    }
}
