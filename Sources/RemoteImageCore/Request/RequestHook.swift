import HTTPTypes

/// Changes a request just before it is sent, asynchronously: adds a token, signs an address.
///
/// Runs once for each transfer, not for each view, and again for each retry. An error that it throws
/// ends the load: an ``ImageError`` as it is, another one as ``ImageError/Code/source``. A hook that takes longer than the
/// transfer may (``ImageOptions/timeout``, by default ``TransferLimits/timeout``) is cancelled, and the load fails with
/// ``ImageError/Code/source``.
public struct RequestHook: Sendable, Equatable {
    /// Names the hook: hooks with equal names are taken for equal.
    public let name: String
    let change: @Sendable (inout TransferRequest) async throws -> Void

    public init(_ name: String, _ change: @escaping @Sendable (inout TransferRequest) async throws -> Void) {
        self.name = name
        self.change = change
    }

    public static func == (left: RequestHook, right: RequestHook) -> Bool { left.name == right.name }

    /// The request that is sent.
    func changed(_ request: TransferRequest, _ clock: any PipelineClock) async throws -> TransferRequest {
        try await withTimeLimit(request.limits.timeout, of: "the request hook “\(name)”", clock) { [change] in
            var request = request
            try await change(&request)
            return request
        }
    }
}

/// Decides whether a response is the picture that was asked for.
///
/// Asked after the whole body came and its status was found to be a success; an ``ImageError`` that it throws is
/// the load's.
public struct ResponseValidation: Sendable, Equatable {
    /// Names the validation: validations with equal names are taken for equal.
    public let name: String
    let check: @Sendable (LoadedData) throws(ImageError) -> Void

    public init(_ name: String, _ check: @escaping @Sendable (LoadedData) throws(ImageError) -> Void) {
        self.name = name
        self.check = check
    }

    public static func == (left: ResponseValidation, right: ResponseValidation) -> Bool { left.name == right.name }

    /// Refuses what does not call itself a picture: a `Content-Type` other than `image/*`.
    public static let imageContentType = ResponseValidation("image content type") { data throws(ImageError) in
        guard let type = data.headers[.contentType] else { return }
        guard type.lowercased().hasPrefix("image/") else { throw ImageError(.notAnImage, type) }
    }
}
