import Observation

/// Drives one remote image through its phases: what a view binds to.
///
/// All of it belongs to the main actor. An image that is in memory is in ``phase`` when the call that
/// asks for it returns. A load that another one superseded never reports: what arrives late is dropped.
/// A model that is released cancels its load.
///
/// ```swift
/// let model = NetworkImageModel("https://example.org/cat.jpg", pipeline: pipeline)
/// model.load()
/// for await phase in model.phases { print(phase.kind) }
/// ```
@MainActor
@Observable
public final class NetworkImageModel {
    /// The pipeline that loads the image.
    public let pipeline: ImagePipeline

    /// The present phase. Observable.
    public internal(set) var phase = NetworkImagePhase.empty

    /// Why the image that is shown could not be loaded anew; nil while that is tried, and once it could. Without an image see ``error``.
    public internal(set) var refreshError: ImageError?

    /// How far the current load, or else the last one, came.
    public internal(set) var progress = LoadProgress()

    /// How urgent the image is, the options' priority at first. Changes a load under way.
    public var priority: LoadPriority {
        didSet { currentLoad?.setPriority(priority, batch: screenBatch) }
    }

    /// How the image is loaded, over the pipeline's own options. A new priority takes effect at once, and so does what
    /// makes another image of the source, such as processors, headers or a bound of its pixels; everything else with the next load.
    public var options: ImageOptions {
        didSet { if !isUpdating { optionsChanged() } }
    }

    /// The pixels wanted; nil, the default, is all of them. Takes effect with the next load.
    @ObservationIgnored public var target: TargetSize?

    /// Pixels of the image per point.
    @ObservationIgnored public var scale: Double {
        didSet { if case .success(let image) = phase, scale != oldValue { show(.success(asDeclared(image))) } }
    }

    var currentSource: ImageSource?
    /// The options over those of the pipeline, which never change.
    @ObservationIgnored var mergedOptions: ImageOptions
    @ObservationIgnored var currentLoad: Load?
    /// Whether options change together with the source.
    @ObservationIgnored var isUpdating = false
    /// Counts the beginnings and the ends of loads: who changed something and told others of it sees by it whether they
    /// began something else.
    @ObservationIgnored var generation = 0
    /// Whether the image that is shown is the whole of the present source's: not a preview, and not what was left from
    /// another source.
    @ObservationIgnored var isShownFinal = false
    /// The terms of the last refinement: an image that has no more pixels is not asked for again.
    @ObservationIgnored var refinement: Refinement?
    /// The image that was shown when its load began: better than none if that fails.
    @ObservationIgnored var refreshedImage: LoadedImage?

    struct Refinement: Equatable {
        let target: TargetSize?
        /// Whether a better source was due.
        let isUpgrade: Bool
    }

    /// Whether the image is asked for: from a load or an appearance to a cancellation.
    @ObservationIgnored var isWanted = false
    /// The images with which this one came into sight; nil while it is not in sight.
    @ObservationIgnored var screenBatch: ScreenBatch?
    @ObservationIgnored let observers = PhaseObservers()

    /// Creates a model, which loads nothing before it appears or is told to load.
    ///
    /// - Parameters:
    ///   - source: Where the image comes from; `nil` for no image.
    ///   - pipeline: Loads the image.
    ///   - options: Go before those of the pipeline: none by default.
    ///   - scale: Pixels of the image per point, 1 by default.
    public init(
        _ source: (some ImageSourceConvertible)?, pipeline: ImagePipeline, options: ImageOptions = ImageOptions(),
        scale: Double = 1
    ) {
        self.pipeline = pipeline
        self.options = options
        self.scale = scale
        mergedOptions = options.merged(over: pipeline.configuration.options)
        priority = mergedOptions.priority
        currentSource = source?.imageSource
        pipeline.context.models.add(self)
        if mergedOptions.loadOptions.contains(.loadImmediately) { load() }
    }

    deinit {
        pipeline.context.models.remove(ObjectIdentifier(self))
    }

    // MARK: State

    // Without the registrar: reads by the model itself are no observation.
    var ownSource: ImageSource? { _currentSource }
    var ownPhase: NetworkImagePhase { _phase }
    var ownPriority: LoadPriority { _priority }

    /// Where the image comes from. Another source ends the load of the old one; where an image is
    /// wanted already, that of the new one is loaded.
    public var source: ImageSource? {
        get { currentSource }
        set {
            let isSame = newValue == ownSource
            let shown = mergedOptions.keepsImageWhileLoading ? shownImage : nil
            // Also where it is the same image: the way to it, such as a signed address, may be another.
            currentSource = newValue
            guard !isSame else { return }
            refinement = nil
            isShownFinal = false
            isWanted = isWanted || mergedOptions.loadOptions.contains(.loadImmediately)
            if isWanted {
                begin(showing: shown)
            } else {
                endLoad()
                show(.empty)
            }
        }
    }

    /// Takes another declaration in one step: no source ever meets the options, and the credentials, of another.
    public func update(source: ImageSource?, options: ImageOptions, scale: Double) {
        let old = mergedOptions
        isUpdating = true
        self.options = options
        isUpdating = false
        mergedOptions = options.merged(over: pipeline.configuration.options)
        self.scale = scale
        if mergedOptions.priority != old.priority { priority = mergedOptions.priority }
        if source != currentSource {
            self.source = source
        } else {
            currentSource = source
            makeAnew(unlessSameAs: old)
        }
    }

    /// The image, once it is there.
    public var image: LoadedImage? { phase.image }

