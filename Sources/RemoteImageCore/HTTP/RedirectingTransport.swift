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
        // Why the library ends the transfer.
        let ending = Lock<ImageError?>(nil)
        let task = Task {
            await Result { () async throws(ImageError) in try await follow(request, receiver, ending) }
        }
        let end = { @Sendable (error: ImageError) in
            ending.withLock { $0 = $0 ?? error }
            task.cancel()
        }
        clock.schedule(after: request.limits.timeout) {
            end(ImageError(.timeout, "more than \(request.limits.timeout)"))
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            end(.cancelled)
        }
        if let error = ending.withLock({ $0 }) { throw error }
        try result.get()
    }

    /// Sends the request, and those of its redirects, until there is a final response.
    private func follow(
        _ request: TransferRequest, _ receiver: any TransferReceiver, _ ending: Lock<ImageError?>
    ) async throws(ImageError) {
        var (next, redirects) = (request, [RedirectTerms.Hop]())
        if next.headers[.userAgent] == nil { next.headers[.userAgent] = UserAgent.standard }
        // Ranges count encoded bytes (RFC 9110 section 14), but receivers count decoded bytes.
        if next.headers[.range] != nil, next.headers[.acceptEncoding] == nil {
            next.headers[.acceptEncoding] = "identity"
        }
        var cookies = TransferCookies(for: next.headers)
        while true {
            let now = SystemClock().secondsSince1970
            var sent = next
            sent.headers = cookies.added(to: next.headers, for: next.address, now: now)
            let response = HopReceiver(next, redirects, receiver, ending)
            let result = await Result { () async throws(ImageError) in try await base.load(sent, into: response) }
            guard let (redirect, target) = try response.redirect(after: result) else { return }
            cookies.receive(redirect.headers, from: next.address, now: now)
            redirects.append(redirect)
            if !target.hasSameOrigin(as: next.address) {
                next.headers = Redirect.headersForAnotherOrigin(next.headers)
            }
            next.address = target
        }
    }
}

/// Receives the response to one request, and passes it on unless it is a redirect.
private final class HopReceiver: TransferReceiver {
    private enum State {
        case awaitingHead
        /// `expected` is the announced length of the body; `nil` if it is unknown.
        case receiving(byteCount: Int, expected: Int?)
        /// The body of the redirect is skipped.
        case redirected(RedirectTerms.Hop, to: WebAddress, skipped: Int)
        case refused(ImageError)
    }

    private let request: TransferRequest
    private let redirects: [RedirectTerms.Hop]
    private let receiver: any TransferReceiver
    private let ending: Lock<ImageError?>
    private let state = Lock(State.awaitingHead)

    init(
        _ request: TransferRequest, _ redirects: [RedirectTerms.Hop], _ receiver: any TransferReceiver,
        _ ending: Lock<ImageError?>
    ) {
        self.ending = ending
        self.request = request
        self.redirects = redirects
        self.receiver = receiver
    }

    func receive(_ head: TransferHead) throws(ImageError) {
        guard !(100..<200).contains(head.status) else { return }
        try recordingRefusal { () throws(ImageError) in
            guard case .awaitingHead = state.withLock({ $0 }) else { return }
            if Redirect.isRedirect(head.status), let location = head.headers[.location] {
                let target = try target(of: location)
                let hop = RedirectTerms.Hop(address: request.address, status: head.status, headers: head.headers)
                return state.withLock { $0 = .redirected(hop, to: target, skipped: 0) }
            }
            let expected = Self.bodyByteCount(head)
            state.withLock { $0 = .receiving(byteCount: 0, expected: expected) }
            var final = TransferHead(
                status: head.status, headers: head.headers, address: request.address, expectedByteCount: expected)
            final.redirects = redirects
            final.timeSinceConnected = head.timeSinceConnected
            try receiver.receive(final)
            if let expected, expected > request.limits.maxBodyByteCount { throw tooLarge }
        }
    }

    func receive(_ bytes: borrowing RawSpan) throws(ImageError) {
        let count = bytes.byteCount
        let isPassed = try recordingRefusal { () throws(ImageError) in try advance(by: count) }
        guard isPassed else { return }
        do throws(ImageError) {
            try receiver.receive(bytes)
        } catch {
            state.withLock { $0 = .refused(error) }
            throw error
        }
    }

    /// The redirect to follow; `nil` if the response was passed on completely.
    func redirect(
        after result: Result<Void, ImageError>
    ) throws(ImageError) -> (RedirectTerms.Hop, target: WebAddress)? {
        let host = request.address.authority
        let end = state.withLock { state in
            // Later calls are ignored.
            defer { state = .refused(.cancelled) }
            return state
        }
        switch (end, result) {
        // The result of a redirect's body does not matter.
        case (.redirected(let hop, let target, _), _):
            if let error = ending.withLock({ $0 }) { throw error }
            return (hop, target)
        case (.refused(let error), _): throw error
        case (.receiving, .failure(let error)) where error.code == .connection:
            throw ImageError(.incomplete, error.detail)
        case (_, .failure(let error)): throw error
        case (.receiving(let count, let expected?), .success) where count < expected:
            throw ImageError(.incomplete, "\(host): \(count) of \(expected) bytes")
        case (.receiving, .success): return nil
        case (.awaitingHead, .success): throw ImageError(.protocol, "\(host): no response")
        }
    }

    /// Counts bytes of the body. Returns whether they are passed on.
    private func advance(by count: Int) throws(ImageError) -> Bool {
        let (isPassed, error) = state.withLock { state -> (Bool, ImageError?) in
            switch state {
            case .awaitingHead: return (false, ImageError(.protocol, "a body without a head"))
            case .receiving(let old, let expected):
                state = .receiving(byteCount: old + count, expected: expected)
                let isAllowed = old + count <= request.limits.maxBodyByteCount
                return (isAllowed, isAllowed ? nil : tooLarge)
            case .redirected(let hop, let target, let skipped):
                state = .redirected(hop, to: target, skipped: skipped + count)
                return (false, skipped + count <= request.limits.maxBodyByteCount ? nil : tooLarge)
            case .refused(let error): return (false, error)
            }
        }
        if let error { throw error }
        return isPassed
    }

    /// Records an error that `body` throws, for a transport that ignores it.
    private func recordingRefusal<Output>(_ body: () throws(ImageError) -> Output) throws(ImageError) -> Output {
        do throws(ImageError) {
            if let error = ending.withLock({ $0 }) { throw error }
            return try body()
        } catch {
            state.withLock { $0 = .refused(error) }
            throw error
        }
    }

    private func target(of location: String) throws(ImageError) -> WebAddress {
        let limit = request.limits.maxRedirects
        guard redirects.count < limit else {
            let last = request.address.stringWithoutUserInfo
            throw ImageError(.tooManyRedirects, "more than \(limit), the last from \(last)")
        }
        let bytes = Latin1.encode(location) ?? Array(location.utf8)
        return try Redirect.target(of: bytes, from: request.address, allowingInsecure: false)
    }

    private var tooLarge: ImageError {
        ImageError(.tooLarge, "more than \(request.limits.maxBodyByteCount) bytes")
    }

    /// The length of the body that the head announces. With a content coding it is that of the
    /// encoded body; responses with status 204 and 304 have no body (RFC 9110 section 8.6).
    private static func bodyByteCount(_ head: TransferHead) -> Int? {
        let headers = head.headers
        guard head.status != 204, head.status != 304, headers[.contentEncoding] == nil,
            headers[.transferEncoding] == nil
        else { return nil }
        return headers[.contentLength].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
}
