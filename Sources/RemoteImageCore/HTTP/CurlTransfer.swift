// One transfer: its hops from redirect to redirect, and the body of the final response.

import CRemoteImageCurl
import Glibc
import HTTPTypes

/// A transfer of a ``CurlTransport``.
///
/// Unchecked: the lock of the thread's mailbox protects `isCancelRequested`; all other mutable
/// state belongs to the curl thread once the transfer has started.
final class CurlTransfer: @unchecked Sendable {
    private enum State {
        /// Before the head of the final response or of a redirect is complete.
        case awaitingHead
        case receiving(byteCount: Int)
        /// A redirect, or a response that is requested again, was received. A short body is
        /// skipped, so that the connection can be reused.
        case redirected(skipped: Int)
        /// The transfer stopped libcurl because of this error.
        case refused(ImageError)
        case finished
    }

    enum HopEnd {
        case redirected
        case finished(Result<Void, ImageError>)
    }

    /// The addresses that libcurl wanted to connect to in the current hop.
    private enum MetAddresses {
        /// Also if the hop uses an open connection.
        case none
        /// All of them are private, and no connection was opened.
        case onlyForbidden
        case allowed
    }

    private let deadline: SuspendingClock.Instant
    private var hopStart = SuspendingClock.now
    private let thread: CurlThread

    var isCancelRequested = false

    private var state = State.awaitingHead
    private let receiver: any TransferReceiver
    let end = Promise<Void>()
    /// Its last request is that of the current hop, or of the next one after a redirect.
    private var chain: RequestChain
    /// Whether libcurl passes the body on without decoding it.
    private var leavesBodyEncoded = false
    private var head: ResponseHeadParser
    private var trailerByteCount = 0
    private var metAddresses = MetAddresses.none
    private var configuration = CurlTransport.Configuration()
    /// The handle of the current hop.
    private(set) var easy: CurlEasy?

    init(_ request: TransferRequest, _ receiver: any TransferReceiver, _ thread: CurlThread) {
        head = ResponseHeadParser(maxByteCount: request.limits.maxHeaderByteCount)
        deadline = .now + request.limits.timeout
        chain = RequestChain(request)
        self.receiver = receiver
        self.thread = thread
    }

    // MARK: On the curl thread

    var address: WebAddress { chain.request.address }
    private var limits: TransferLimits { chain.request.limits }

    /// The error of a request with a header that belongs to the connection; `nil` for other ones.
    var refusal: ImageError? {
        chain.request.headers.nameOfConnection.map { ImageError(.source, "a request must not set the header \($0)") }
    }

    /// The time until the deadline of the transfer.
    var timeLeft: Duration { deadline - .now }

    /// Whether the proxy is not known yet.
    func lacksProxy(_ configuration: CurlTransport.Configuration) -> Bool {
        (chain.request.proxy ?? configuration.proxy) == .pending
    }

    /// Prepares `easy` for the next hop.
    func prepareHop(_ easy: CurlEasy, _ configuration: CurlTransport.Configuration) {
        self.easy = easy
        self.configuration = configuration
        if let proxy = chain.request.proxy { self.configuration.proxy = proxy }
        hopStart = .now
        state = .awaitingHead
        metAddresses = .none
        head = ResponseHeadParser(maxByteCount: limits.maxHeaderByteCount)
        trailerByteCount = 0
        easy.prepare(
            for: address, headers: chain.headers, decodesBody: !leavesBodyEncoded, timeout: timeLeft, limits: limits,
            configuration: self.configuration, transfer: self)
    }

