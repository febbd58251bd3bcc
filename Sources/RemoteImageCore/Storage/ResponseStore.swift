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

    /// Begins to keep a response whose body is still on its way; nil where a store keeps whole bodies only, as by default.
    ///
    /// - Parameters:
    ///   - response: The head of the response whose body it is.
    ///   - key: What the part that came is found under, as a response of that length, until the body is whole.
    ///   - byteCount: From how many bytes on it takes the place of what is stored there.
    func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)?

    /// Keeps other metadata with the body that is there.
    func update(_ response: StoredResponse, for key: String)

    /// Forgets a key.
    func remove(_ key: String)

    /// Forgets everything.
    func removeAll()
}

extension ResponseStore {
    public func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)? { nil }
}

/// Takes a body in pieces, so that what came is there though the program is killed.
///
/// Its methods may block, and are called one at a time. After one that gives false, and after
/// ``finish(with:as:for:replacing:)`` and ``discard()``, none is called.
public protocol BodyWriter: AnyObject, Sendable {
    /// Adds bytes at the end. False where they cannot be kept: then nothing is.
    func append(_ bytes: ArraySlice<UInt8>) -> Bool

    /// Adds the last bytes, if there are any, and keeps the whole as `response` under `key` in place of those that
    /// `replaces` says; under the key of the writer nothing is kept. False where that cannot be: then nothing is.
    func finish(
        with bytes: ArraySlice<UInt8>, as response: StoredResponse, for key: String,
        replacing replaces: (StoredResponse) -> Bool
    ) -> Bool

    /// Keeps nothing.
    func discard()
}
