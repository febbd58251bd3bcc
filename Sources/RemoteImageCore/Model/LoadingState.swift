/// How far a load has come.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes received.
    public var completedByteCount: Int
    /// Bytes in all, where the server tells and what it tells can be true.
    public var totalByteCount: Int?

    /// Creates the progress of a transfer: its beginning, by default.
    public init(completedByteCount: Int = 0, totalByteCount: Int? = nil) {
        self.completedByteCount = completedByteCount
        self.totalByteCount = totalByteCount
    }

    /// 0 to 1, or nil where the whole is not known.
    public var fraction: Double? {
        guard let totalByteCount, totalByteCount > 0 else { return nil }
        return min(1, max(0, Double(completedByteCount) / Double(totalByteCount)))
    }
}

/// What is known while an image loads.
public struct LoadingState: Sendable {
    /// The bytes received so far.
    public var progress: LoadProgress
    /// What can be shown meanwhile: a preview, or the image that was there before, where that is kept.
    public var preview: LoadedImage?
    /// Which try this is: 1, and more after failures that are worth another one.
    public var attempt: Int

    /// Creates a state: the beginning of the first attempt, by default.
    public init(progress: LoadProgress = LoadProgress(), preview: LoadedImage? = nil, attempt: Int = 1) {
        self.progress = progress
        self.preview = preview
        self.attempt = attempt
    }
}
