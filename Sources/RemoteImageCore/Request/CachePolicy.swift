/// Whether a stored image may answer, and whether the answer is stored.
public enum CachePolicy: String, Hashable, Sendable, CaseIterable {
    /// A stored image while it is fresh, as HTTP says (RFC 9111). In memory, an image of whose lifetime the server says
    /// nothing is fresh for five minutes. A 404 or 410 response answers too, for as long as its `Cache-Control` or
    /// `Expires` says, except for retries.
    case http
    /// A stored image whatever its age, else load. Where the server cannot be reached, or breaks off before
    /// it answers, at once ``ImageError/Code/notStored``.
    case stored
    /// A stored image or ``ImageError/Code/notStored``; never load.
    case storedOnly = "stored-only"
    /// Load, then store.
    case reload
    /// Load, and store nothing.
    case noStore = "no-store"
    /// Ask the server whether what is stored still holds, even if it is fresh.
    case revalidate

    /// Whether the image in memory answers.
    var readsMemory: Bool {
        switch self {
        case .http, .stored, .storedOnly: true
        case .reload, .noStore, .revalidate: false
        }
    }

    var writesMemory: Bool { self != .noStore }
}
