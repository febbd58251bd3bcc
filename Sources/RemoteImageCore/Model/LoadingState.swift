/// The state of a running load.
///
/// The closures of a view receive a state that goes on with the load: content that reads it, such
/// as `Label("\(state.percent) %")`, follows the load.
public struct LoadingState: Sendable {
    private var own: (progress: LoadProgress, preview: LoadedImage?, attempt: Int)
    /// The load that the state follows; `nil` for a state that stays as it is.
    private var load: ObservedLoad?

    /// The bytes received so far.
    public var progress: LoadProgress {
        get { load?.progress ?? own.progress }
        set { change { $0.progress = newValue } }
    }

    /// The image to show meanwhile: a preview, or the previous image if the view keeps it.
    public var preview: LoadedImage? {
        get { load.map(\.preview) ?? own.preview }
        set { change { $0.preview = newValue } }
    }

    /// The number of the attempt: 1 at first, higher after retries.
    public var attempt: Int {
        get { load?.attempt ?? own.attempt }
        set { change { $0.attempt = newValue } }
    }

    /// The received part of the image in percent, rounded down; 0 while its length is unknown.
    public var percent: Int { Int((progress.fraction ?? 0) * 100) }

    /// Creates a state, by default the start of the first attempt.
    public init(progress: LoadProgress = LoadProgress(), preview: LoadedImage? = nil, attempt: Int = 1) {
        own = (progress, preview, attempt)
    }

    /// The newest state of a load. Its reads are observed.
    package init(of load: ObservedLoad) {
        self = load.newest
        self.load = load
    }

    /// The values of the state, which stay as they are. Reading them is not observed.
    package var snapshot: LoadingState { load?.newest ?? self }

    private mutating func change(
        _ change: (inout (progress: LoadProgress, preview: LoadedImage?, attempt: Int)) -> Void
    ) {
        self = snapshot
        change(&own)
    }
}
