// What comes from the network, on its way through the cache.

import HTTPTypes

/// Passes a response on; turns a 304 into what is stored, and failures into what may answer instead.
final class ResponseRelay: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time, so that what changes has one user.

    private enum Course {
        /// No head yet.
        case waiting
        /// The response goes on to whoever asked.
        case passing
        /// Another transfer has taken over.
        case replaced
        /// The stored response answers when the transfer has ended.
        case answering(StoredResponse, ImageOrigin)
    }

    private let cache: HTTPCache
    private let request: TransferRequest
    private let lookup: HTTPCache.Lookup
    private let receiver: any TransferReceiver
    private let validated: StoredResponse?
    private let fallback: StoredResponse?
    private let requestTime: Double
    private var course = Course.waiting
    private var partial: PartialResponse?
    private var startOver: @Sendable () -> Void = {}
    /// Bytes that are still to come of a response that is put together; nil where nobody said.
    private var missingByteCount: Int?

    init(
        _ cache: HTTPCache, _ request: TransferRequest, _ lookup: HTTPCache.Lookup,
        passingTo receiver: any TransferReceiver, validating validated: StoredResponse?, fallback: StoredResponse?
    ) {
        self.cache = cache
        self.request = request
        self.lookup = lookup
        self.receiver = receiver
        self.validated = validated
        self.fallback = fallback
        requestTime = cache.clock.secondsSince1970
    }

    /// The transfer asks for the rest of `partial`. Where something else comes that is no whole response, `startOver` begins
    /// another transfer, and this one is of no use. Called before the transfer starts.
    func resume(_ partial: PartialResponse, startOver: @escaping @Sendable () -> Void) {
        self.partial = partial
        self.startOver = startOver
    }

    func transferDidReceive(_ head: TransferHead) {
        if let partial, head.status == 206 || head.status == 416 {
            let limit = request.limits.maxBodyByteCount
            guard let whole = partial.whole(continuedBy: head, maxByteCount: limit) else {
                course = .replaced
                return startOver()
            }
            missingByteCount = whole.expectedByteCount.map { $0 - partial.body.count }
            pass(whole)
            return receiver.transferDidReceive(partial.body.span.bytes)
        }
        if head.status == 304, let validated, Validation.concerns(validated, head.headers) {
            let updated = Validation.update(
                validated, with: head.headers, requestTime: requestTime, responseTime: cache.clock.secondsSince1970)
            course = .answering(updated, .revalidated)
            return
        }
        if let fallback,
            StaleAnswer.isAllowed(
                fallback, request.headers, afterStatus: head.status, now: cache.clock.secondsSince1970)
        {
            course = .answering(fallback, .stale)
            return
        }
        pass(head)
    }

    private func pass(_ head: TransferHead) {
        course = .passing
        var head = head
        head.ticket = cache.ticket(for: head, request, lookup, requestTime: requestTime)
        let response = StoredResponse(
            status: head.status, headers: head.headers, address: head.address, requestTime: requestTime,
            responseTime: cache.clock.secondsSince1970)
        head.freshUntil = cache.freshUntil(response, lookup.policy)
        head.isKeptOnlyWhileInUse = lookup.policy == .noStore || CacheControl(head.headers).noStore
        receiver.transferDidReceive(head)
    }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        guard case .passing = course else { return }
        missingByteCount = missingByteCount.map { $0 - bytes.byteCount }
        receiver.transferDidReceive(bytes)
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        switch course {
        case .passing:
            if case .success = result, let missingByteCount, missingByteCount != 0 {
                let name = request.address.stringWithoutUserInfo
                return receiver.transferDidFinish(
                    .failure(ImageError(.incomplete, "another rest than was said: \(name)")))
            }
            receiver.transferDidFinish(result)
        case .replaced: break
        case .answering(let response, let origin): answer(with: response, origin, else: result)
        case .waiting:
            guard case .failure(let error) = result, error.code == .connection || error.code == .timeout,
                let fallback, StaleAnswer.isAllowedWhenDisconnected(fallback, request.headers)
            else { return fail(result) }
            answer(with: fallback, .stale, else: result)
        }
    }

    private func fail(_ result: Result<Void, ImageError>) {
        // A stored response that must not be used is a gateway's error to those who see statuses (section 5.2.2.2).
        guard lookup.keepsAnyStatus, fallback != nil, case .failure(let error) = result,
            error.code == .connection || error.code == .timeout
        else { return receiver.transferDidFinish(result) }
        var head = TransferHead(status: 504, address: request.address, expectedByteCount: 0)
        head.origin = .generated
        receiver.transferDidReceive(head)
        receiver.transferDidFinish(.success(()))
    }

    private func answer(with response: StoredResponse, _ origin: ImageOrigin, else result: Result<Void, ImageError>) {
        let (cache, lookup, receiver) = (cache, lookup, receiver)
        // The transport's thread must not wait for the disk.
        Task(executorPreference: WorkerThreads.disk) {
            if origin == .revalidated { cache.store?.update(response, for: lookup.key) }
            guard let body = cache.store?.body(of: response, for: lookup.key) else {
                cache.store?.remove(lookup.key)
                // Gone meanwhile: the next request finds nothing and fetches.
                if case .failure = result { return receiver.transferDidFinish(result) }
                return receiver.transferDidFinish(
                    .failure(
                        ImageError(.incomplete, "a stored body was lost: \(response.address.stringWithoutUserInfo)")))
            }
            Self.deliver(response, body, origin, lookup, cache, to: receiver)
        }
    }

    /// Hands out a stored response, with its age (RFC 9111 section 5.1).
    static func deliver(
        _ response: StoredResponse, _ body: [UInt8], _ origin: ImageOrigin, _ lookup: HTTPCache.Lookup,
        _ cache: HTTPCache, to receiver: any TransferReceiver
    ) {
        var headers = response.headers
        let age = Freshness(of: response, now: cache.clock.secondsSince1970).age
        headers[.age] = String(age.isFinite ? min(CacheControl.maxSeconds, Int(age)) : CacheControl.maxSeconds)
        var head = TransferHead(
            status: response.status, headers: headers, address: response.address, expectedByteCount: body.count)
        head.origin = origin
        head.freshUntil = cache.freshUntil(response, lookup.policy)
        receiver.transferDidReceive(head)
        if !body.isEmpty { receiver.transferDidReceive(body.span.bytes) }
        receiver.transferDidFinish(.success(()))
    }
}
