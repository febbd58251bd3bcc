import HTTPTypes

/// Follows redirects and enforces limits for a transport that leaves both to the library
/// (``Transport/leavesRedirects``).
struct RedirectingTransport: Transport {
    private let base: any Transport
    private let clock: any PipelineClock

    init(_ base: any Transport, _ clock: any PipelineClock) {
        self.base = base
        self.clock = clock
    }

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        let ending = Ending()
        let task = Task {
            await Result { () async throws(ImageError) in try await follow(request, receiver, ending) }
        }
        ending.whenEnded { task.cancel() }
        clock.schedule(after: request.limits.timeout) { [weak ending, limit = request.limits.timeout] in
            ending?.end(with: ImageError(.timeout, "more than \(limit)"))
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            ending.end(with: .cancelled)
        }
        try result.get()
    }

    /// Sends the request, and those of its redirects, until there is a final response.
    private func follow(
        _ request: TransferRequest, _ receiver: any TransferReceiver, _ ending: Ending
    ) async throws(ImageError) {
        var request = request
        if request.headers[.userAgent] == nil { request.headers[.userAgent] = UserAgent.standard }
        var chain = RequestChain(request)
        while true {
            var sent = chain.request
            sent.headers = chain.headers
            let response = HopReceiver(chain, receiver, ending)
            let result = await Result { () async throws(ImageError) in try await base.load(sent, into: response) }
            guard let next = try ending.close(with: response.redirect(after: result)) else { return }
            chain = next
        }
    }
}

/// The end of a transfer by the library: a limit, a refusal or a cancellation.
private final class Ending: Sendable {
    private struct State {
        var error: ImageError?
        var isOver = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Sets what stops the client.
    func whenEnded(_ cancel: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            state.cancel = cancel
            return state.error != nil
        }
        if isEnded { cancel() }
    }

    /// Ends the transfer and stops the client, unless the response is complete. The first error
    /// counts.
    func end(with error: ImageError) {
        let cancel = state.withLock { state in
            if state.error == nil, !state.isOver { state.error = error }
            return state.error != nil ? state.cancel : nil
        }
        cancel?()
    }

    /// Throws the error of the transfer, if it was ended.
    func check() throws(ImageError) {
        if let error = state.withLock({ $0.error }) { throw error }
    }

    /// Completes the response, if no redirect follows. Throws the error of the transfer, if it was
    /// ended before.
    func close<Redirect>(
        with redirect: @autoclosure () throws(ImageError) -> Redirect?
    ) throws(ImageError) -> Redirect? {
        try check()
        let redirect = try redirect()
        try state.withLock { state throws(ImageError) in
            if let error = state.error { throw error }
            state.isOver = redirect == nil
        }
        return redirect
    }
}

/// Receives the response to one request, and passes it on unless it is a redirect.
private final class HopReceiver: TransferReceiver {
    private enum State {
        case awaitingHead
        /// `expected` is the announced length of the body; `nil` if it is unknown.
        case receiving(byteCount: Int, expected: Int?)
        /// The body of the redirect is skipped.
        case redirected(RequestChain, skipped: Int)
        case ended
    }

    private let chain: RequestChain
    private let receiver: any TransferReceiver
    private let ending: Ending
    /// Locked during each call of the receiver, so that none is made after the end.
    private let state = Lock(State.awaitingHead)

    private var request: TransferRequest { chain.request }

    init(_ chain: RequestChain, _ receiver: any TransferReceiver, _ ending: Ending) {
        self.chain = chain
        self.receiver = receiver
        self.ending = ending
    }

    func receive(_ head: TransferHead) throws(ImageError) {
        guard !(100..<200).contains(head.status) else { return }
        try change { state throws(ImageError) in
            guard case .awaitingHead = state else { return }
            var next = chain
            let location = head.headers[values: .location].first { !$0.isEmpty }
            let isRedirect = try next.follow(
                status: head.status, head.headers, to: location.map { Latin1.encode($0) ?? Array($0.utf8) },
                allowingInsecure: false)
            if isRedirect {
                state = .redirected(next, skipped: 0)
                return
            }
            let length = head.headers[.contentLength].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
            let expected = ContentCoding.decodedByteCount(length, status: head.status, head.headers)
            state = .receiving(byteCount: 0, expected: expected)
            var final = TransferHead(
                status: head.status, headers: head.headers, address: request.address, expectedByteCount: expected)
            final.redirects = chain.redirects
            final.timeSinceConnected = head.timeSinceConnected
            try receiver.receive(final)
            if let expected, expected > request.limits.maxBodyByteCount { throw tooLarge }
        }
    }

    func receive(_ bytes: borrowing RawSpan) throws(ImageError) {
        let piece = bytes.withUnsafeBytes { Array($0) }
        try change { state throws(ImageError) in
            let count: Int
            switch state {
            case .awaitingHead: throw ImageError(.protocol, "a body without a head")
            case .receiving(let old, let expected):
                count = old + piece.count
                state = .receiving(byteCount: count, expected: expected)
            case .redirected(let next, let skipped):
                count = skipped + piece.count
                state = .redirected(next, skipped: count)
            // A client that calls after its end must not end the request that follows a redirect.
            case .ended: return
            }
            if count > request.limits.maxBodyByteCount { throw tooLarge }
            if case .receiving = state { try receiver.receive(piece.span.bytes) }
        }
    }

    /// The chain after a redirect; `nil` if the response was passed on completely.
    func redirect(after result: Result<Void, ImageError>) throws(ImageError) -> RequestChain? {
        let host = request.address.authority
        let end = state.withLock { state in
            defer { state = .ended }
            return state
        }
        switch (end, result) {
        // The result of a redirect's body does not matter.
        case (.redirected(let next, _), _): return next
        case (.receiving, .failure(let error)) where error.code == .connection:
            throw ImageError(.incomplete, error.detail)
        case (_, .failure(let error)): throw error
        case (.receiving(let count, let expected?), .success) where count < expected:
            throw ImageError(.incomplete, "\(host): \(count) of \(expected) bytes")
        case (.receiving, .success): return nil
        case (.awaitingHead, .success), (.ended, .success): throw ImageError(.protocol, "\(host): no response")
        }
    }

    /// Receives a part of the response. An error ends the transfer, also if the client ignores it.
    private func change(_ body: (inout State) throws(ImageError) -> Void) throws(ImageError) {
        do throws(ImageError) {
            try ending.check()
            try state.withLock(body)
        } catch {
            ending.end(with: error)
            throw error
        }
    }

    private var tooLarge: ImageError {
        ImageError(.tooLarge, "more than \(request.limits.maxBodyByteCount) bytes")
    }
}
