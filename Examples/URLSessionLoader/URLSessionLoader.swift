// A custom transport: Foundation's `URLSession` in place of libcurl.

import Foundation
import FoundationNetworking
import HTTPTypes
import RemoteImageCore

/// Runs transfers with a `URLSession`, for programs that have a session with their own proxies,
/// certificates or accounts.
///
/// ```swift
/// let transport = URLSessionTransport(configuration: .ephemeral)
/// let configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
/// let pipeline = ImagePipeline(configuration)
/// ```
///
/// It meets the requirements of `Transport`: it reports one head after redirects, the body in
/// order, and exactly one end; it calls no receiver method from within `start`; it enforces the
/// limits while bytes arrive; it follows no redirect from https to http; and it sends credentials
/// only to the origin of the request.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate = SessionDelegate()

    public init(configuration: URLSessionConfiguration) {
        // The pipeline caches responses as RFC 9111 requires. A second cache below it could return
        // stale responses.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let queue = OperationQueue()
        queue.name = "URLSessionTransport"
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        guard let url = URL(string: request.address.string) else {
            session.delegateQueue.addOperation {
                receiver.transferDidFinish(.failure(ImageError(.invalidURL, request.address.string)))
            }
            return NoTransfer()
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.timeoutInterval = request.limits.stallTimeout / .seconds(1)
        for field in request.headers {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        let task = session.dataTask(with: urlRequest)
        delegate.add(Exchange(request, receiver), for: task)
        task.resume()
        return SessionTransfer(task: task)
    }
}

private struct SessionTransfer: Transfer {
    let task: URLSessionDataTask

    func cancel() { task.cancel() }
}

private struct NoTransfer: Transfer {
    func cancel() {}
}

/// The state of one transfer, used on the session's queue.
private final class Exchange {
    let request: TransferRequest
    let receiver: any TransferReceiver
    var redirectCount = 0
    /// Whether any redirect has led to another origin.
    var hasLeftOrigin = false
    var byteCount = 0
    /// The reason why the delegate cancelled the transfer.
    var refusal: ImageError?

    init(_ request: TransferRequest, _ receiver: any TransferReceiver) {
        self.request = request
        self.receiver = receiver
    }

    /// Returns the request for the target of a redirect. After a redirect to another origin, only
    /// headers known to be harmless are kept, since credentials may be in a header of any name.
    func followed(_ redirected: URLRequest, to target: WebAddress) -> URLRequest {
        if !target.hasSameOrigin(as: request.address) { hasLeftOrigin = true }
        guard hasLeftOrigin, let url = redirected.url else { return redirected }
        var followed = URLRequest(url: url)
        followed.timeoutInterval = redirected.timeoutInterval
        for (name, value) in redirected.allHTTPHeaderFields ?? [:] where Self.harmless.contains(name.lowercased()) {
            followed.setValue(value, forHTTPHeaderField: name)
        }
        return followed
    }

    private static let harmless: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-match", "if-modified-since",
        "if-none-match",
        "if-range", "if-unmodified-since", "range", "user-agent",
    ]
}

/// Forwards the events of the session to the receivers.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Unchecked: `exchanges` is accessed only under `lock`, an exchange only on the session's
    // serial queue.
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        lock.withLock { exchanges[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        lock.withLock { exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return completionHandler(nil) }
        exchange.redirectCount += 1
        let target = newRequest.url.flatMap { try? WebAddress($0.absoluteString) }
        if exchange.redirectCount > exchange.request.limits.maxRedirects {
            exchange.refusal = ImageError(.tooManyRedirects)
        } else if target == nil {
            exchange.refusal = ImageError(.forbiddenScheme, newRequest.url?.absoluteString)
        } else if response.url?.scheme == "https", target?.scheme == .http {
            exchange.refusal = ImageError(.forbiddenScheme, "from https to http")
        }
        guard exchange.refusal == nil, let target else {
            task.cancel()
            return completionHandler(nil)
        }
        completionHandler(exchange.followed(newRequest, to: target))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else {
            return completionHandler(.cancel)
        }
        var headers = HTTPFields()
        for case (let name as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let isCoded = headers[.contentEncoding] != nil
        let expected = response.expectedContentLength > 0 && !isCoded ? Int(response.expectedContentLength) : nil
        if let expected, expected > exchange.request.limits.maxBodyByteCount {
            exchange.refusal = ImageError(.tooLarge, "\(expected) bytes")
            return completionHandler(.cancel)
        }
        let address = response.url.flatMap { try? WebAddress($0.absoluteString) } ?? exchange.request.address
        exchange.receiver.transferDidReceive(
            TransferHead(
                status: response.statusCode, headers: headers, address: address, expectedByteCount: expected))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let exchange = exchange(of: dataTask), exchange.refusal == nil else { return }
        exchange.byteCount += data.count
        guard exchange.byteCount <= exchange.request.limits.maxBodyByteCount else {
            exchange.refusal = ImageError(.tooLarge, "more than \(exchange.request.limits.maxBodyByteCount) bytes")
            return dataTask.cancel()
        }
        exchange.receiver.transferDidReceive(data.span.bytes)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
        guard let exchange = ended else { return }
        if let refusal = exchange.refusal {
            exchange.receiver.transferDidFinish(.failure(refusal))
        } else if let error {
            exchange.receiver.transferDidFinish(.failure(Self.imageError(error)))
        } else {
            exchange.receiver.transferDidFinish(.success(()))
        }
    }

    private static func imageError(_ error: any Error) -> ImageError {
        guard let error = error as? URLError else { return ImageError(.connection, "\(error)") }
        return switch error.code {
        case .cancelled: .cancelled
        case .timedOut: ImageError(.timeout, error.localizedDescription)
        case .networkConnectionLost: ImageError(.incomplete, error.localizedDescription)
        case .badServerResponse, .cannotParseResponse: ImageError(.protocol, error.localizedDescription)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot:
            ImageError(.tls, error.localizedDescription)
        default: ImageError(.connection, error.localizedDescription)
        }
    }
}
