// How a model loads: its requests to the pipeline and its handling of their events. Views use
// ``NetworkImageModel`` instead.

extension NetworkImageModel {
    var shownImage: LoadedImage? {
        switch ownPhase {
        case .success(let image): image
        // A preview hash is too blurred to stay as an image.
        case .loading(let state): state.preview.flatMap { $0.isPreviewHash ? nil : $0 }
        case .empty, .failure: nil
        }
    }

    func target(boundedBy options: ImageOptions) -> TargetSize? {
        ImageRequest(ownSource ?? "", target: target).target(boundedBy: options)
    }

    /// - Parameter policy: Replaces the cache policy of the options.
    func request(for source: ImageSource, policy: CachePolicy? = nil) -> ImageRequest {
        var options = mergedOptions
        // Set only if it differs, so that most requests share the storage of the options.
        if options.priority != ownPriority { options.priority = ownPriority }
        if let policy { options.cachePolicy = policy }
        var request = ImageRequest(source, target: target, options: options)
        if source.isChoice { request.shownSource = shownImage?.source }
        return request
    }

    /// Tries a failed upgrade again, which may succeed on the new network.
    func networkBecameUnconstrained() {
        refinement = nil
        upgrade()
    }

    /// Loads the better source of a choice, unless it is the shown one.
    private func upgrade() {
        if isWanted, needsBetterSource { refine() }
    }

    var needsBetterSource: Bool {
        guard case .success = ownPhase, isShownFinal, let source = ownSource, source.isChoice else { return false }
        return !pipeline.isShownSourceChosen(for: request(for: source))
    }

    /// - Returns: The merged options until now.
    func replaceOptions(_ options: ImageOptions) -> ImageOptions {
        let old = mergedOptions
        currentOptions = options
        mergedOptions = options.merged(over: pipeline.configuration.options)
        if mergedOptions.priority != old.priority { priority = mergedOptions.priority }
        return old
    }

    func makeAnew(unlessSameAs old: ImageOptions) {
        guard !mergedOptions.makesSameImage(as: old) else { return }
        isShownFinal = false
        refinement = nil
        if isWanted { begin(showing: shownImage) }
    }

