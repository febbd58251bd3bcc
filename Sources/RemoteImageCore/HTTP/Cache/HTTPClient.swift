// Loads responses of any status through the cache, for programs that use HTTP directly.

import HTTPTypes

/// Loads resources through the HTTP cache, without decoding.
package struct HTTPClient: Sendable {
    private let cache: HTTPCache

    private let retryPolicy: any RetryPolicy
    private let clock: any PipelineClock

    /// - Parameter concurrency: The maximum number of concurrent transfers, in total and per host.
    ///   Time limits do not apply to waiting transfers.
    package init(
        store: (any ResponseStore)?, transport: any Transport, concurrency: Int = 6,
        clock: any PipelineClock = SystemClock(), retryPolicy: any RetryPolicy = StandardRetryPolicy.never
    ) {
        let queued = QueuedTransport(transport, count: concurrency, countPerHost: concurrency)
        cache = HTTPCache(store: store, transport: queued, clock: clock)
        self.clock = clock
        self.retryPolicy = retryPolicy
    }

    package struct Response: Sendable {
        package let status: Int
        package let headers: HTTPFields
        package let body: [UInt8]
        package let origin: ImageOrigin
    }

    /// Returns a response of any status. Throws if there is none after the attempts that the retry
    /// policy allows.
    package func response(for request: TransferRequest, policy: CachePolicy) async throws(ImageError) -> Response {
        var attempt = 1
        while true {
            do throws(ImageError) {
                return try await responseOnce(for: request, policy: policy)
            } catch {
                let failure = TransferFailure(error: error, attempt: attempt)
                guard case .retry(let delay) = retryPolicy.decision(on: failure) else { throw error }
                await withCheckedContinuation { continuation in
                    clock.schedule(after: delay) { continuation.resume() }
                }
                attempt += 1
            }
        }
    }

    private func responseOnce(for request: TransferRequest, policy: CachePolicy) async throws(ImageError) -> Response {
        let lookup = HTTPCache.Lookup(
            key: Self.key(of: request), policy: policy, expiry: nil, keepsAnyStatus: true)
        let result = await CancellableContinuation<Response>().wait { receive in
            let transfer = cache.start(request, lookup, receiver: ResponseCollector(receive))
            return { transfer.cancel() }
        }
        return try result.get()
    }

    /// The key consists of the address and the `Authorization` header, so that accounts never share
    /// a response. `Vary` handles all other headers.
    private static func key(of request: TransferRequest) -> String {
        var account = HTTPFields()
        account[values: .authorization] = request.headers[values: .authorization]
        var options = ImageOptions()
        if !account.isEmpty { options.headers = account }
        return LoadKey(ImageSource(request.address), options).storeKey(common: [:])
    }

    /// Returns when background validations and writes have ended.
    package func finished() async {
        await cache.background.finished()
    }
}

/// Collects one response.
private final class ResponseCollector: TransferReceiver, @unchecked Sendable {
    // Unchecked: a transport calls one method at a time.
    private var head: TransferHead?
    private var body: [UInt8] = []
    private let receive: @Sendable (Result<HTTPClient.Response, ImageError>) -> Void

    init(_ receive: @escaping @Sendable (Result<HTTPClient.Response, ImageError>) -> Void) {
        self.receive = receive
    }

    func transferDidReceive(_ head: TransferHead) { self.head = head }

    func transferDidReceive(_ bytes: borrowing RawSpan) {
        bytes.withUnsafeBytes { body.append(contentsOf: $0) }
        head?.pendingWrite?.receive(body)
    }

    func transferDidFinish(_ result: Result<Void, ImageError>) {
        switch (result, head) {
        case (.failure(let error), _):
            if error.isInterruption { head?.pendingWrite?.commitPartial(body) } else { head?.pendingWrite?.discard() }
            receive(.failure(error))
        case (.success, nil): receive(.failure(ImageError(.protocol, "no response")))
        case (.success, let head?):
            head.pendingWrite?.commit(body)
            receive(
                .success(
                    HTTPClient.Response(
                        status: head.status, headers: head.headers, body: body, origin: head.origin)))
        }
    }
}
