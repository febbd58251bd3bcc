import Observation

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

    /// A state with the same values, which goes on with ``advance(to:)``. Its reads are observed.
    package func observed() -> LoadingState {
        var state = LoadingState()
        state.load = ObservedLoad(self)
        return state
    }

    /// Replaces the values of a state that is ``observed()``, and of its copies. Other states stay
    /// as they are.
    package func advance(to new: LoadingState) { load?.advance(to: new) }

    /// The values of the state, which stay as they are. Reading them is not observed.
    package var snapshot: LoadingState { load?.newest ?? self }

    private mutating func change(
        _ change: (inout (progress: LoadProgress, preview: LoadedImage?, attempt: Int)) -> Void
    ) {
        self = snapshot
        change(&own)
    }
}

/// The newest values of a load that a view shows. Reads of the values are observed.
private final class ObservedLoad: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let state: Lock<LoadingState>

    init(_ state: LoadingState) {
        self.state = Lock(state.snapshot)
    }

    /// The state, which is not observed.
    var newest: LoadingState { state.withLock { $0 } }

    var progress: LoadProgress {
        registrar.access(self, keyPath: \.progress)
        return newest.progress
    }

    var preview: LoadedImage? {
        registrar.access(self, keyPath: \.preview)
        return newest.preview
    }

    var attempt: Int {
        registrar.access(self, keyPath: \.attempt)
        return newest.attempt
    }

    func advance(to new: LoadingState) {
        // The old preview is not released under the lock.
        let old = state.withLock { state in
            let old = state
            state = new.snapshot
            return old
        }
        if new.progress != old.progress { registrar.withMutation(of: self, keyPath: \.progress) {} }
        if new.attempt != old.attempt { registrar.withMutation(of: self, keyPath: \.attempt) {} }
        let isSamePreview = new.preview.map { old.preview?.isSameImage(as: $0) == true } ?? (old.preview == nil)
        if !isSamePreview { registrar.withMutation(of: self, keyPath: \.preview) {} }
    }
}
