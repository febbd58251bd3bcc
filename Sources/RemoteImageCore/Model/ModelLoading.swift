// How a model loads: its requests to the pipeline and its handling of their events. Views use
// ``NetworkImageModel`` instead.

import HTTPTypes

extension NetworkImageModel {
    /// The target of the image for a request of this model, whose options are merged already.
    private func target(of request: ImageRequest) -> TargetSize? { request.options.bounding(request.target) }

    /// - Parameter policy: Replaces the cache policy of the options.
    func request(for source: ImageSource, policy: CachePolicy? = nil) -> ImageRequest {
        var options = mergedOptions
        // Set only if it differs, so that most requests share the storage of the options.
        if options.priority != ownPriority { options.priority = ownPriority }
        if let policy { options.cachePolicy = policy }
        var request = ImageRequest(source, target: target, options: options)
        if source.isChoice { request.shownSource = state.shownSource }
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
        guard case .shown(_, isComplete: true, _) = state, let source = ownSource, source.isChoice else { return false }
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
        guard !mergedOptions.makesSameImage(as: old) else {
            replacePreviewHash(of: old)
            return replaceAnimation(of: old)
        }
        state = state.outdated
        refinement = nil
        let keepsImage = hasSameAccount(as: old)
        if isWanted { return begin(.changed(keepsImage: keepsImage)) }
        // A refresh that a reload elsewhere has started would end with the image of the old
        // options.
        let wasLoading = state.load != nil
        cancelLoad()
        guard keepsImage else { return show(.idle) }
        if wasLoading { settle(in: state.cancelled) }
        replacePreviewHash(of: old)
    }

    /// Shows another preview hash at once: programs may set it after the source.
    private func replacePreviewHash(of old: ImageOptions) {
        let hash = mergedOptions.previewHash
        guard hash != old.previewHash else { return }
        switch state {
        case .prepared, .loading: show(state.previewing(hash?.image))
        case .idle, .shown, .failed, .released: break
        }
    }

    /// Shows the image with or without its animation.
    private func replaceAnimation(of old: ImageOptions) {
        guard mergedOptions.playsAnimation != old.playsAnimation,
            case .shown(let image, let isComplete, let refresh) = state
        else { return }
        if image.animation != nil {
            show(.shown(asDeclared(image), isComplete: isComplete, refresh: refresh))
        } else if image.info.frameCount > 1, mergedOptions.playsAnimation, refresh == nil {
            // The still image does not keep its animation, but the memory cache does.
            state = .shown(image, isComplete: false, refresh: nil)
            if isWanted { begin(.refinement) }
        }
    }

    /// Whether requests belong to the same account as with other options. The image of another
    /// account must not stay, not even as a preview.
    package func hasSameAccount(as old: ImageOptions) -> Bool {
        let (hook, oldHook) = (mergedOptions.requestHook, old.requestHook)
        let fields: [HTTPField.Name] = [.authorization, .cookie]
        let (provider, oldProvider) = (mergedOptions.authorization, old.authorization)
        guard provider?.account == oldProvider?.account,
            provider.map({ Set($0.origins) }) == oldProvider.map({ Set($0.origins) }),
            fields.allSatisfy({ mergedOptions.headers[values: $0] == old.headers[values: $0] })
        else { return false }
        return hook == oldHook || (hook?.account != nil && hook?.account == oldHook?.account)
    }

