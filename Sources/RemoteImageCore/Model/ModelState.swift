/// What a model shows and loads. The transitions return the next state and have no side effects;
/// ``NetworkImageModel`` starts and cancels the loads.
enum ModelState {
    /// Nothing is shown or loaded.
    case idle
    /// The view is about to appear and shows the loading phase; the load starts when it appears.
    case prepared(preview: LoadedImage?)
    /// `replacing` is the complete image that a reload replaces. It is shown again if the reload
    /// fails or is cancelled, even after a preview has arrived.
    case loading(LoadingState, replacing: LoadedImage?, Load)
    /// `isComplete` is `false` for a preview, for an expired image that is not being refreshed yet,
    /// and for the image of an earlier source or of earlier options.
    case shown(LoadedImage, isComplete: Bool, refresh: Load?)
    case failed(ImageError)
    /// The view is out of sight, and the model no longer keeps the image that it showed. `nil`
    /// after a change of the source or of the options, to which the image does not belong. Boxed,
    /// since a weak reference takes long to copy.
    indirect case released(WeakImage?, isComplete: Bool)

    /// The public part of the state.
    var phase: NetworkImagePhase {
        switch self {
        case .idle: .empty
        case .prepared(let preview): .loading(LoadingState(preview: preview))
        case .loading(let loading, _, _): .loading(loading)
        case .shown(let image, _, _): .success(image)
        case .failed(let error): .failure(error)
        case .released(let image, _): image?.image.map { .success($0) } ?? .empty
        }
    }

    /// The running load. Its identity tells whether another load was started or the load ended.
    var load: Load? {
        switch self {
        case .loading(_, _, let load): load
        case .shown(_, _, let refresh): refresh
        case .idle, .prepared, .failed, .released: nil
        }
    }

    /// The complete image of the current source and options.
    var completeImage: LoadedImage? {
        switch self {
        case .loading(_, let image, _): image
        case .shown(let image, let isComplete, _): isComplete ? image : nil
        // A reload that fails shows it again.
        case .released(let image, let isComplete): isComplete ? image?.image : nil
        case .idle, .prepared, .failed: nil
        }
    }

    /// The image that stays when the load is cancelled, and that the next load shows meanwhile. A
    /// preview hash is too blurred for both.
    var image: LoadedImage? {
        switch self {
        case .shown(let image, _, _), .loading(_, let image?, _): image
        case .prepared(let preview): preview.flatMap { $0.isPreviewHash ? nil : $0 }
        case .loading(let loading, nil, _): loading.preview.flatMap { $0.isPreviewHash ? nil : $0 }
        case .released(let image, _): image?.image
        case .idle, .failed: nil
        }
    }

    /// The chosen source of ``image``.
    var shownSource: ImageSource? {
        if case .released(let image, _) = self { image?.source } else { image?.source }
    }

    // MARK: Transitions

    /// A load starts behind the shown image.
    func refreshing(with load: Load) -> ModelState {
        guard case .shown(let image, let isComplete, _) = self else { return self }
        return .shown(image, isComplete: isComplete, refresh: load)
    }

    /// The source or the options have changed: the image no longer belongs to them.
    var outdated: ModelState {
        switch self {
        case .loading(let loading, _, let load): .loading(loading, replacing: nil, load)
        case .shown(let image, _, let refresh): .shown(image, isComplete: false, refresh: refresh)
        case .released: .released(nil, isComplete: false)
        case .idle, .prepared, .failed: self
        }
    }

    /// The options have another preview hash, or none. A better preview stays.
    func previewing(_ hash: LoadedImage?) -> ModelState {
        switch self {
        case .prepared(let preview) where preview?.isPreviewHash != false: return .prepared(preview: hash)
        case .loading(var loading, let replaced, let load) where loading.preview?.isPreviewHash != false:
            loading.preview = hash
            return .loading(loading, replacing: replaced, load)
        case .idle, .prepared, .loading, .shown, .failed, .released: return self
        }
    }

    /// The load was cancelled.
    var cancelled: ModelState {
        switch self {
        case .prepared, .loading:
            image.map { .shown($0, isComplete: completeImage != nil, refresh: nil) } ?? .idle
        case .shown(let image, let isComplete, _): .shown(image, isComplete: isComplete, refresh: nil)
        case .idle, .failed, .released: self
        }
    }

    /// The load failed. A complete image stays; previews do not.
    func failed(with error: ImageError) -> ModelState {
        switch self {
        case .loading(_, replacing: nil, _): .failed(error)
        case .idle, .prepared, .loading, .shown, .failed, .released: cancelled
        }
    }
}

/// The terms of a load for more pixels or a better source.
struct Refinement: Equatable {
    let target: TargetSize?
    /// Whether a better source was due.
    let isUpgrade: Bool
}
