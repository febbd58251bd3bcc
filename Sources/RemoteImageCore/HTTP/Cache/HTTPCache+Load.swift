// The way of a request through the cache (RFC 9111 section 4): look up, decide, and use the stored
// response or ask the server. The server's answer is used or joined with a stored part; if it
// confirms the stored response, or is an error, the stored response is used in its place.

import HTTPTypes

extension HTTPCache {
    /// Called with the head of a response from the network, and again with all bytes received so
    /// far after each piece of an accepted body. Not called for stored responses.
    typealias Progress = @Sendable (TransferHead, [UInt8]) -> Void

    /// The stored responses with which a request asks the server. A class, so that a large partial
    /// response is released as soon as its bytes are copied.
    final class Conditions: @unchecked Sendable {
        // Unchecked: the load and its transfer use it one after the other.

        /// The response that the server validates.
        let validated: StoredResponse?
        /// The response that may be used if the server fails.
        let fallback: StoredResponse?
        /// The partial response that the server continues.
        var partial: PartialResponse?

        init(validated: StoredResponse? = nil, fallback: StoredResponse? = nil, partial: PartialResponse? = nil) {
            self.validated = validated
            self.fallback = fallback
            self.partial = partial
        }
    }

    /// What a request comes to before the server is asked: a stored response, the refusal of a
    /// request that needs one, or that the server must be asked.
    private enum Found {
        /// The validation is `nil` if the response needs none, or if another request validates it
        /// already.
        case response(LoadedData, BackgroundValidation? = nil)
        case ask(Conditions)
    }

    /// Loads a response of any status. The body of an error response is complete only if
    /// ``Lookup/keepsAnyStatus`` is set.
    func load(
        _ request: TransferRequest, _ lookup: Lookup, progress: @escaping Progress = { _, _ in }
    ) async throws(ImageError) -> LoadedData {
        if store == nil { lookup.report?(.disabled) }
        guard store != nil || Self.appliesWithoutStore(to: request, lookup.policy) else {
            return try await ask(request, lookup, Conditions(), progress)
        }
        // A request sent after a response finds that response in the store.
        if lookup.policy.readsStore { await background.writesEnded(of: lookup.key) }
        let found = try await withTaskExecutorPreference(WorkerThreads.disk) { () async throws(ImageError) in
            try lookUp(request, lookup)
        }
        switch found {
        case .response(let data, let validation):
            if let validation { startInBackground(validation) }
            return data
        case .ask(let conditions): return try await ask(request, lookup, conditions, progress)
        }
    }

    // MARK: The store, on a disk thread

