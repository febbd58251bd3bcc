/// Why a model begins a load. The reason decides what the view shows meanwhile, and which stored
/// responses may be used.
enum LoadReason {
    /// A view or the program requests the image.
    case wanted
    /// The source or the options have changed. `keepsImage` is whether the loading phase shows the
    /// current image.
    case changed(keepsImage: Bool)
    case reload
    /// The program tries again after a failure.
    case retry
    /// The shown image has too few pixels, lacks its animation, or comes from a lesser source.
    case refinement
    /// The response of the shown image was reloaded, perhaps by another model. `isInMemory` is
    /// whether the memory cache has the new image.
    case reloadedElsewhere(isInMemory: Bool)
    /// The stored image was shown first, and is stale.
    case stale
    /// No stored image could be shown first. `isRetry` is whether its load was a retry.
    case notStored(isRetry: Bool)

    /// Replaces the cache policy of the options.
    var policy: CachePolicy? {
        switch self {
        case .reload: .reload
        case .reloadedElsewhere(isInMemory: false), .stale: .revalidate
        case .notStored: .http
        default: nil
        }
    }

    /// Whether stored errors are not used.
    var isRetry: Bool {
        switch self {
        case .retry, .notStored(isRetry: true): true
        default: false
        }
    }

    /// Whether the loading phase shows the current image.
    var keepsImage: Bool { if case .changed(keepsImage: false) = self { false } else { true } }

    /// Whether a shown image stays until the load succeeds.
    var isBehind: Bool {
        switch self {
        case .refinement, .reloadedElsewhere, .stale, .notStored: true
        case .wanted, .changed, .reload, .retry: false
        }
    }

    /// Whether the load waits for the delay in the options: not if it continues another one.
    var isDelayed: Bool {
        switch self {
        case .stale, .notStored: false
        default: true
        }
    }
}