    /// Receives a header line. Returning `false` aborts libcurl's transfer.
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard case .awaitingHead = state else { return skipTrailer(line.count) }
        switch head.consume(line) {
        case .incomplete: return true
        case .complete: return headIsComplete()
        case .tooLarge: return refuse(ImageError(.protocol, "\(address.authority): the header is too large"))
        case .badStatus: return refuse(ImageError(.protocol, "\(address.authority): invalid status"))
        case .badFold: return refuse(ImageError(.protocol, "\(address.authority): invalid first header line"))
        case .badLength: return refuse(ImageError(.protocol, "\(address.authority): invalid Content-Length"))
        }
    }

    /// Ignores trailers after the body, up to a maximum size.
    private func skipTrailer(_ byteCount: Int) -> Bool {
        trailerByteCount += byteCount
        guard case .receiving = state, trailerByteCount > Self.maxTrailerByteCount else { return true }
        return refuse(ImageError(.protocol, "\(address.authority): too many trailers"))
    }

    /// Receives a piece of the body. Returning `false` aborts libcurl's transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch state {
        case .receiving(let received):
            guard !thread.isCancelRequested(self) else { return refuse(.cancelled) }
            let (byteCount, overflow) = received.addingReportingOverflow(bytes.count)
            guard !overflow, byteCount <= limits.maxBodyByteCount else { return refuse(tooLarge) }
            state = .receiving(byteCount: byteCount)
            return passes { () throws(ImageError) in try receiver.receive(bytes.bytes) }
        case .redirected(let skipped):
            let skipped = skipped + bytes.count
            state = .redirected(skipped: skipped)
            return skipped <= Self.maxSkippedByteCount
        case .awaitingHead:
            return refuse(ImageError(.protocol, "\(address.authority): a body without a head"))
        case .refused, .finished:
            return false
        }
    }

    /// Whether a connection to `socketAddress` may be opened.
    func mayConnect(to socketAddress: UnsafePointer<sockaddr>, length: Int) -> Bool {
        guard configuration.forbids(socketAddress, length: length) else {
            metAddresses = .allowed
            return true
        }
        if case .none = metAddresses { metAddresses = .onlyForbidden }
        return false
    }

    /// The next step after libcurl has ended a hop with `code`.
    func hopEnded(_ code: CURLcode) -> HopEnd {
        if thread.isCancelRequested(self) { return .finished(.failure(.cancelled)) }
        switch state {
        case .refused(let error):
            return .finished(.failure(error))
        case .redirected:
            // The result of its body does not matter.
            return deadline > .now
                ? .redirected
                : .finished(.failure(ImageError(.timeout, "\(address.authority): no time is left after redirects")))
        case .receiving where code == CURLE_OK:
            return .finished(.success(()))
        case .receiving:
            return .finished(.failure(error(code, hasHead: true)))
        case .awaitingHead, .finished:
            return .finished(.failure(error(code, hasHead: false)))
        }
    }

    /// Releases the handle while the next hop waits; it may get another one.
    func leaveHandle() { easy = nil }

    /// Ends the transfer, once.
    func finish(_ result: Result<Void, ImageError>) {
        easy = nil
        state = .finished
        end.keep(result)
    }

    // MARK: The head

    private func headIsComplete() -> Bool {
        do throws(ImageError) {
            let isRedirect = try chain.follow(
                status: head.status, head.headers, to: head.location,
                allowingInsecure: configuration.allowsInsecureRedirects)
            if isRedirect {
                leavesBodyEncoded = false
                state = .redirected(skipped: 0)
                return (head.expectedByteCount ?? 0) <= Self.maxSkippedByteCount
            }
        } catch {
            return refuse(error)
        }
        guard !thread.isCancelRequested(self) else { return refuse(.cancelled) }
        if !leavesBodyEncoded, ContentCoding.unknown(in: head.headers) != nil {
            leavesBodyEncoded = true
            guard configuration.canLeaveBodyEncoded else {
                state = .redirected(skipped: 0)
                return false
            }
            easy?.leaveBodyEncoded()
        }
        let expected = head.expectedByteCount
        state = .receiving(byteCount: 0)
        var final = TransferHead(
            status: head.status, headers: head.headers, address: address, expectedByteCount: expected)
        final.redirects = chain.redirects
        final.timeSinceConnected = easy?.connectTime.map { max(.zero, hopStart.duration(to: .now) - $0) }
        // An attacker can end a TCP connection early, and libcurl does not report whether the
        // server ended the TLS connection.
        final.mayBeTruncated = address.scheme == .https && head.endsWithConnection
        guard passes({ () throws(ImageError) in try receiver.receive(final) }) else { return false }
        if let expected, expected > limits.maxBodyByteCount { return refuse(tooLarge) }
        return true
    }

    /// Calls the receiver, whose error ends the transfer.
    private func passes(_ call: () throws(ImageError) -> Void) -> Bool {
        do throws(ImageError) {
            try call()
            return true
        } catch {
            return refuse(error)
        }
    }

    /// Reading a longer body of a redirect costs more than a new connection.
    private static let maxSkippedByteCount = 64 << 10
    private static let maxTrailerByteCount = 64 << 10

    // MARK: Errors

    private func refuse(_ error: ImageError) -> Bool {
        state = .refused(error)
        return false
    }

    private var tooLarge: ImageError {
        ImageError(.tooLarge, "more than \(limits.maxBodyByteCount) bytes from \(address.authority)")
    }

    private func error(_ code: CURLcode, hasHead: Bool) -> ImageError {
        if code == CURLE_OK { return ImageError(.protocol, "\(address.authority): no response") }
        if case .onlyForbidden = metAddresses { return ImageError(.forbiddenAddress, address.authority) }
        return CurlFailure.error(code, text: easy?.message(for: code) ?? "", address: address, hasHead: hasHead)
    }
}
