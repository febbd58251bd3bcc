// Foundation's `URLSession` in place of libcurl.

import Foundation
import FoundationNetworking
import RemoteImageCore

/// Loads with a `URLSession`, for programs that have a session with their own proxies, certificates
/// or accounts.
///
/// ```swift
/// let transport = DataLoaderTransport(URLSessionLoader(.ephemeral))
/// let configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
/// let pipeline = ImagePipeline(configuration)
/// ```
public final class URLSessionLoader: DataLoader {
    private let session: URLSession
    private let delegate = SessionDelegate()

    public init(_ configuration: URLSessionConfiguration) {
        // The pipeline caches responses as RFC 9111 requires. A second cache below it could return
        // stale responses.
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func load(_ request: TransferRequest, into response: DataResponse) async throws {
        guard let url = URL(string: request.address.string) else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url, timeoutInterval: request.limits.stallTimeout / .seconds(1))
        for field in request.headers { urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        let task = session.dataTask(with: urlRequest)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                delegate.add(response, continuation, for: task)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// Passes the events of the session on.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private typealias Load = (response: DataResponse, continuation: CheckedContinuation<Void, any Error>)

    // Unchecked: `loads` is accessed only under `lock`.
    private let lock = NSLock()
    private var loads: [Int: Load] = [:]

    func add(_ response: DataResponse, _ continuation: CheckedContinuation<Void, any Error>, for task: URLSessionTask) {
        lock.withLock { loads[task.taskIdentifier] = (response, continuation) }
    }

    private func response(of task: URLSessionTask) -> DataResponse? {
        lock.withLock { loads[task.taskIdentifier]?.response }
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let head = head as? HTTPURLResponse else { return completionHandler(.cancel) }
        var headers = HTTPFields()
        for case (let name as String, let value as String) in head.allHeaderFields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        response(of: dataTask)?.receiveHead(status: head.statusCode, headers: headers)
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        response(of: dataTask)?.receive(data)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let load = lock.withLock { loads.removeValue(forKey: task.taskIdentifier) }
        load?.continuation.resume(with: error.map { .failure($0) } ?? .success(()))
    }
}
