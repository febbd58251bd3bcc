// Foundation's `URLSession` in place of libcurl.

import Foundation
import FoundationNetworking
import RemoteImageCore

/// Loads with a `URLSession`, for programs that have a session with their own proxies, certificates
/// or accounts.
///
/// ```swift
/// let transport = URLSessionLoader(.ephemeral)
/// let configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
/// let pipeline = ImagePipeline(configuration)
/// ```
public final class URLSessionLoader: Transport {
    public let leavesRedirects = true

    private let session: URLSession
    private let delegate = SessionDelegate()

    public init(_ configuration: URLSessionConfiguration) {
        // The pipeline caches responses as RFC 9111 requires. A second cache below it could return
        // stale responses.
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        guard let url = URL(string: request.address.string) else { throw ImageError(.invalidURL) }
        var urlRequest = URLRequest(url: url, timeoutInterval: request.limits.stallTimeout / .seconds(1))
        for field in request.headers { urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        let task = session.dataTask(with: urlRequest)
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                delegate.add(receiver, request.address, continuation, for: task)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        if let error { throw .connection(error) }
    }
}

/// Passes the events of the session on.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Load {
        let receiver: any TransferReceiver
        let address: WebAddress
        let continuation: CheckedContinuation<(any Error)?, Never>
    }

    // Unchecked: `loads` is accessed only under `lock`.
    private let lock = NSLock()
    private var loads: [Int: Load] = [:]

    func add(
        _ receiver: any TransferReceiver, _ address: WebAddress,
        _ continuation: CheckedContinuation<(any Error)?, Never>, for task: URLSessionTask
    ) {
        let load = Load(receiver: receiver, address: address, continuation: continuation)
        lock.withLock { loads[task.taskIdentifier] = load }
    }

    private func load(of task: URLSessionTask) -> Load? {
        lock.withLock { loads[task.taskIdentifier] }
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
        guard let head = head as? HTTPURLResponse, let load = load(of: dataTask) else {
            return completionHandler(.cancel)
        }
        var headers = HTTPFields()
        for case (let name as String, let value as String) in head.allHeaderFields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        do {
            try load.receiver.receive(
                TransferHead(status: head.statusCode, headers: headers, address: load.address))
            completionHandler(.allow)
        } catch {
            completionHandler(.cancel)
        }
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do { try load(of: dataTask)?.receiver.receive(data) } catch { dataTask.cancel() }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let load = lock.withLock { loads.removeValue(forKey: task.taskIdentifier) }
        load?.continuation.resume(returning: error)
    }
}
