// Stores a body when it is complete and valid, and a large one also in pieces before that.

import HTTPTypes

/// The write of a response to the store, which completes once its body is complete and valid. For a
/// response that must not be stored, the removal of the stored response that it replaces.
///
/// The response is stored at most once, by the first image that its data is good for. If the write
/// is released without an outcome, the response is not stored, and none is removed.
final class PendingWrite: Sendable {
    enum Outcome {
        /// The body is complete and valid: the response is stored, or the stored one is removed if
        /// this one must not be stored.
        case accepted([UInt8])
        /// The transfer failed. The received part of the body is stored if the rest can be
        /// requested later.
        case failed(ImageError, after: [UInt8])
        /// The image has no use for the body. Another image of the same data may still store it.
        case unused
        /// The body is not acceptable to the image. The partial response that it continues may be
        /// the cause and is removed, so that the next load requests the whole body.
        case unacceptable
        /// As ``unacceptable``, but the body is damaged: other images of the same data do not store
        /// it.
        case damaged
    }

    private let response: StoredResponse
    private let key: String
    private let isStorable: Bool
    /// Whether the response continues a stored partial response.
    let isResumed: Bool
    private let store: any ResponseStore
    private let requestHeaders: HTTPFields
    private let background: PendingCacheWork
    /// Whether a partial response may be stored for this request.
    private let wasPartial: Bool
    private let isUsed = Lock(false)
    /// See ``LoadKey/accountGeneration``.
    private let accountGeneration: Int?
    /// `nil` if the rest of an interrupted body could not be requested later.
    private let stream: BodyStream?

    /// - Parameters:
    ///   - isStorable: Whether the response may be stored.
    ///   - byteCount: The size of the partial response that is already stored.
    init(
        _ response: StoredResponse, key: String, isStorable: Bool = true, store: any ResponseStore,
        requestHeaders: HTTPFields, wasPartial: Bool, continuing byteCount: Int, accountGeneration: Int?,
        background: PendingCacheWork
    ) {
        self.isStorable = isStorable
        isResumed = byteCount > 0
        self.background = background
        self.accountGeneration = accountGeneration
        self.wasPartial = wasPartial
        self.response = response
        self.key = key
        self.store = store
        self.requestHeaders = requestHeaders
        stream =
            isStorable && PartialResponse.isWorthKeeping(response, byteCount: BodyStream.pieceByteCount)
            ? BodyStream(background) { [store, response, key] in
                store.writer(of: response, for: PartialResponse.key(beside: key), from: byteCount)
            } : nil
    }

    deinit { stream?.discard() }

    /// The key under which the response is stored; `nil` if it must not be stored.
    var storedKey: String? { isStorable ? key : nil }

    /// Whether the server reports the image as absent with a lifetime that has not ended (RFC 9111
    /// section 4.2.1).
    func isLastingAbsence(now: Double) -> Bool {
        let control = CacheControl(response.headers)
        return [404, 410].contains(response.status) && !control.noCache
            && (control.maxAge != nil || response.headers[.expires] != nil)
            && Freshness(of: response, now: now).isFresh
    }

    /// Called with all bytes received so far. A large body that can be resumed is stored in pieces.
    func receive(_ body: [UInt8]) {
        stream?.receive(body)
    }

    /// Stores or discards the body. Returns at once, but for a removal of the partial response.
    func finish(_ outcome: Outcome) async {
        switch outcome {
        case .accepted(let body): if use() { store(body) }
        case .failed(let error, let body):
            if error.isInterruption { storePart(body) } else { stream?.discard() }
        case .unused: stream?.discard()
        case .damaged, .unacceptable:
            if case .damaged = outcome { _ = use() }
            stream?.discard()
            guard isResumed else { return }
            await Task(executorPreference: WorkerThreads.disk) { [key, store] in
                store.remove(PartialResponse.key(beside: key))
            }.value
        }
    }

    /// Finishes with the outcome that `decide` finds on other threads. Lookups of the response, and
    /// the end of the program, wait for it.
    func finish(on threads: WorkerThreads?, with decide: @escaping @Sendable () async -> Outcome) {
        background.begin()
        background.beginWrite(of: key)
        Task(executorPreference: threads) { [self] in
            await finish(await decide())
            background.endWrite(of: key)
            background.end()
        }
    }

    /// Returns `false` if the response was used before.
    private func use() -> Bool { !isUsed.exchange(true) }

    private func store(_ body: [UInt8]) {
        end { [response, key, isStorable, store, requestHeaders, wasPartial] stored in
            let replaces = { (old: StoredResponse) in VaryMatching.matches(old, requestHeaders) }
            if isStorable {
                let isComplete = stored.map {
                    $0.writer.finish(with: body.dropFirst($0.byteCount), as: response, for: key, replacing: replaces)
                }
                if isComplete != true { store.store(response, body: body, for: key, replacing: replaces) }
            } else if store.responses(for: key).contains(where: replaces) {
                store.remove(key)
            }
            if wasPartial { store.remove(PartialResponse.key(beside: key)) }
        }
    }

    /// Stores the received part of an interrupted body, if the rest can be requested later.
    private func storePart(_ body: [UInt8]) {
        guard isStorable, PartialResponse.isWorthKeeping(response, byteCount: body.count) else { return }
        end { [response, key, store] stored in
            if let stored {
                let rest = body.dropFirst(stored.byteCount)
                if !rest.isEmpty { _ = stored.writer.append(rest) }
            } else {
                store.store(response, body: body, for: PartialResponse.key(beside: key)) { _ in true }
            }
        }
    }

    private func end(_ last: @escaping @Sendable (BodyStream.Stored?) -> Void) {
        background.beginWrite(of: key)
        let write: @Sendable (BodyStream.Stored?) -> Void = { [background, key, accountGeneration] stored in
            // The check is part of the pending work, so that a removal that waits for all pending
            // work is not followed by a write.
            let isRemoved = background.hasRemovedAccount(since: accountGeneration) {
                LoadKey.isStoreKey(key, ofAccount: $0)
            }
            if isRemoved { stored?.writer.discard() } else { last(stored) }
            background.endWrite(of: key)
        }
        guard let stream else { return background.onDisk { write(nil) } }
        stream.end(write)
    }
}
