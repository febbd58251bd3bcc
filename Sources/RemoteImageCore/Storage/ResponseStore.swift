// Where responses are kept between runs: what the HTTP cache asks of a store. The default is `DiskStore`; an application
// may bring its own.

/// Keeps responses by key.
///
/// Its methods may block, and are called on threads that may. A store never fails: what cannot be read is not there, what
/// cannot be written is lost.
public protocol ResponseStore: Sendable {
    /// All that is stored under a key, the newest first: one for each variant (RFC 9111 section 4.1).
    func responses(for key: String) -> [StoredResponse]

    /// The body of a stored response; nil where it is gone or damaged.
    func body(of response: StoredResponse, for key: String) -> [UInt8]?

    /// Keeps a response in place of those that `replaces` says.
    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool)

    /// Keeps other metadata with the body that is there.
    func update(_ response: StoredResponse, for key: String)

    /// Forgets a key.
    func remove(_ key: String)

    /// Forgets everything.
    func removeAll()
}
