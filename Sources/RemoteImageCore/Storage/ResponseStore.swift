// The interface of stores, which keep responses between runs. The default is `DiskCache`; a program
// may provide its own.

/// Stores responses by key.
///
/// Its methods may block and are called only on threads that may block. They do not report errors:
/// an entry that cannot be read counts as missing, and one that cannot be written is dropped.
public protocol ResponseStore: Sendable {
    /// All responses for a key, the newest first: one for each variant (RFC 9111 section 4.1).
    func responses(for key: String) -> [StoredResponse]

    /// The body of a stored response; `nil` if it is missing or damaged.
    func body(of response: StoredResponse, for key: String) -> [UInt8]?

    /// Stores a response and removes those for which `replaces` returns `true`.
    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool)

    /// Starts to store a response while its body is being received. Returns `nil` if the store
    /// supports only complete bodies, as the default implementation does.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - key: The key of the partial response until the body is complete.
    ///   - byteCount: The size from which the new partial response replaces the one that is stored
    ///     under `key`.
    func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)?

    /// Replaces the metadata of a stored response and keeps its body.
    func update(_ response: StoredResponse, for key: String)

    /// Whether the store keeps resized images: `false` by default.
    var keepsResizedImages: Bool { get }

    /// A resized image of a stored response. `nil` if there is none, as in the default
    /// implementation, or if the body of the response is missing.
    ///
    /// - Parameters:
    ///   - response: A response that ``responses(for:)`` returned.
    ///   - key: The key of the response.
    ///   - choose: Returns the index of the image to read among those of the response.
    func resizedImage(
        of response: StoredResponse, for key: String, choosing choose: ([ResizedImage.Description]) -> Int?
    ) -> ResizedImage?

    /// Stores a resized image of a stored response. It is removed with the body of the response.
    /// The default implementation does nothing.
    func store(_ image: ResizedImage, of response: StoredResponse, for key: String)

    /// Removes the resized images of a stored response. The default implementation does nothing.
    func removeResizedImages(of response: StoredResponse, for key: String)

    /// Removes all responses for a key.
    func remove(_ key: String)

    /// Removes all responses.
    func removeAll()

    /// Removes all responses of an account, including partial ones. The default implementation
    /// removes all responses of all accounts.
    ///
    /// - Returns: An ``ImageError/Code/io`` error if a response could not be removed.
    func removeAll(ofAccount account: String) -> Result<Void, ImageError>
}

extension ResponseStore {
    public func writer(of response: StoredResponse, for key: String, from byteCount: Int) -> (any BodyWriter)? { nil }

    public var keepsResizedImages: Bool { false }

    public func resizedImage(
        of response: StoredResponse, for key: String, choosing choose: ([ResizedImage.Description]) -> Int?
    ) -> ResizedImage? { nil }

    public func store(_ image: ResizedImage, of response: StoredResponse, for key: String) {}

    public func removeResizedImages(of response: StoredResponse, for key: String) {}

    public func removeAll(ofAccount account: String) -> Result<Void, ImageError> {
        removeAll()
        return .success(())
    }
}

extension ResponseStore {
    /// Removes the entry of a response whose body is missing, but not an entry that has replaced it
    /// meanwhile: the body of the old one was removed then.
    func forget(_ response: StoredResponse, for key: String) {
        if responses(for: key).contains(where: { $0.body.name == response.body.name }) { remove(key) }
    }
}

/// Stores a body in pieces, so that its received part survives if the program is killed.
///
/// The methods may block and are called one at a time. No method is called after one has returned
/// `false`, or after ``finish(with:as:for:replacing:)`` or ``discard()``.
public protocol BodyWriter: AnyObject, Sendable {
    /// Appends bytes. Returns `false` on failure; the writer then keeps nothing.
    func append(_ bytes: ArraySlice<UInt8>) -> Bool

    /// Appends the last bytes, if any, and stores the complete body as `response` under `key`,
    /// replacing responses for which `replaces` returns `true`. Removes the partial response.
    /// Returns `false` on failure; the writer then keeps nothing.
    func finish(
        with bytes: ArraySlice<UInt8>, as response: StoredResponse, for key: String,
        replacing replaces: (StoredResponse) -> Bool
    ) -> Bool

    /// Discards the stored part.
    func discard()
}
