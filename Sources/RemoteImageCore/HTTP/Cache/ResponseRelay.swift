// Passes responses from the network through the cache.

import HTTPTypes

/// Passes a response to its receiver. Replaces a 304 response with the stored one, and failures
/// with a stale response if that is allowed.
final class ResponseRelay: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so the mutable state is never accessed
    // concurrently.

    /// The cache's state for the transfer.
    struct Terms {
        /// The headers of the request, without those that the cache added.
        var asked: HTTPFields
        /// The stored response that the server validates.
        var validated: StoredResponse?
        /// The stored response that may be used if the server fails.
        var fallback: StoredResponse?
        /// The partial response that the server continues.
        var partial: PartialResponse?
    }

    private enum Course {
        /// The head has not been received yet.
        case waiting
        /// The response is passed to the receiver.
        case passing
        /// The rest of the response is ignored because another response is used.
        case left
        /// The stored response is used when the transfer has ended.
        case answering(StoredResponse)
    }

    private let cache: HTTPCache
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private(set) var terms: Terms
    private let receiver: any TransferReceiver
    /// Starts another transfer if this response is unusable. `nil` if that is not possible.
    private let owner: CachedTransfer?
    /// The number of the transfer among those of the owner.
    private let number: Int
    private let requestTime: Double
    private var course = Course.waiting
    /// The number of remaining bytes of a resumed response. `nil` if its length is unknown.
    private var missingByteCount: Int?

    init(
        _ cache: HTTPCache, _ request: TransferRequest, _ lookup: HTTPCache.Lookup, _ terms: Terms,
        passingTo receiver: any TransferReceiver, owner: CachedTransfer? = nil, number: Int = 0
    ) {
        self.cache = cache
        self.request = request
        self.lookup = lookup
        self.terms = terms
        self.receiver = receiver
        self.owner = owner
        self.number = number
        requestTime = cache.clock.secondsSince1970
    }

    // MARK: The head

    func transferDidReceive(_ head: TransferHead) {
        if let partial = terms.partial, head.status == 206 || head.status == 416 { return join(partial, head) }
        if head.status == 304, !Validation.isConditional(terms.asked) { return receiveNotModified(head) }
        if let fallback = terms.fallback,
            StaleAnswer.isAllowed(
                fallback, terms.asked, afterStatus: head.status, now: cache.clock.secondsSince1970)
        {
            // Not awaited, since the body of the error may take long.
            course = .left
            owner?.leaveTransfer()
            return answer(with: fallback, .stale, else: .httpStatus(head.status))
        }
        pass(head)
    }

    private func join(_ partial: PartialResponse, _ head: TransferHead) {
        guard let whole = partial.whole(continuedBy: head, maxByteCount: request.limits.maxBodyByteCount) else {
            return startOver(else: ImageError(.protocol, "206 to a request without a range"))
        }
        missingByteCount = whole.expectedByteCount.map { $0 - partial.body.count }
        pass(whole, continuing: partial)
        receiver.transferDidReceive(partial.body.span.bytes)
    }

    private func receiveNotModified(_ head: TransferHead) {
        guard let validated = terms.validated, Validation.concerns(validated, head) else {
            return startOver(
                else: lookup.keepsAnyStatus
                    ? ImageError(.protocol, "304 to an unconditional request") : .httpStatus(304))
        }
        var updated = Validation.update(
            validated, with: head.headers, requestTime: requestTime, responseTime: cache.clock.secondsSince1970)
        // The redirects may have new terms, and the 304 may name other fields in `Vary`.
        updated.redirect = head.redirectTerms
        updated.varying = VaryMatching.values(of: lookup.headersForVary(terms.asked), for: updated.headers)
        course = .answering(updated)
    }

    private func startOver(else error: ImageError) {
        course = .left
        guard let owner, !request.isUnconditional else { return receiver.transferDidFinish(.failure(error)) }
        owner.startOver(fallback: terms.fallback)
    }

    private func pass(_ head: TransferHead, continuing partial: PartialResponse? = nil) {
        course = .passing
        // The receiver gets its own copy, so a large body is not held twice until the end.
        terms.partial = nil
        guard cache.keepsAnything else { return receiver.transferDidReceive(head) }
        var head = head
        let response = StoredResponse(
            status: head.status, headers: head.headers.storable, address: head.address, requestTime: requestTime,
            responseTime: cache.clock.secondsSince1970,
            varying: VaryMatching.values(of: lookup.headersForVary(request.headers), for: head.headers),
            redirect: head.redirectTerms)
        if !head.mayBeTruncated {
            head.pendingWrite = cache.pendingWrite(for: response, request, lookup, continuing: partial)
        }
        head.retention = Retention(
            freshUntil: cache.freshUntil(response), storedAt: response.responseTime,
            isKeptOnlyWhileInUse: lookup.policy == .noStore || !response.mayBeKept || head.mayBeTruncated)
        receiver.transferDidReceive(head)
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        guard case .passing = course else { return }
        missingByteCount = missingByteCount.map { $0 - bytes.byteCount }
        receiver.transferDidReceive(bytes)
    }

    // MARK: The end

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        // A transport may keep the receiver of a transfer that has ended.
        owner?.transferDidEnd(number)
        switch course {
        case .passing:
            if case .success = result, let missingByteCount, missingByteCount != 0 {
                let name = request.address.stringWithoutUserInfo
                return receiver.transferDidFinish(
                    .failure(ImageError(.incomplete, "the rest of the body has another length than announced: \(name)"))
                )
            }
            receiver.transferDidFinish(result)
        case .left: break
        case .answering(let response): answer(with: response, .revalidated, else: nil)
        case .waiting:
            guard case .failure(let error) = result, error.isDisconnection,
                let fallback = terms.fallback,
                StaleAnswer.isAllowedWhenDisconnected(fallback, terms.asked, now: cache.clock.secondsSince1970)
            else { return fail(result.mapError(whileOffline)) }
            answer(with: fallback, .stale, else: error)
        }
    }

    /// Under ``CachePolicy/stored``, an unreachable server is reported as `notStored`.
    private func whileOffline(_ error: ImageError) -> ImageError {
        guard lookup.policy == .stored, error.isDisconnection else { return error }
        return ImageError(.notStored, error.detail, underlying: [error])
    }

    private func fail(_ result: Result<Void, ImageError>) {
        // Clients of all statuses receive 504 if a stored response must not be used (section
        // 5.2.2.2).
        guard lookup.keepsAnyStatus, terms.fallback != nil, case .failure(let error) = result,
            error.isDisconnection
        else { return receiver.transferDidFinish(result) }
        receiver.receiveGatewayTimeout(from: request.address)
    }

    /// - Parameter error: Reported if the stored body is missing or damaged. `nil` starts the
    ///   request over.
    private func answer(with response: StoredResponse, _ origin: ImageOrigin, else error: ImageError?) {
        let (cache, lookup, request, receiver) = (cache, lookup, request, receiver)
        // The transport's thread must not wait for the disk.
        Task(executorPreference: WorkerThreads.disk) { [self] in
            guard let store = cache.store, let content = cache.content(of: response, lookup) else {
                cache.store?.forget(response, for: lookup.key)
                lookup.report?(.miss)
                if let error { return receiver.transferDidFinish(.failure(error)) }
                return startOver(else: ImageError(.incomplete, "the stored body is missing"))
            }
            lookup.report?(error.map { .staleAfterError($0) } ?? .validated)
            if origin == .revalidated {
                // The partial response is outdated, or a part of the stored one.
                if terms.partial != nil { store.remove(PartialResponse.key(beside: lookup.key)) }
                // A 304 response may forbid storing the response that it validates (section 4.3.4).
                if response.mayBeKept { store.update(response, for: lookup.key) } else { store.remove(lookup.key) }
            }
            response.deliver(content, origin, request, lookup, cache, to: receiver)
        }
    }
}

