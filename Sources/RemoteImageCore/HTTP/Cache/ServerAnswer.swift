import HTTPTypes

/// Receives what the server answers, and decides whether a stored response is used in its place.
/// Collects the body; large ones are stored in pieces meanwhile.
final class ServerAnswer: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, and nothing after its end.

    enum Outcome {
        case data(LoadedData)
        case failure(ImageError)
        /// The server has confirmed this response.
        case validated(StoredResponse)
        /// The server failed, and this response may be used.
        case stale(StoredResponse, ImageError)
        /// The response belongs to another request, for example that of a range which is not
        /// stored.
        case unusable(ImageError)
        /// The server could not be reached, and the stored response must not be used (RFC 9111
        /// section 5.2.2.2).
        case gatewayTimeout
    }

    private enum Course {
        /// The head has not been received yet.
        case waiting
        case collecting(TransferHead)
        /// The rest of the response is ignored.
        case decided(Outcome)
    }

    private let cache: HTTPCache
    /// The headers of the request, without those that the cache added.
    private let asked: HTTPFields
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private let conditions: HTTPCache.Conditions
    private let progress: HTTPCache.Progress
    private let requestTime: Double
    private var course = Course.waiting
    private(set) var body: [UInt8] = []
    private var retention = Retention()
    private var pendingWrite: PendingWrite?
    /// The number of bytes with which a resumed body is complete. `nil` for other ones.
    private var resumedByteCount: Int?

    /// The maximum number of bytes that are reserved for an announced length, which may be false;
    /// longer bodies grow as they are received.
    private static let maxReservedByteCount = 1 << 20
    /// The maximum size of an error response that is stored: 64 KiB.
    static let maxErrorByteCount = 64 << 10

    init(
        _ cache: HTTPCache, _ asked: HTTPFields, _ request: TransferRequest, _ lookup: HTTPCache.Lookup,
        _ conditions: HTTPCache.Conditions, _ progress: @escaping HTTPCache.Progress
    ) {
        self.cache = cache
        self.asked = asked
        self.request = request
        self.lookup = lookup
        self.conditions = conditions
        self.progress = progress
        requestTime = cache.clock.secondsSince1970
    }

    // MARK: The head

    func receive(_ head: TransferHead) throws(ImageError) {
        if let partial = conditions.partial, head.status == 206 || head.status == 416 {
            return try join(partial, head)
        }
        if head.status == 304, !Validation.isConditional(asked) { return try receiveNotModified(head) }
        if let fallback = conditions.fallback,
            StaleAnswer.isAllowed(fallback, asked, afterStatus: head.status, now: cache.clock.secondsSince1970)
        {
            // Not awaited, since the body of the error may take long.
            try stop(.stale(fallback, .httpStatus(head.status)))
        }
        collect(head)
    }

    private func join(_ partial: PartialResponse, _ head: TransferHead) throws(ImageError) {
        guard let whole = partial.whole(continuedBy: head, maxByteCount: request.limits.maxBodyByteCount) else {
            return try stop(.unusable(ImageError(.protocol, "206 to a request without a range")))
        }
        resumedByteCount = whole.expectedByteCount
        collect(whole, continuing: partial)
        append(partial.body.span.bytes, of: whole)
    }

    private func receiveNotModified(_ head: TransferHead) throws(ImageError) {
        guard let validated = conditions.validated, Validation.concerns(validated, head) else {
            return try stop(
                .unusable(
                    lookup.keepsAnyStatus
                        ? ImageError(.protocol, "304 to an unconditional request") : .httpStatus(304)))
        }
        var updated = Validation.update(
            validated, with: head.headers, requestTime: requestTime, responseTime: cache.clock.secondsSince1970)
        // The redirects may have new terms, and the 304 may name other fields in `Vary`.
        updated.redirect = head.redirectTerms
        updated.varying = VaryMatching.values(of: lookup.headersForVary(asked), for: updated.headers)
        course = .decided(.validated(updated))
    }

    /// Decides the outcome and ends the transfer.
    private func stop(_ outcome: Outcome) throws(ImageError) {
        course = .decided(outcome)
        throw .cancelled
    }

    private func collect(_ head: TransferHead, continuing partial: PartialResponse? = nil) {
        course = .collecting(head)
        // Its bytes are copied into the body, so a large one is not held twice until the end.
        conditions.partial = nil
        if cache.keepsAnything { keep(head, continuing: partial) }
        if accepts(head), let expected = head.expectedByteCount {
            body.reserveCapacity(min(expected, Self.maxReservedByteCount))
        }
        progress(head, body)
    }

    private func keep(_ head: TransferHead, continuing partial: PartialResponse?) {
        let response = StoredResponse(
            status: head.status, headers: head.headers.storable, address: head.address, requestTime: requestTime,
            responseTime: cache.clock.secondsSince1970,
            varying: VaryMatching.values(of: lookup.headersForVary(request.headers), for: head.headers),
            redirect: head.redirectTerms)
        if !head.mayBeTruncated {
            pendingWrite = cache.pendingWrite(for: response, request, lookup, continuing: partial)
        }
        retention = Retention(
            freshUntil: cache.freshUntil(response, asked), storedAt: response.responseTime,
            isKeptOnlyWhileInUse: lookup.policy == .noStore || CacheControl(asked).noStore || !response.mayBeKept
                || head.mayBeTruncated)
    }

    // MARK: The body

    func receive(_ bytes: borrowing RawSpan) throws(ImageError) {
        if case .collecting(let head) = course, !bytes.isEmpty { append(bytes, of: head) }
    }

    private func append(_ bytes: borrowing RawSpan, of head: TransferHead) {
        // The first part of an error response is collected if it may be stored.
        guard accepts(head) || pendingWrite?.storedKey != nil && body.count <= Self.maxErrorByteCount else { return }
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        guard accepts(head) else { return }
        pendingWrite?.receive(body)
        progress(head, body)
    }

    /// Whether the whole body is collected.
    private func accepts(_ head: TransferHead) -> Bool { lookup.keepsAnyStatus || head.isSuccess }

    // MARK: The end

    /// - Parameter result: The result of the transfer.
    func outcome(_ result: Result<Void, ImageError>) async -> Outcome {
        defer {
            // A transport may keep the receiver of a transfer that has ended.
            course = .decided(.failure(.cancelled))
            (body, pendingWrite) = ([], nil)
        }
        return switch course {
        case .decided(let outcome): outcome
        case .collecting(let head): await collected(head, result)
        case .waiting:
            switch result {
            case .success: .failure(ImageError(.protocol, "no response"))
            case .failure(let error): unanswered(error)
            }
        }
    }

    private func collected(_ head: TransferHead, _ result: Result<Void, ImageError>) async -> Outcome {
        var failure: ImageError? = if case .failure(let error) = result { error } else { nil }
        if failure == nil, let resumedByteCount, resumedByteCount != body.count {
            let name = request.address.stringWithoutUserInfo
            failure = ImageError(.incomplete, "the rest of the body has another length than announced: \(name)")
        }
        if let failure {
            await pendingWrite?.finish(.failed(failure, after: body))
            // The status takes precedence over an error in the body that explains it.
            if accepts(head) { return .failure(failure) }
        }
        var data = LoadedData(
            bytes: body, status: head.status, headers: head.headers, address: head.address.withoutUserInfo,
            origin: .network)
        data.retention = retention
        data.pendingWrite = failure == nil ? pendingWrite : nil
        data.hasKnownLength = head.expectedByteCount != nil
        return .data(data)
    }

    /// The outcome without a response.
    private func unanswered(_ error: ImageError) -> Outcome {
        guard error.isDisconnection else { return .failure(error) }
        if let fallback = conditions.fallback {
            if StaleAnswer.isAllowedWhenDisconnected(fallback, asked, now: cache.clock.secondsSince1970) {
                return .stale(fallback, error)
            }
            if lookup.keepsAnyStatus { return .gatewayTimeout }
        }
        // Under ``CachePolicy/cacheElseLoad``, an unreachable server is reported as `notStored`.
        return .failure(
            lookup.policy == .cacheElseLoad ? ImageError(.notStored, error.detail, underlying: [error]) : error)
    }
}

extension StoredResponse {
    /// Whether the response may be stored.
    var mayBeKept: Bool {
        !Storability.forbids(CacheControl(headers), status: status) && VaryMatching.names(in: headers) != nil
            && redirect?.isStorable != false
    }
}