    private func lookUp(_ request: TransferRequest, _ lookup: Lookup) throws(ImageError) -> Found {
        if Task.isCancelled { throw .cancelled }
        let stored = storedResponse(for: request, lookup)
        // Do not read the body after a cancellation.
        if Task.isCancelled { throw .cancelled }
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: stored, expiry: lookup.expiry,
            now: clock.secondsSince1970)
        switch decision {
        case .use(let response, let origin):
            lookup.report?(origin == .stale ? .stale : .fresh)
            guard let data = data(of: response, origin, request.headers, lookup) else {
                return try missing(request, lookup)
            }
            return .response(data)
        case .useAndValidate(let response):
            lookup.report?(.staleWhileRevalidate)
            guard let data = data(of: response, .stale, request.headers, lookup) else {
                return try missing(request, lookup)
            }
            return .response(data, BackgroundValidation(response, request, lookup, self))
        case .validate(let response):
            lookup.report?(.validating)
            // Both conditions may be sent: servers evaluate `If-None-Match` before `If-Range` (RFC
            // 9110 section 13.2.2).
            let partial = partialResponse(for: request, lookup)
            return .ask(Conditions(validated: response, fallback: response, partial: partial))
        case .fetch(let fallback):
            if store != nil {
                lookup.report?(fallback != nil ? .expired : lookup.policy.readsStore ? .miss : .bypassed)
            }
            return .ask(Conditions(fallback: fallback, partial: partialResponse(for: request, lookup)))
        case .refuse: return .response(try refuse(request, lookup))
        }
    }

    /// The stored body is missing or damaged.
    private func missing(_ request: TransferRequest, _ lookup: Lookup) throws(ImageError) -> Found {
        Self.forbidsAsking(request.headers, lookup.policy)
            ? .response(try refuse(request, lookup)) : .ask(Conditions())
    }

    private func storedResponse(for request: TransferRequest, _ lookup: Lookup) -> StoredResponse? {
        guard let store, lookup.policy.readsStore, !Validation.isConditional(request.headers) else { return nil }
        // A body above the limit of the request is not read: another request may have stored it, or
        // its metadata is damaged.
        let found = store.responses(for: lookup.key).first { response in
            response.body.byteCount <= request.limits.maxBodyByteCount && lookup.matches(response, request)
        }
        guard let found, !lookup.keepsAnyStatus, !(200..<300).contains(found.status) else { return found }
        // A stored error response is used only while it is fresh: it is not validated, and it is
        // not a fallback for a failed connection.
        guard !lookup.ignoresStoredErrors, lookup.policy != .revalidate else { return nil }
        let now = clock.secondsSince1970
        let decision = CacheDecision(
            for: request.headers, policy: lookup.policy, stored: found, expiry: lookup.expiry, now: now)
        guard case .use = decision, Freshness(of: found, now: now).isFresh else { return nil }
        return found
    }

    /// The stored part of an earlier transfer that was interrupted.
    private func partialResponse(for request: TransferRequest, _ lookup: Lookup) -> PartialResponse? {
        guard let store, lookup.policy.readsStore else { return nil }
        return PartialResponse.stored(
            beside: lookup.key, for: lookup.headersForVary(lookup.complete(request).headers),
            maxByteCount: request.limits.maxBodyByteCount, in: store)
    }

    /// The data of a stored response, with its age (RFC 9111 section 5.1): a resized image that can
    /// stand for the body, or else the body. `nil` if it is missing or damaged.
    private func data(
        of response: StoredResponse, _ origin: ImageOrigin, _ asked: HTTPFields, _ lookup: Lookup
    ) -> LoadedData? {
        let resized = lookup.chooseResized.flatMap { choose in
            store?.resizedImage(of: response, for: lookup.key, choosing: choose)
        }
        guard let bytes = resized?.data ?? store?.body(of: response, for: lookup.key) else {
            store?.forget(response, for: lookup.key)
            lookup.report?(.miss)
            return nil
        }
        var headers = response.headers
        let age = Freshness(of: response, now: clock.secondsSince1970).age
        headers[.age] = String(Int(min(Double(CacheControl.maxSeconds), age)))
        var data = LoadedData(
            bytes: bytes, resized: resized.map { ResizedContent($0.description, of: response.body) },
            status: response.status, headers: headers, address: response.address.withoutUserInfo, origin: origin)
        data.retention = Retention(
            freshUntil: freshUntil(response, asked), storedAt: response.responseTime,
            isKeptOnlyWhileInUse: CacheControl(asked).noStore || !response.mayBeKept)
        data.storeKey = lookup.key
        return data
    }

    // MARK: The server

    /// Asks the server.
    func ask(
        _ request: TransferRequest, _ lookup: Lookup, _ conditions: Conditions, _ progress: @escaping Progress
    ) async throws(ImageError) -> LoadedData {
        guard lookup.policy != .cacheOnly else { return try refuse(request, lookup) }
        if Task.isCancelled { throw .cancelled }
        let asked = lookup.complete(request)
        var sent = asked
        if let partial = conditions.partial {
            lookup.report?(.resuming(byteCount: partial.body.count))
            partial.ask(&sent.headers)
        }
        if let validated = conditions.validated { Validation.makeConditional(&sent.headers, on: validated) }
        if lookup.policy == .revalidate, sent.headers[.cacheControl] == nil {
            sent.headers[.cacheControl] = "max-age=0"
        }
        let continuesPartial = conditions.partial != nil
        let answer = ServerAnswer(self, asked.headers, sent, lookup, conditions, progress)
        let result = await Result { () async throws(ImageError) in
            if let error = lookup.unreachable { throw error }
            try await transport.load(sent, into: answer)
        }
        switch await answer.outcome(result) {
        case .data(let data): return data
        case .failure(let error): throw error
        case .validated(let response):
            let data = await withTaskExecutorPreference(WorkerThreads.disk) {
                confirmed(response, asked.headers, lookup, outdatesPartial: continuesPartial)
            }
            if let data { return data }
            // The stored body is missing.
            return try await ask(request, lookup, Conditions(fallback: conditions.fallback), progress)
        case .stale(let response, let error):
            let found = await withTaskExecutorPreference(WorkerThreads.disk) {
                data(of: response, .stale, asked.headers, lookup)
            }
            guard let found else { throw error }
            lookup.report?(.staleAfterError(error))
            return found
        case .unusable(let error):
            // Once more, without conditions.
            guard Validation.isConditional(sent.headers) else { throw error }
            // Otherwise each later load would ask for the rest of the stored part in vain.
            if continuesPartial, let store {
                await withTaskExecutorPreference(WorkerThreads.disk) {
                    store.remove(PartialResponse.key(beside: lookup.key))
                }
            }
            return try await ask(request, lookup, Conditions(fallback: conditions.fallback), progress)
        case .gatewayTimeout: return gatewayTimeout(from: request.address)
        }
    }

    /// Updates and reads a stored response that the server has confirmed.
    private func confirmed(
        _ response: StoredResponse, _ asked: HTTPFields, _ lookup: Lookup, outdatesPartial: Bool
    ) -> LoadedData? {
        guard let store, let data = data(of: response, .revalidated, asked, lookup) else { return nil }
        lookup.report?(.validated)
        // The partial response is outdated, or a part of the stored one.
        if outdatesPartial { store.remove(PartialResponse.key(beside: lookup.key)) }
        // A 304 response may forbid storing the response that it validates (section 4.3.4).
        if response.mayBeKept { store.update(response, for: lookup.key) } else { store.remove(lookup.key) }
        return data
    }

    private func refuse(_ request: TransferRequest, _ lookup: Lookup) throws(ImageError) -> LoadedData {
        lookup.report?(.refused)
        guard lookup.keepsAnyStatus, lookup.policy != .cacheOnly else {
            throw ImageError(.notStored, request.address.stringWithoutUserInfo)
        }
        return gatewayTimeout(from: request.address)
    }

    /// The response of a cache that must not use its stored response (RFC 9111 section 5.2.2.2).
    private func gatewayTimeout(from address: WebAddress) -> LoadedData {
        LoadedData(bytes: [], status: 504, address: address.withoutUserInfo, origin: .generated)
    }
}