    /// Called after an image was reloaded, perhaps by this model. Shows that image, or another size
    /// or variant that is made from the same response.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        guard case .shown(let shown, _, refresh: nil) = state, shown.version != image.version,
            let source = ownSource, pipeline.loadKey(for: request(for: source)) == key
        else { return }
        // An image of another size, or with processors, is made from the stored response, which is
        // now newer.
        let hit = pipeline.lookUp(request(for: source))
        begin(.reloadedElsewhere(isInMemory: hit?.image.version == image.version))
    }

    /// The source whose image a view that is about to appear may show already. `nil` if the view
    /// shows it or must not load yet.
    var sourceToPrepare: ImageSource? {
        guard loadsOnAppear else { return nil }
        switch state {
        case .idle, .failed, .released, .shown(_, isComplete: false, refresh: nil): return ownSource
        case .prepared, .loading, .shown: return nil
        }
    }

    /// Whether the model loads when the view appears: if the options say so, and for an image that
    /// was released while the view was out of sight.
    var loadsOnAppear: Bool { mergedOptions.loadOptions.contains(.loadOnAppear) || isReleased }

    /// The image in the memory cache, in any size, without a change of the phase.
    package var imageInMemory: LoadedImage? {
        ownSource.flatMap { pipeline.lookUp(request(for: $0), anySize: true) }.map { asDeclared($0.image) }
    }

    /// Whether the image was released; see ``releaseImage()``.
    package var isReleased: Bool { if case .released = state { true } else { false } }

    /// Keeps the shown image only as long as something else uses it, such as the memory cache. Its
    /// view is out of sight and goes on to show the phase `.success`, so that this is no change of
    /// phase. The next appearance loads the image again.
    ///
    /// - Returns: Whether the model has released an image; `false` during a load.
    package func releaseImage() -> Bool {
        guard case .shown(let image, let isComplete, refresh: nil) = state else { return false }
        state = .released(WeakImage(image), isComplete: isComplete)
        return true
    }

    /// - Returns: Whether the memory cache has the image in any size, or a released image is still
    ///   in use.
    func showFromMemory(_ source: ImageSource) -> Bool {
        let request = request(for: source)
        guard let hit = pipeline.lookUp(request, anySize: true) else {
            guard case .released(let released?, let isComplete) = state, let image = released.image else {
                return false
            }
            show(.shown(image, isComplete: isComplete, refresh: nil))
            return true
        }
        shownTarget = target(of: request)
        if hit.isFresh { pipeline.reportMemoryHit(hit.image, of: request, isVisible: screenBatch != nil) }
        show(.shown(asDeclared(hit.image), isComplete: hit.isFresh, refresh: nil))
        return true
    }

    func begin(_ reason: LoadReason) {
        // The new load joins before the old one leaves, so that a transfer that both share
        // survives.
        let superseded = state.load
        defer { superseded?.cancel() }
        refreshError = nil
        guard let source = ownSource else { return show(.idle) }
        var request = request(for: source, policy: reason.policy)
        if reason.isRetry { request.options.ignoresStoredErrors = true }
        let hit = pipeline.lookUp(request)
        if hit == nil, reason.policy == nil, mergedOptions.cachePolicy == .staleWhileRevalidate,
            let first = pipeline.firstAttempt(of: request)
        {
            // Without its fallbacks, which would hide that the first source is not stored. Still a
            // choice, so that the image has its source.
            request.source = source.isChoice ? .fallbacks([first]) : first
            request.options.cachePolicy = .cacheOnly
            request.options.isFirstLook = true
        }
        if hit != nil { shownTarget = target(of: request) }
        if let hit, hit.isFresh {
            pipeline.reportMemoryHit(hit.image, of: request, isVisible: screenBatch != nil)
            return show(.shown(asDeclared(hit.image), isComplete: true, refresh: nil))
        }
        let load = Load(priority: ownPriority, batch: screenBatch)
        if let hit {
            show(.shown(asDeclared(hit.image), isComplete: true, refresh: load))
        } else if reason.isBehind, case .shown = state {
            state = state.refreshing(with: load)
        } else {
            let preview = (reason.keepsImage ? state.image : nil) ?? mergedOptions.previewHash?.image
            show(.loading(LoadingState(preview: preview), replacing: state.completeImage, load))
        }
        // An observer may have started or ended a load.
        guard state.load === load else { return }
        // Both weak: a pending result must not keep the model alive.
        load.start(request, after: hit == nil && reason.isDelayed ? mergedOptions.delay : .zero, in: pipeline) {
            [weak self, weak load, request] event in
            if let self, let load { receive(event, of: load, for: request) }
        }
    }

    /// The caller changes the state.
    func cancelLoad() {
        guard let load = state.load else { return }
        refinement = nil
        load.cancel()
    }

    func receive(_ event: ImageTask.Event, of load: Load, for request: ImageRequest) {
        guard state.load === load else { return }
        switch event {
        case .progress(let progress):
            update { $0.progress = progress }
        case .preview(let image):
            // A complete image stays until a reload ends.
            guard state.completeImage == nil else { return }
            update { $0.preview = asDeclared(image) }
        case .retrying(let attempt):
            update { state in
                state.attempt = attempt
                state.progress = LoadProgress()
            }
        case .finished(.success(let image)):
            refreshError = nil
            shownTarget = target(of: request)
            show(.shown(asDeclared(image), isComplete: true, refresh: nil))
            if image.info.origin == .stale, request.options.isFirstLook, case .shown(_, _, refresh: nil) = state {
                begin(.stale)
            }
            // The network or the size of the view may have changed meanwhile.
            if state.load == nil { upgrade() }
        case .finished(.failure(let error)) where error.code != .cancelled && request.options.isFirstLook:
            begin(.notStored(isRetry: request.options.ignoresStoredErrors))
        case .finished(.failure(.cancelled)):
            refinement = nil
            settle(in: state.cancelled)
        case .finished(.failure(let error)):
            refreshError = error
            settle(in: state.failed(with: error))
        }
    }

    private func update(_ change: (inout LoadingState) -> Void) {
        guard case .loading(var loading, let replaced, let load) = state else { return }
        change(&loading)
        show(.loading(loading, replacing: replaced, load))
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

    /// Enters a state without a load. The end of a refresh is no change of phase.
    func settle(in new: ModelState) {
        if case .loading = state.phase { show(new) } else { state = new }
    }

    /// Enters a state and reports its phase.
    func show(_ new: ModelState) {
        let (old, phase) = (state.phase, new.phase)
        if case .idle = new, case .idle = state { return }
        if case .loading(let loading) = phase { progress = loading.progress }
        withMutation(keyPath: \.phase) { state = new }
        observers.report(old, phase)
    }
}

extension ImageOptions {
    /// Whether a source produces the same image under both options.
    fileprivate func makesSameImage(as other: ImageOptions) -> Bool {
        headers == other.headers && requestHook == other.requestHook && authorization == other.authorization
            && maxPixelSize == other.maxPixelSize
            && processors.elementsEqual(other.processors) { $0.identity == $1.identity }
    }
}
