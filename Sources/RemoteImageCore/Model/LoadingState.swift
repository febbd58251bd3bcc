/// The state of a running load.
public struct LoadingState: Sendable {
    /// The bytes received so far.
    public var progress: LoadProgress
    /// The image to show meanwhile: a preview, or the previous image if the view keeps it.
    public var preview: LoadedImage?
    /// The number of the attempt: 1 at first, higher after retries.
    public var attempt: Int

    /// Creates a state, by default the start of the first attempt.
    public init(progress: LoadProgress = LoadProgress(), preview: LoadedImage? = nil, attempt: Int = 1) {
        self.progress = progress
        self.preview = preview
        self.attempt = attempt
    }
}
