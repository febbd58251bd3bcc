// The response that a data loader receives, from hop to hop of its redirects.

import HTTPTypes

/// Receives a response from a ``DataLoader``: one head, then the pieces of the body in order.
///
/// The methods may be called on any thread, one at a time.
public final class DataResponse: Sendable {
    private enum State {
        case awaitingHead
        /// `expected` is the announced length of the body; `nil` if it is unknown.
        case receiving(byteCount: Int, expected: Int?)
        /// A redirect was received, whose body is skipped.
        case redirected(to: WebAddress, skipped: Int)
        /// The transfer ends with this error as soon as the loader returns.
        case refused(ImageError)
        case finished
    }

    private struct Exchange {
        var state = State.awaitingHead
        /// The request of the current hop.
        var request: TransferRequest
        var redirects: [RedirectTerms.Hop] = []
        var cookies: TransferCookies
        var task: Task<Void, Never>?
    }

    private let limits: TransferLimits
    /// Released at the end, since a receiver often retains its transfer.
    private let receiver: Lock<(any TransferReceiver)?>
    private let exchange: Lock<Exchange>

    init(_ request: TransferRequest, _ receiver: any TransferReceiver) {
        var request = request
        if request.headers[.userAgent] == nil { request.headers[.userAgent] = UserAgent.standard }
        // Ranges count encoded bytes (RFC 9110 section 14), but receivers count decoded bytes.
        if request.headers[.range] != nil, request.headers[.acceptEncoding] == nil {
            request.headers[.acceptEncoding] = "identity"
        }
        limits = request.limits
        self.receiver = Lock(receiver)
        exchange = Lock(Exchange(request: request, cookies: TransferCookies(for: request.headers)))
    }

    // MARK: For the loader

    /// Receives the status and the header fields of the response, before its body. Interim
    /// responses (1xx) are ignored.
    public func receiveHead(status: Int, headers: HTTPFields) {
        guard !(100..<200).contains(status) else { return }
        let head: TransferHead? = exchange.withLock { exchange in
            guard case .awaitingHead = exchange.state else { return nil }
            if Redirect.isRedirect(status), let location = headers[.location] {
                exchange.state = redirection(to: location, status, headers, &exchange)
                return nil
            }
            let expected = Self.bodyByteCount(status, headers)
            exchange.state = .receiving(byteCount: 0, expected: expected)
            var head = TransferHead(
                status: status, headers: headers, address: exchange.request.address, expectedByteCount: expected)
            head.redirects = exchange.redirects
            return head
        }
        guard let head else { return stopIfRefused() }
        receiver.withLock { $0 }?.transferDidReceive(head)
        if let expected = head.expectedByteCount, expected > limits.maxBodyByteCount { refuse(tooLarge) }
    }

    /// Receives a piece of the body, with its content coding decoded.
    public func receive(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else { return }
        let isPassed = exchange.withLock { exchange in
            switch exchange.state {
            case .awaitingHead:
                exchange.state = .refused(ImageError(.protocol, "a body without a head"))
            case .receiving(let count, let expected):
                let sum = count + bytes.count
                exchange.state =
                    sum <= limits.maxBodyByteCount ? .receiving(byteCount: sum, expected: expected) : .refused(tooLarge)
                return sum <= limits.maxBodyByteCount
            case .redirected(let target, let skipped):
                let sum = skipped + bytes.count
                exchange.state =
                    sum <= limits.maxBodyByteCount ? .redirected(to: target, skipped: sum) : .refused(tooLarge)
            case .refused, .finished: break
            }
            return false
        }
        if isPassed { receiver.withLock { $0 }?.transferDidReceive(bytes.span.bytes) } else { stopIfRefused() }
    }

    // MARK: For the transport

    /// Loads the response, and those of the redirects before it, in a task.
    func begin(_ loader: any DataLoader) {
        let task = Task { await run(loader) }
        exchange.withLock { exchange in
            if case .finished = exchange.state { return }
            exchange.task = task
        }
        stopIfRefused()
    }