    /// What to save for who wants the image that is shown: where the source is a choice, what was chosen for it, and of several
    /// sizes the largest. Nil where no image of the present source is shown: the present options are not for another one.
    package var sourceToSave: ImageSource? {
        guard let image, isShownFinal, let source = currentSource else { return nil }
        return source.isChoice ? image.source.flatMap { source.toSave(whileShowing: $0) } : source
    }

    /// Why there is none.
    public var error: ImageError? { phase.error }

    /// Whether a load is running. A refresh of a shown image does not count.
    public var isLoading: Bool { phase.kind == .loading }

    // MARK: Actions

    /// Loads the image. Does nothing while it loads and when it is there; loads again after a failure.
    public func load() {
        isWanted = true
        switch phase {
        case .loading where currentLoad != nil: return
        case .success where isShownFinal: return
        case .loading, .success: begin(showing: shownImage)
        case .empty, .failure: begin(showing: nil)
        }
    }

    /// Loads the image again although it is there. What is shown stays until then.
    public func reload() {
        isWanted = true
        begin(showing: shownImage, policy: .reload)
    }

    /// Loads again after a failure; else does nothing. The server is asked even where ``load()`` would be answered by an
    /// error that the store has (see ``CachePolicy/http``).
    public func retry() {
        guard case .failure = phase else { return }
        isWanted = true
        begin(showing: nil, isRetry: true)
    }

    /// Whether the image shown has fewer pixels than are wanted now and there are more, or whether a better source of a
    /// choice is due: a larger candidate, or the regular one after a metered network. Never true for a lesser source.
    public var needsMorePixels: Bool { dueRefinement != nil }

    /// `nil` where nothing better is due, or where it was just tried.
    private var dueRefinement: Refinement? {
        let options = mergedOptions
        guard case .success(let image) = phase, isShownFinal else { return nil }
        let wanted = target(boundedBy: options)
        let due = Refinement(target: wanted, isUpgrade: needsBetterSource)
        // A processed image has its size in its key.
        let isTooSmall = options.processors.isEmpty && !CachedImage(image).serves(wanted)
        return (due.isUpgrade || isTooSmall) && due != refinement ? due : nil
    }

    /// Whether an image that is shown is being made anew behind it.
    package var isRefining: Bool { currentLoad != nil && phase.kind == .success }

    /// Loads the image anew where ``needsMorePixels`` holds. The image shown stays until then, and for good if the load
    /// fails.
    public func refine() {
        guard currentLoad == nil, let due = dueRefinement else { return }
        begin(showing: nil, isBehind: true)
        refinement = due
    }

    /// Ends the load and keeps what is shown.
    public func cancel() {
        isWanted = false
        let (wasLoading, shown) = (isLoading, shownImage)
        endLoad()
        if wasLoading { show(shown.map { .success($0) } ?? .empty) }
    }

    /// Ends the load and shows nothing.
    public func reset() {
        isWanted = false
        endLoad()
        progress = LoadProgress()
        show(.empty)
    }

    /// The view is about to come into sight, and its size is not known yet: shows what memory has of the image, in
    /// whatever size, or that it will load. ``appear()`` goes on from there.
    public func prepareToAppear() {
        guard let source = sourceToPrepare, !showFromMemory(source) else { return }
        progress = LoadProgress()
        show(.loading(LoadingState(preview: shownImage ?? mergedOptions.previewHash?.image)))
    }

    /// The view is in sight, and ``appear()`` comes a little later: shows what memory has of the image, in whatever size.
    package func prepareFromMemory() {
        if let source = sourceToPrepare { _ = showFromMemory(source) }
    }

    /// The view has come into sight: loads, if the options say so. Images that came into sight later go before it.
    public func appear() {
        appear(in: ScreenBatch())
    }

    /// The view has come into sight together with others: their images load in the order of these calls.
    package func appear(in batch: ScreenBatch) {
        screenBatch = batch
        currentLoad?.setPriority(priority, batch: batch)
        guard mergedOptions.loadOptions.contains(.loadOnAppear) else { return }
        load()
        refine()
    }

    /// The view in sight is about to get another source, in one frame with other views.
    package func join(_ batch: ScreenBatch) {
        if screenBatch != nil { screenBatch = batch }
    }

    /// The view has gone out of sight, perhaps only for a moment: what loads goes on, after what is in sight.
    package func stepAside() {
        screenBatch = nil
        currentLoad?.setPriority(priority, batch: nil)
    }

    /// The view has gone out of sight: cancels the load or lowers its priority, as the options say.
    public func disappear() {
        screenBatch = nil
        let loadOptions = mergedOptions.loadOptions
        if loadOptions.contains(.cancelOnDisappear) || currentLoad == nil {
            cancel()
        } else {
            let lowered = loadOptions.contains(.lowerPriorityOnDisappear)
            currentLoad?.setPriority(lowered ? .veryLow : priority, batch: nil)
        }
    }

    // MARK: Observation

    /// The phases from now on, beginning with the present one: each kind of phase once and in order,
    /// while progress may coalesce. Ends when the model is released.
    public var phases: PhaseSequence {
        observers.sequence(startingWith: phase)
    }

    /// Calls `body` with each change of phase, on the main actor, before the call that changed it
    /// returns. Ends when the observation is released.
    public func observePhase(
        _ body: @escaping @MainActor (_ old: NetworkImagePhase, _ new: NetworkImagePhase) -> Void
    ) -> PhaseObservation {
        observers.add(body)
    }
}
