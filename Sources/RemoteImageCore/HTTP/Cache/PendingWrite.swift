// How a body gets into the store: when it is complete and valid, and a large one also in parts.

import HTTPTypes

/// The write of a response to the store, which begins once its body is complete and valid.
///
/// The receiver of the body calls ``commit(_:)`` at most once. Released without that, it stores nothing.
final class PendingWrite: Sendable {
    private let response: StoredResponse
    private let key: String
    private let store: any ResponseStore
    private let requestHeaders: HTTPFields
    private let background: PendingCacheWork
    /// Whether a beginning of the response may be stored.
    private let wasPartial: Bool
    private let isUsed = Lock(false)
    /// nil where the rest could not be asked for.
    private let stream: BodyStream?

    /// - Parameter byteCount: How long the beginning is that is stored already.
    init(
        _ response: StoredResponse, key: String, store: any ResponseStore, requestHeaders: HTTPFields,
        wasPartial: Bool, continuing byteCount: Int, background: PendingCacheWork
    ) {
        self.background = background
        self.wasPartial = wasPartial
        self.response = response
        self.key = key
        self.store = store
        self.requestHeaders = requestHeaders
        stream =
            PartialResponse.isWorthKeeping(response, byteCount: BodyStream.pieceByteCount)
            ? BodyStream(background) { [store, response, key] in
                store.writer(of: response, for: PartialResponse.key(beside: key), from: byteCount)
            } : nil
    }

    deinit { stream?.discard() }

    /// Whether the server says that the response is not there, and for how long (RFC 9111 section 4.2.1).
    func isLastingAbsence(now: Double) -> Bool {
        let control = CacheControl(response.headers)
        return [404, 410].contains(response.status) && !control.noCache
            && (control.maxAge != nil || response.headers[.expires] != nil)
            && Freshness(of: response, now: now).isFresh
    }

    /// So much came: of a large body that can be resumed, it goes to the store on the way.
    func receive(_ body: [UInt8]) {
        stream?.receive(body)
    }

    /// Stores the response, on a thread that may wait for the disk.
    func commit(_ body: [UInt8]) {
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        guard isFirst else { return }
        end { [response, key, store, requestHeaders, wasPartial] writer in
            let replaces = { (old: StoredResponse) in VaryMatching.matches(old, requestHeaders) }
            let isStored = writer?.finish(body, as: response, for: key, replacing: replaces) ?? false
            if !isStored { store.store(response, body: body, for: key, replacing: replaces) }
            if wasPartial { store.remove(PartialResponse.key(beside: key)) }
        }
    }

    /// Keeps what came before the transfer broke off, if the rest can be asked for later.
    func commitPartial(_ body: [UInt8]) {
        guard PartialResponse.isWorthKeeping(response, byteCount: body.count) else { return }
        end { [response, key, store] writer in
            if let writer {
                writer.append(restOf: body)
            } else {
                store.store(response, body: body, for: PartialResponse.key(beside: key)) { _ in true }
            }
        }
    }

    /// Forgets what went to the store on the way: it was not what was wanted.
    func discard() {
        stream?.discard()
    }

    private func end(_ last: @escaping @Sendable (BodyStream.Writer?) -> Void) {
        guard let stream else { return background.onDisk { last(nil) } }
        stream.end(last)
    }
}
