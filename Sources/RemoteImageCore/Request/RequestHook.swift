import HTTPTypes

/// Changes a request asynchronously before it is sent, for example to sign an address. For tokens
/// that expire, use ``AuthorizationProvider``.
///
/// A hook runs once for each transfer, not for each view, and again for each retry. It runs before
/// the cache lookup, since `Vary` is compared with the headers that the hook sets, except for
/// `Authorization` and `Cookie` of a named account. Under ``CachePolicy/cacheOnly`` no hook runs,
/// and the stored images of its account are used.
///
/// If the hook throws an ``ImageError``, the load fails with that error; after any other error,
/// with ``ImageError/Code/source``. After ``ImageError/Code/connection`` and
/// ``ImageError/Code/timeout``, stored images of the account are shown without validation, as when
/// a server cannot be reached.
///
/// A hook that runs longer than the time limit of the transfer (``ImageOptions/timeout``, by
/// default ``TransferLimits/timeout``) is cancelled and fails with ``ImageError/Code/timeout``.
///
/// ```swift
/// let hook = RequestHook("signature", account: "anna@example.org") { request in
///     guard request.address.host == "example.org" else { return }
///     request.headers[.authorization] = try await signer.signature(of: request.address)
/// }
/// ```
public struct RequestHook: Sendable, Equatable {
    /// Names the hook. Hooks with equal names and accounts are equal.
    public let name: String
    /// The account that the hook authenticates. Cached images belong to the account: another token
    /// of the same account finds them again, another account does not. All accounts share the
    /// images of an empty name.
    ///
    /// `nil`, the default, is an unknown account. Such requests share neither images in memory nor
    /// transfers, and a stored response is used only for a request with the same address and
    /// headers.
    public let account: String?
    /// `nil` for an unknown account and for the empty name.
    let accountHash: String?
    let change: @Sendable (inout TransferRequest, RequestContext) async throws -> Void

    /// Creates a hook, by default for an unknown account.
    public init(
        _ name: String, account: String? = nil,
        _ change: @escaping @Sendable (inout TransferRequest) async throws -> Void
    ) {
        self.init(name, account: account) { request, _ in try await change(&request) }
    }

    /// Creates a hook that also receives what is loaded, by default for an unknown account.
    public init(
        _ name: String, account: String? = nil,
        _ change: @escaping @Sendable (inout TransferRequest, RequestContext) async throws -> Void
    ) {
        self.name = name
        self.account = account
        accountHash = account.flatMap { $0.isEmpty ? nil : SHA256.name(of: $0) }
        self.change = change
    }

    public static func == (left: RequestHook, right: RequestHook) -> Bool {
        left.name == right.name && left.account == right.account
    }
}

/// What a request is sent for.
public struct RequestContext: Sendable {
    /// The source of the image: a single one, never a choice.
    public let source: ImageSource
    /// The largest size in pixels that the requests for the image need; `nil` for full size, and
    /// for requests of the encoded data. A hook with an account must not select another size: the
    /// response stands for the whole image. Use `ImageSource.sized(identity:address:)` for that.
    public let target: TargetSize?
    /// The number of the attempt, starting at 1. Each retry increments it.
    public let attempt: Int
}

/// Decides whether a response is an acceptable image.
///
/// The validation runs after the whole body was received with a success status. If it throws, the
/// load fails with that ``ImageError``.
public struct ResponseValidation: Sendable, Equatable {
    /// Names the validation. Validations with equal names are equal.
    public let name: String
    let check: Check

    enum Check: Sendable {
        case immediate(@Sendable (LoadedData, RequestContext) throws(ImageError) -> Void)
        case asynchronous(@Sendable (LoadedData, RequestContext) async throws -> Void)
    }

    /// Creates a validation from a function that throws to refuse a response. The function is
    /// called on a thread that many loads share, so it must return soon.
    public init(_ name: String, _ check: @escaping @Sendable (LoadedData) throws(ImageError) -> Void) {
        self.init(name) { (data, _) throws(ImageError) in try check(data) }
    }

    /// Creates a validation from a function that also receives what is loaded.
    public init(
        _ name: String, _ check: @escaping @Sendable (LoadedData, RequestContext) throws(ImageError) -> Void
    ) {
        self.name = name
        self.check = .immediate(check)
    }

    private init(_ name: String, _ check: Check) {
        self.name = name
        self.check = check
    }

    /// A validation by an asynchronous function, for programs that check on the main thread. It has
    /// the time limit of the transfer.
    package static func asynchronous(
        _ name: String, _ check: @escaping @Sendable (LoadedData, RequestContext) async throws -> Void
    ) -> ResponseValidation {
        ResponseValidation(name, .asynchronous(check))
    }

    public static func == (left: ResponseValidation, right: ResponseValidation) -> Bool { left.name == right.name }

    /// Refuses responses with a `Content-Type` other than `image/*`. Responses without the header
    /// pass.
    public static let imageContentType = ResponseValidation("image content type") { data throws(ImageError) in
        guard let type = data.headers[.contentType] else { return }
        guard type.lowercased().hasPrefix("image/") else { throw ImageError(.notAnImage, type) }
    }
}
