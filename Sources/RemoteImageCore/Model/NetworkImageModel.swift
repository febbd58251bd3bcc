import Observation

/// Loads one remote image and publishes its phases. Views bind to it.
///
/// The model is bound to the main actor. If the image is in the memory cache, ``phase`` holds it
/// when the call that loads it returns. A superseded load never reports: its late events are
/// dropped. Releasing a model cancels its load.
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

    /// The current phase. Observable.
    ///
    /// While a view is out of sight, its model releases the image. The phase is then `.success` as
    /// long as the image is in use elsewhere or in the memory cache, else `.empty`. The view loads
    /// the image again when it comes back.
    public var phase: NetworkImagePhase {
        access(keyPath: \.phase)
        return state.phase
    }

    /// The error of the last load if it failed, also if it was a refresh and the image is still
    /// shown. `nil` while a load is running and after one succeeds.
    public internal(set) var refreshError: ImageError?

    /// The progress of the current load, or of the last one.
    public internal(set) var progress = LoadProgress()

    /// The priority of the load; initially that of the options. A change also applies to a running
    /// load.
    public var priority: LoadPriority {
        didSet { state.load?.setPriority(priority, batch: screenBatch) }
    }

    /// The options, which override those of the pipeline. A change of the priority takes effect at
    /// once, and so do another preview hash while the image loads, and changes that produce a
    /// different image, such as processors, headers or a size limit.
    /// ``ImageOptions/playsAnimation`` applies to a shown image. All other changes take effect with
    /// the next load.
    public var options: ImageOptions {
        get { currentOptions }
        set { makeAnew(unlessSameAs: replaceOptions(newValue)) }
    }

    /// The size at which the image is drawn. `nil`, the default, loads all pixels. Takes effect
    /// with the next load.
    @ObservationIgnored public var target: TargetSize?

    /// Pixels of the image per point.
    @ObservationIgnored public var scale: Double {
        didSet {
            guard scale != oldValue, case .shown(let image, let isComplete, let refresh) = state else { return }
            show(.shown(asDeclared(image), isComplete: isComplete, refresh: refresh))
        }
    }

    var currentSource: ImageSource? {
        didSet { registeredSource.withLock { $0 = _currentSource.map(ModelRegistry.Source.init) } }
    }
    /// The registered source, readable on any thread.
    @ObservationIgnored private let registeredSource: Lock<ModelRegistry.Source?>
    var currentOptions: ImageOptions
    /// The options merged over those of the pipeline, which never change.
    @ObservationIgnored var mergedOptions: ImageOptions
    /// Observed only as ``phase``, which ``show(_:)`` changes: the start and the end of a refresh
    /// are no changes of phase. The model itself reads the state, which is not observed.
    @ObservationIgnored var state = ModelState.idle
    /// The terms of the last refinement, so that a refinement that brought nothing better is not
    /// repeated. Not part of the state, since a reload keeps them.
    @ObservationIgnored var refinement: Refinement?
    /// The target that the complete image was decoded for. Not part of the state, since a reload
    /// keeps it.
    @ObservationIgnored var shownTarget: TargetSize?

    /// Whether the image should be loaded: `true` from a load or an appearance until a
    /// cancellation. A new source is loaded in any state if this is `true`.
    @ObservationIgnored var isWanted = false
    /// The images that appeared on screen together with this one; `nil` while the view is off
    /// screen.
    @ObservationIgnored var screenBatch: ScreenBatch?
    @ObservationIgnored let observers = PhaseObservers()

    /// Creates a model. It loads nothing until its view appears or ``load()`` is called, unless the
    /// options contain ``LoadOptions/loadImmediately``.
    ///
    /// - Parameters:
    ///   - source: The source of the image; `nil` for no image.
    ///   - pipeline: The pipeline that loads the image.
    ///   - options: Options that override those of the pipeline: none by default.
    ///   - scale: Pixels of the image per point, 1 by default.
    public init(
        _ source: (any ImageSourceConvertible)?, pipeline: ImagePipeline, options: ImageOptions = ImageOptions(),
        scale: Double = 1
    ) {
        let source = source?.imageSource
        self.pipeline = pipeline
        currentOptions = options
        self.scale = scale
        mergedOptions = options.merged(over: pipeline.configuration.options)
        priority = mergedOptions.priority
        registeredSource = Lock(source.map(ModelRegistry.Source.init))
        currentSource = source
        pipeline.context.models.add(self, source: registeredSource)
        if mergedOptions.loadOptions.contains(.loadImmediately) { load() }
    }

    deinit {
        pipeline.context.models.remove(ObjectIdentifier(self))
    }

    // MARK: State

    // These bypass the observation registrar: reads by the model itself must not be observed.
    var ownSource: ImageSource? { _currentSource }
    var ownPriority: LoadPriority { _priority }

    /// The source of the image. A new source ends the load of the old one; if the old image was
    /// requested and not cancelled, the new one is loaded. A failed image is also loaded again if
    /// an equal source has another address.
    public var source: ImageSource? {
        get { currentSource }
        set { setSource(newValue, keepsImage: mergedOptions.keepsImageWhileLoading) }
    }

    /// - Parameter keepsImage: Whether the current image stays until that of another source is
    ///   loaded.
    private func setSource(_ new: ImageSource?, keepsImage: Bool) {
        let old = ownSource
        // Set even for an equal source: its address, such as a signed one, may have changed.
        currentSource = new
        guard new != old else { return loadNewAddress(insteadOf: old) }
        refinement = nil
        state = state.outdated
        isWanted = isWanted || mergedOptions.loadOptions.contains(.loadImmediately)
        if isWanted {
            begin(.changed(keepsImage: keepsImage))
        } else {
            cancelLoad()
            show(.idle)
        }
    }

    /// Loads a failed image whose source has another address, such as one that is signed anew.
    private func loadNewAddress(insteadOf old: ImageSource?) {
        if case .failed = state, isWanted, ownSource?.webAddress != old?.webAddress { begin(.retry) }
    }

    /// Applies a new declaration in one step, so that a source is never loaded with the options or
    /// the credentials of another.
    public func update(source: ImageSource?, options: ImageOptions, scale: Double) {
        let old = replaceOptions(options)
        self.scale = scale
        if source != ownSource {
            setSource(source, keepsImage: mergedOptions.keepsImageWhileLoading && hasSameAccount(as: old))
        } else {
            let last = ownSource
            currentSource = source
            makeAnew(unlessSameAs: old)
            loadNewAddress(insteadOf: last)
        }
    }

    /// The image, once it is loaded.
    public var image: LoadedImage? { phase.image }

    /// The source to save for the shown image: the chosen one if the source is a choice, and the
    /// largest of several sizes. `nil` if no image of the current source is shown, since the
    /// current options do not apply to another source.
    package var sourceToSave: ImageSource? {
        guard let image, state.completeImage != nil, let source = currentSource else { return nil }
        return source.isChoice ? image.source.flatMap { source.toSave(whileShowing: $0) } : source
    }

    /// The error in the phase ``NetworkImagePhase/failure(_:)``; otherwise `nil`.
    public var error: ImageError? { phase.error }

    /// Whether a load is running. A refresh of a shown image does not count.
    public var isLoading: Bool { phase.kind == .loading }

    // MARK: Actions

    /// Loads the image. Does nothing while the image is loading or shown; loads again after a
    /// failure.
    public func load() {
        isWanted = true
        switch state {
        case .loading, .shown(_, isComplete: true, _): break
        case .idle, .prepared, .shown, .failed, .released: begin(.wanted)
        }
    }

    /// Sets the source and loads its image.
    public func load(_ source: some ImageSourceConvertible) {
        self.source = source.imageSource
        load()
    }

    /// Loads the image again even if it is shown. The shown image stays until the load ends.
    public func reload() {
        isWanted = true
        begin(.reload)
    }

    /// Loads again after a failure; otherwise does nothing. Asks the server even if ``load()``
    /// would use a stored error (see ``CachePolicy/http``).
    public func retry() {
        guard case .failed = state else { return }
        isWanted = true
        begin(.retry)
    }

    /// Whether the shown image has fewer pixels than needed and more are available, or whether a
    /// better source of a choice is due: a larger candidate, or the regular source after a metered
    /// network. Never true for a lesser source.
    public var needsMorePixels: Bool {
        access(keyPath: \.phase)
        return dueRefinement != nil
    }

    /// `nil` if nothing better is due, or if it was just tried.
    private var dueRefinement: Refinement? {
        guard case .shown(let image, isComplete: true, _) = state else { return nil }
        let options = mergedOptions
        let wanted = options.bounding(target)
        let due = Refinement(target: wanted, isUpgrade: needsBetterSource)
        let info = image.info
        // A processor may have changed the size of the image.
        let pixels = options.processors.isEmpty ? info.decodedSize : info.pixelSize(for: shownTarget)
        let isTooSmall = !pixels.serves(info.pixelSize(for: wanted))
        return (due.isUpgrade || isTooSmall) && due != refinement ? due : nil
    }

    /// Whether a shown image is being refreshed.
    package var isRefining: Bool { if case .shown(_, _, refresh: _?) = state { true } else { false } }

    /// Loads the image again if ``needsMorePixels`` is true. The shown image stays until the load
    /// ends, and also if it fails.
    public func refine() {
        guard state.load == nil, let due = dueRefinement else { return }
        begin(.refinement)
        refinement = due
    }

    /// Ends the load and keeps the shown image.
    public func cancel() {
        isWanted = false
        cancelLoad()
        settle(in: state.cancelled)
    }

    /// Ends the load and removes the shown image.
    public func reset() {
        isWanted = false
        cancelLoad()
        progress = LoadProgress()
        show(.idle)
    }

    /// Call this when the view is about to appear and its size is not known yet. Shows the image
    /// from the memory cache in any size, or the loading phase. ``appear()`` continues from there.
    public func prepareToAppear() {
        guard let source = sourceToPrepare, !showFromMemory(source) else { return }
        show(.prepared(preview: state.image ?? mergedOptions.previewHash?.image))
    }

    /// Called for a visible view whose ``appear()`` follows later. Shows the image from the memory
    /// cache in any size, or a released image that is still in use.
    package func prepareFromMemory() {
        if let source = sourceToPrepare { _ = showFromMemory(source) }
    }

    /// Call this when the view has appeared. Loads the image if the options say so. Images of views
    /// that appear later are loaded first.
    public func appear() {
        appear(in: ScreenBatch())
    }

    /// The view has appeared together with others. Their images load in the order of these calls.
    ///
    /// - Parameter batch: `nil` for a view that is only about to become visible, whose load comes
    ///   after those of visible views.
    package func appear(in batch: ScreenBatch?) {
        screenBatch = batch
        state.load?.setPriority(priority, batch: batch)
        guard loadsOnAppear else { return }
        load()
        refine()
    }

    /// The visible view is about to get another source, in one frame with other views.
    package func join(_ batch: ScreenBatch) {
        if screenBatch != nil { screenBatch = batch }
    }

    /// The view has disappeared, perhaps only for a moment: its load continues after those of
    /// visible views.
    package func stepAside() {
        screenBatch = nil
        state.load?.setPriority(priority, batch: nil)
    }

    /// Call this when the view has disappeared. Cancels the load or lowers its priority, as the
    /// options say.
    public func disappear() {
        screenBatch = nil
        let loadOptions = mergedOptions.loadOptions
        if loadOptions.contains(.cancelOnDisappear) || state.load == nil {
            cancel()
        } else {
            let lowered = loadOptions.contains(.lowerPriorityOnDisappear)
            state.load?.setPriority(lowered ? .veryLow : priority, batch: nil)
        }
    }
}