    /// Called after an image was reloaded, perhaps by this model. Shows that image, or another size
    /// or variant that is made from the same response.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        guard case .success(let shown) = phase, shown.version != image.version, currentLoad == nil,
            let source = currentSource, pipeline.loadKey(for: request(for: source)) == key
        else { return }
        // Another size or a processed image: after the reload, the cache has a newer response to
        // make it from.
        let hit = pipeline.lookUp(request(for: source))
        begin(showing: nil, policy: hit?.image.version == image.version ? nil : .revalidate, isBehind: true)
    }

    /// The source whose image a view that is about to appear may show already. `nil` if the view
    /// shows it or must not load yet.
    var sourceToPrepare: ImageSource? {
        guard mergedOptions.loadOptions.contains(.loadOnAppear), currentLoad == nil else { return nil }
        switch ownPhase {
        case .loading: return nil
        case .success where isShownFinal: return nil
        case .success, .empty, .failure: return ownSource
        }
    }

    /// - Returns: Whether the memory cache has the image in any size.
    func showFromMemory(_ source: ImageSource) -> Bool {
        guard let hit = pipeline.lookUp(request(for: source), anySize: true) else { return false }
        show(.success(asDeclared(hit.image)), isFinal: hit.isFresh)
        return true
    }

    /// - Parameters:
    ///   - isBehind: Whether the shown image stays until the load succeeds.
    ///   - isRetry: Whether stored errors are not used.
    func begin(
        showing preview: LoadedImage?, policy: CachePolicy? = nil, isBehind: Bool = false, isRetry: Bool = false
    ) {
        // The new load joins before the old one leaves, so that a transfer that both share
        // survives.
        let superseded = currentLoad
        defer { superseded?.cancel() }
        currentLoad = nil
        refreshError = nil
        generation += 1
        let generation = generation
        guard let source = ownSource else { return show(.empty) }
        let showsStored = mergedOptions.showsStoredWhileLoading && mergedOptions.cachePolicy == .http
        var request = request(for: source, policy: policy ?? (showsStored ? .storedOnly : nil))
        if isRetry { request.options.ignoresStoredErrors = true }
        refreshedImage = isShownFinal ? shownImage : nil
        var isShownAlready = false
        if let hit = pipeline.lookUp(request) {
            show(.success(asDeclared(hit.image)), isFinal: true)
            if hit.isFresh { return }
            isShownAlready = true
        } else if !isBehind {
            progress = LoadProgress()
            show(.loading(LoadingState(preview: preview ?? mergedOptions.previewHash?.image)))
        }
        // An observer may have started or ended a load.
        guard generation == self.generation else { return }
        let load = Load(priority: ownPriority, batch: screenBatch)
        currentLoad = load
        // Both weak: a pending result must not keep the model alive.
        load.start(request, after: isShownAlready ? .zero : mergedOptions.delay, in: pipeline) {
            [weak self, weak load, request] event in
            if let self, let load { receive(event, of: load, for: request) }
        }
    }

    /// Whether a request asks only for the stored image, which the model shows before it asks the
    /// server.
    func showsStoredFirst(_ request: ImageRequest) -> Bool {
        request.options.cachePolicy == .storedOnly && mergedOptions.cachePolicy == .http
    }

    func endLoad() {
        generation += 1
        if currentLoad != nil { refinement = nil }
        currentLoad?.cancel()
        currentLoad = nil
    }

    func receive(_ event: ImageTask.Event, of load: Load, for request: ImageRequest) {
        guard currentLoad === load else { return }
        switch event {
        case .progress(let progress):
            update { $0.progress = progress }
        case .preview(let image):
            guard isLoading else { return }
            isShownFinal = false
            update { $0.preview = asDeclared(image) }
        case .retrying(let attempt):
            update { state in
                state.attempt = attempt
                state.progress = LoadProgress()
            }
        case .finished(let result):
            currentLoad = nil
            switch result {
            case .success(let image):
                refreshError = nil
                show(.success(asDeclared(image)), isFinal: true)
                if currentLoad == nil, image.info.origin == .stale, showsStoredFirst(request) {
                    begin(showing: nil, policy: .revalidate, isBehind: true)
                }
                // The network or the size of the view may have changed meanwhile.
                if currentLoad == nil { upgrade() }
            case .failure(let error) where error.code == .notStored && showsStoredFirst(request):
                begin(showing: shownImage, policy: .http, isRetry: request.options.ignoresStoredErrors)
            case .failure(.cancelled):
                refinement = nil
                show(shownImage.map { .success($0) } ?? .empty)
            case .failure(let error):
                // A shown image stays if its refresh fails.
                refreshError = error
                if isLoading { show(refreshedImage.map { .success($0) } ?? .failure(error)) }
            }
        }
    }

    func update(_ change: (inout LoadingState) -> Void) {
        guard case .loading(var state) = phase else { return }
        change(&state)
        progress = state.progress
        show(.loading(state))
    }

    /// The image with the scale of the model, and without its animation if animations are not
    /// played.
    func asDeclared(_ image: LoadedImage) -> LoadedImage {
        let isStill = image.animation != nil && !mergedOptions.playsAnimation
        guard image.scale != scale || isStill else { return image }
        var image = image
        image.scale = scale
        if isStill { image.animation = nil }
        return image
    }

    /// - Parameter isFinal: Whether the image is the complete image of the current source. `nil`
    ///   keeps the current value.
    func show(_ new: NetworkImagePhase, isFinal: Bool? = nil) {
        let old = ownPhase
        if case .empty = new, case .empty = old { return }
        isShownFinal = isFinal ?? isShownFinal
        phase = new
        observers.report(old, new)
    }
}

extension ImageOptions {
    /// Whether a source produces the same image under both options.
    fileprivate func makesSameImage(as other: ImageOptions) -> Bool {
        headers == other.headers && requestHook == other.requestHook && maxPixelSize == other.maxPixelSize
            && processors.elementsEqual(other.processors) { $0.identity == $1.identity }
    }
}
