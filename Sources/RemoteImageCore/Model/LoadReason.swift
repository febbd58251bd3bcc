/// Why a model begins a load. The reason decides what the view shows meanwhile, and which stored
/// responses may be used.
struct LoadReason {
    /// Replaces the cache policy of the options.
    var policy: CachePolicy?
    /// Whether the loading phase shows the current image.
    var keepsImage = true
    /// Whether a shown image stays until the load succeeds.
    var isBehind = false
    /// Whether stored errors are not used.
    var isRetry = false
    /// Whether the load waits for the delay in the options: not if it continues another one.
    var isDelayed = true

    /// A view or the program requests the image.
    static let wanted = LoadReason()
    /// The source or the options have changed.
    static func changed(keepsImage: Bool) -> LoadReason { LoadReason(keepsImage: keepsImage) }
    static let reload = LoadReason(policy: .reload)
    /// The program tries again after a failure.
    static let retry = LoadReason(isRetry: true)
    /// The shown image has too few pixels, lacks its animation, or comes from a lesser source.
    static let refinement = LoadReason(isBehind: true)
    /// The response of the shown image was reloaded, perhaps by another model. The memory cache may
    /// have the new image.
    static func reloadedElsewhere(isInMemory: Bool) -> LoadReason {
        LoadReason(policy: isInMemory ? nil : .revalidate, isBehind: true)
    }
    /// The stored image was shown first, and is stale.
    static let stale = LoadReason(policy: .revalidate, isBehind: true, isDelayed: false)
    /// No stored image could be shown first.
    static func notStored(isRetry: Bool) -> LoadReason {
        LoadReason(policy: .http, isBehind: true, isRetry: isRetry, isDelayed: false)
    }
}
