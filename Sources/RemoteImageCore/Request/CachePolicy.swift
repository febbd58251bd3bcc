/// Whether a stored image may be used, and whether the loaded image is stored.
public enum CachePolicy: String, Hashable, Sendable, CaseIterable {
    /// Use a stored image while it is fresh, as HTTP defines (RFC 9111). If the server states
    /// neither a lifetime nor `Last-Modified`, an image in the memory cache is fresh for five
    /// minutes. A stored 404 or 410 response is used for as long as its `Cache-Control` or
    /// `Expires` says, except for retries.
    case http
    /// Use a stored image of any age; load the image only if none is stored. If the server cannot
    /// be reached or closes the connection before it responds, the load fails at once with
    /// ``ImageError/Code/notStored``.
    case stored
    /// Use a stored image or fail with ``ImageError/Code/notStored``. Never load from the network.
    case cacheOnly = "stored-only"
    /// Load from the network and store the response.
    case reload
    /// Load from the network and store nothing.
    case noStore = "no-store"
    /// Validate the stored response with the server, unless it is both fresh and `immutable` (RFC
    /// 8246).
    case revalidate

    /// Whether the image in the memory cache may be used.
    var readsMemory: Bool {
        switch self {
        case .http, .cacheElseLoad, .cacheOnly: true
        case .reload, .noStore, .revalidate: false
        }
    }

    var writesMemory: Bool { self != .noStore }

    /// Whether a stored response may be used, perhaps after its validation.
    var readsStore: Bool { self != .reload && self != .noStore }
}