    /// Ends the transfer with `error` as soon as the loader returns.
    func refuse(_ error: ImageError) {
        exchange.withLock { exchange in
            switch exchange.state {
            case .refused, .finished: break
            case .awaitingHead, .receiving, .redirected: exchange.state = .refused(error)
            }
        }
        stopIfRefused()
    }

    /// Ends the transfer because its time limit is over.
    func expire() {
        refuse(ImageError(.timeout, "more than \(limits.timeout)"))
    }

    private func stopIfRefused() {
        let task: Task<Void, Never>? = exchange.withLock { exchange in
            if case .refused = exchange.state { exchange.task } else { nil }
        }
        task?.cancel()
    }

    private func run(_ loader: any DataLoader) async {
        var result: Result<Void, ImageError>?
        while result == nil {
            let request = exchange.withLock { exchange in
                var request = exchange.request
                request.headers = exchange.cookies.added(
                    to: request.headers, for: request.address, now: SystemClock().secondsSince1970)
                return request
            }
            var failure: (any Error)?
            do { try await loader.load(request, into: self) } catch { failure = error }
            result = exchange.withLock { hopEnded(failure, &$0) }
        }
        if let result { receiver.withLock { $0.take() }?.transferDidFinish(result) }
    }

    // MARK: Under the lock

    /// Returns the result of the transfer, or `nil` if a redirect is to be followed.
    private func hopEnded(_ failure: (any Error)?, _ exchange: inout Exchange) -> Result<Void, ImageError>? {
        if case .redirected(let target, _) = exchange.state {
            // The result of a redirect's body does not matter.
            if !target.hasSameOrigin(as: exchange.request.address) {
                exchange.request.headers = Redirect.headersForAnotherOrigin(exchange.request.headers)
            }
            exchange.request.address = target
            exchange.state = .awaitingHead
            return nil
        }
        defer {
            exchange.state = .finished
            exchange.task = nil
        }
        return result(exchange.state, failure, of: exchange.request.address.authority)
    }

    private func result(_ state: State, _ failure: (any Error)?, of host: String) -> Result<Void, ImageError> {
        switch (state, failure) {
        case (.refused(let error), _): .failure(error)
        case (_, let error as ImageError): .failure(error)
        case (_, is CancellationError): .failure(.cancelled)
        case (.receiving, let error?): .failure(ImageError(.incomplete, "\(host): \(error)"))
        case (_, let error?): .failure(ImageError(.connection, "\(host): \(error)"))
        case (.receiving(let count, let expected?), nil) where count < expected:
            .failure(ImageError(.incomplete, "\(host): \(count) of \(expected) bytes"))
        case (.receiving, nil): .success(())
        case (_, nil): .failure(ImageError(.protocol, "\(host): no response"))
        }
    }

    private func redirection(
        to location: String, _ status: Int, _ headers: HTTPFields, _ exchange: inout Exchange
    ) -> State {
        let address = exchange.request.address
        guard exchange.redirects.count < limits.maxRedirects else {
            let last = address.stringWithoutUserInfo
            return .refused(
                ImageError(.tooManyRedirects, "more than \(limits.maxRedirects), the last from \(last)"))
        }
        do {
            let bytes = Latin1.encode(location) ?? Array(location.utf8)
            let target = try Redirect.target(of: bytes, from: address, allowingInsecure: false)
            exchange.cookies.receive(headers, from: address, now: SystemClock().secondsSince1970)
            exchange.redirects.append(RedirectTerms.Hop(address: address, status: status, headers: headers))
            return .redirected(to: target, skipped: 0)
        } catch {
            return .refused(error)
        }
    }

    private var tooLarge: ImageError { ImageError(.tooLarge, "more than \(limits.maxBodyByteCount) bytes") }

    /// The length of the body that the head announces. With a content coding it is that of the
    /// encoded body; responses with status 204 and 304 have no body (RFC 9110 section 8.6).
    private static func bodyByteCount(_ status: Int, _ headers: HTTPFields) -> Int? {
        guard status != 204, status != 304, headers[.contentEncoding] == nil, headers[.transferEncoding] == nil
        else { return nil }
        return headers[.contentLength].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
}
