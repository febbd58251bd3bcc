// How a model loads: what it asks the pipeline for, and what becomes of the answers. Nothing here is for views.

extension NetworkImageModel {
    var shownImage: LoadedImage? {
        switch ownPhase {
        case .success(let image): image
        // A blur is no image that could stay.
        case .loading(let state): state.preview.flatMap { $0.isPreviewHash ? nil : $0 }
        case .empty, .failure: nil
        }
    }

    func target(boundedBy options: ImageOptions) -> TargetSize? {
        ImageRequest(ownSource ?? "", target: target).target(boundedBy: options)
    }

    /// - Parameter policy: In place of that of the options.
    func request(for source: ImageSource, policy: CachePolicy? = nil) -> ImageRequest {
        var options = mergedOptions
        // Set only where they were changed: most requests then share the options as they are.
        if options.priority != ownPriority { options.priority = ownPriority }
        if let policy { options.cachePolicy = policy }
        var request = ImageRequest(source, target: target, options: options)
        if source.isChoice { request.shownSource = shownImage?.source }
        return request
    }

    /// A failed upgrade may succeed on the other network.
    func networkBecameUnconstrained() {
        refinement = nil
        upgrade()
    }

    /// Loads the better source of a choice, if another one than the shown one is due.
    private func upgrade() {
        if isWanted, needsBetterSource { refine() }
    }

    var needsBetterSource: Bool {
        guard case .success = ownPhase, isShownFinal, let source = ownSource, source.isChoice else { return false }
        return !pipeline.isShownSourceChosen(for: request(for: source))
    }

    func optionsChanged() {
        let (old, new) = (mergedOptions, options.merged(over: pipeline.configuration.options))
        mergedOptions = new
        if new.priority != old.priority { priority = new.priority }
        makeAnew(unlessSameAs: old)
    }

    func makeAnew(unlessSameAs old: ImageOptions) {
        guard !mergedOptions.makesSameImage(as: old) else { return }
        isShownFinal = false
        refinement = nil
        if isWanted { begin(showing: shownImage) }
    }

    /// An image was reloaded, perhaps by this model: shows it, or another image that is made of its bytes.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        guard case .success(let shown) = phase, shown.version != image.version, currentLoad == nil,
            let source = currentSource, pipeline.loadKey(for: request(for: source)) == key
        else { return }
        // Another size, or processed: what the server was just asked for it has in its store.
        let hit = pipeline.lookUp(request(for: source))
        begin(showing: nil, policy: hit?.image.version == image.version ? nil : .revalidate, isBehind: true)
    }

    /// What a view that is about to appear may show already; nil where it shows it, or is to show nothing yet.
    var sourceToPrepare: ImageSource? {
        guard mergedOptions.loadOptions.contains(.loadOnAppear), currentLoad == nil else { return nil }
        switch ownPhase {
        case .loading: return nil
        case .success where isShownFinal: return nil
        case .success, .empty, .failure: return ownSource
        }
    }

    /// - Returns: Whether memory has the image, in whatever size.
    func showFromMemory(_ source: ImageSource) -> Bool {
        guard let hit = pipeline.lookUp(request(for: source), anySize: true) else { return false }
        show(.success(asDeclared(hit.image)), isFinal: hit.isFresh)
        return true
    }

    /// - Parameters:
    ///   - isBehind: Whether the image that is shown stays until there is a better one.
    ///   - isRetry: Whether no stored error may answer.
    func begin(
        showing preview: LoadedImage?, policy: CachePolicy? = nil, isBehind: Bool = false, isRetry: Bool = false
    ) {
        // The new load joins before the old one leaves, so that a transfer that both want survives.
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
        // Who was told may have begun another load, or ended all.
        guard generation == self.generation else { return }
        let load = Load(priority: ownPriority, batch: screenBatch)
        currentLoad = load
        // Both weak: a pending result must not keep the model alive.
        load.start(request, after: isShownAlready ? .zero : mergedOptions.delay, in: pipeline) {
            [weak self, weak load, request] event in
            if let self, let load { receive(event, of: load, for: request) }
        }
    }

    /// Whether a load asked for what is stored, to show it while the server is asked.
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
                // The network or the place may have changed meanwhile.
                if currentLoad == nil { upgrade() }
            case .failure(let error) where error.code == .notStored && showsStoredFirst(request):
                begin(showing: shownImage, policy: .http, isRetry: request.options.ignoresStoredErrors)
            case .failure(.cancelled):
                refinement = nil
                show(shownImage.map { .success($0) } ?? .empty)
            case .failure(let error):
                // An image that could not be refreshed is better than none.
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

    /// The image with the scale of its declaration, and without an animation that is not to be played.
    func asDeclared(_ image: LoadedImage) -> LoadedImage {
        let isStill = image.animation != nil && !mergedOptions.playsAnimation
        guard image.scale != scale || isStill else { return image }
        var image = image
        image.scale = scale
        if isStill { image.animation = nil }
        return image
    }

    /// - Parameter isFinal: Whether an image is the whole of the present source's.
    func show(_ new: NetworkImagePhase, isFinal: Bool? = nil) {
        let old = ownPhase
        if case .empty = new, case .empty = old { return }
        isShownFinal = isFinal ?? isShownFinal
        phase = new
        observers.report(old, new)
    }
}

extension ImageOptions {
    /// Whether a source gives the same image under both.
    fileprivate func makesSameImage(as other: ImageOptions) -> Bool {
        headers == other.headers && requestHook == other.requestHook && maxPixelSize == other.maxPixelSize
            && processors.elementsEqual(other.processors) { $0.identity == $1.identity }
    }
}