extension StoredResponse {
    /// Whether the response may be stored.
    var mayBeKept: Bool {
        !CacheControl(headers).noStore && VaryMatching.names(in: headers) != nil && redirect?.isStorable != false
    }

    /// Delivers the response to a receiver, with its age (RFC 9111 section 5.1).
    func deliver(
        _ content: StoredContent, _ origin: ImageOrigin, _ request: TransferRequest, _ lookup: HTTPCache.Lookup,
        _ cache: HTTPCache, to receiver: any TransferReceiver
    ) {
        var fields = headers
        let age = Freshness(of: self, now: cache.clock.secondsSince1970).age
        fields[.age] = String(Int(min(Double(CacheControl.maxSeconds), age)))
        let bytes = content.bytes
        var head = TransferHead(status: status, headers: fields, address: address, expectedByteCount: bytes.count)
        head.origin = origin
        head.retention = Retention(
            freshUntil: cache.freshUntil(self), storedAt: responseTime, isKeptOnlyWhileInUse: !mayBeKept)
        head.storeKey = lookup.key
        if case .resized(let image) = content { head.resized = ResizedContent(image.description, of: body) }
        receiver.transferDidReceive(head)
        if let collector = receiver as? ResponseCollector {
            collector.receive(whole: bytes)
        } else if !bytes.isEmpty {
            receiver.transferDidReceive(bytes.span.bytes)
        }
        receiver.transferDidFinish(.success(()))
    }
}

extension TransferReceiver {
    /// Receives the response of a cache that must not use its stored response (RFC 9111 section
    /// 5.2.2.2).
    func receiveGatewayTimeout(from address: WebAddress) {
        var head = TransferHead(status: 504, address: address, expectedByteCount: 0)
        head.origin = .generated
        transferDidReceive(head)
        transferDidFinish(.success(()))
    }
}

extension TransferRequest {
    /// Whether the request has no conditions.
    fileprivate var isUnconditional: Bool { !Validation.isConditional(headers) }
}