// MARK: - For programs that use HTTP directly

extension HTTPCache {
    /// Returns a response of any status, and stores it if that is allowed, without decoding it.
    ///
    /// - Parameter separating: Headers of the request by which stored responses are separated,
    ///   besides credentials.
    package func response(
        for request: TransferRequest, policy: CachePolicy, separating: HTTPFields = [:]
    ) async throws(ImageError) -> LoadedData {
        let lookup = Lookup(key: Self.key(of: request, separating), policy: policy, keepsAnyStatus: true)
        let data = try await load(request, lookup)
        await data.pendingWrite?.finish(.accepted(data.bytes))
        return data
    }

    /// The key consists of the address and the headers that may select an account, so that accounts
    /// never share a response. `Vary` handles all other headers.
    private static func key(of request: TransferRequest, _ separating: HTTPFields) -> String {
        let names = Set(separating.map(\.name)).union([.authorization, .proxyAuthorization, .cookie])
        var options = ImageOptions()
        options.headers = HTTPFields(
            request.headers.filter { names.contains($0.name) && !fieldsForCaches.contains($0.name) })
        return LoadKey(ImageSource(request.address), options).storeKey(common: [:])
    }

    /// The headers with which a request tells a cache how to use a stored response.
    private static let fieldsForCaches: Set<HTTPField.Name> = Set(
        [.cacheControl, .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
            + [HTTPField.Name("Pragma")].compactMap { $0 })

    /// Returns when background validations and writes have ended.
    package func finished() async {
        await background.finished()
    }
}
