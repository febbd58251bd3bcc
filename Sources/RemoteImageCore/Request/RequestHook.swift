import HTTPTypes

/// Changes a request before it is sent, asynchronously: adds a token, signs an address.
///
/// A hook runs once for each transfer, not for each view, and again for each retry. It runs before the store is asked,
/// since `Vary` is compared with the headers that it sets. Under ``CachePolicy/storedOnly`` no hook runs: the images that are
/// stored for its account answer. An error that it throws ends the load: an ``ImageError`` as it
/// is, another one as ``ImageError/Code/source``. After ``ImageError/Code/connection`` and
/// ``ImageError/Code/timeout``, images that are stored for its account are shown as they are when a server cannot be
/// reached.
/// A hook that takes longer than the transfer may (``ImageOptions/timeout``, by default ``TransferLimits/timeout``) is
/// cancelled, which counts as ``ImageError/Code/timeout``.
///
/// ```swift
/// let hook = RequestHook("token", account: "anna@example.org") { request in
///     request.headers[.authorization] = "Bearer \(try await tokens.current())"
/// }
/// ```
public struct RequestHook: Sendable, Equatable {
    /// Names the hook: hooks with equal names and accounts are taken for equal.
    public let name: String
    /// Names the user for whom the hook makes requests. Images belong to the account: another token of the same account
    /// finds them again, and another account never does. An empty name means that all accounts share the response.
    ///
    /// `nil`, the default, is an unknown account. Requests then share neither images in memory nor transfers, and a
    /// stored response answers only the request that was sent for it, with the same address and headers.
    public let account: String?
    let change: @Sendable (inout TransferRequest) async throws -> Void

    /// Creates a hook: of an unknown account, by default.
    public init(
        _ name: String, account: String? = nil,
        _ change: @escaping @Sendable (inout TransferRequest) async throws -> Void
    ) {
        self.name = name
        self.account = account
        self.change = change
    }

    public static func == (left: RequestHook, right: RequestHook) -> Bool {
        left.name == right.name && left.account == right.account
    }
}

/// Decides whether a response is the image that was asked for.
///
/// Asked after the whole body came and its status was found to be a success; an ``ImageError`` that it throws is
/// the load's.
public struct ResponseValidation: Sendable, Equatable {
    /// Names the validation: validations with equal names are taken for equal.
    public let name: String
    let check: @Sendable (LoadedData) throws(ImageError) -> Void

    /// Creates a validation from a function that throws for a response that it refuses.
    public init(_ name: String, _ check: @escaping @Sendable (LoadedData) throws(ImageError) -> Void) {
        self.name = name
        self.check = check
    }

    public static func == (left: ResponseValidation, right: ResponseValidation) -> Bool { left.name == right.name }

    /// Refuses what does not call itself an image: a `Content-Type` other than `image/*`.
    public static let imageContentType = ResponseValidation("image content type") { data throws(ImageError) in
        guard let type = data.headers[.contentType] else { return }
        guard type.lowercased().hasPrefix("image/") else { throw ImageError(.notAnImage, type) }
    }
}
