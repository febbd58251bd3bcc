// Transports over the HTTP client of a program.

import HTTPTypes

/// Sends requests with the HTTP client of a program. ``DataLoaderTransport`` makes a transport of
/// it.
///
/// ```swift
/// struct ClientLoader: DataLoader {
///     func load(_ request: TransferRequest, into response: DataResponse) async throws {
///         // Send a GET for request.address.string with request.headers.
///         response.receiveHead(status: 200, headers: [.contentType: "image/png"])
///         // Pass each piece of the body.
///         response.receive([0x89, 0x50])
///     }
/// }
///
/// let transport = DataLoaderTransport(ClientLoader())
/// let configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
/// let pipeline = ImagePipeline(configuration)
/// ```
public protocol DataLoader: Sendable {
    /// Sends one GET, passes the response to `response`, and returns when its body is complete.
    ///
    /// The loader decodes the content coding of the body and passes any status, also those of
    /// redirects, which it does not follow: ``DataLoaderTransport`` sends the next request. It
    /// caches nothing.
    ///
    /// When the transfer is cancelled or exceeds a limit, the task of this call is cancelled, and
    /// the rest of the response is ignored. The transfer ends when the call has returned, so the
    /// loader must return soon.
    ///
    /// An ``ImageError`` that the loader throws is reported as it is. Other errors are reported as
    /// ``ImageError/Code/connection`` before the head, and as ``ImageError/Code/incomplete`` after
    /// it.
    func load(_ request: TransferRequest, into response: DataResponse) async throws
}

/// A transport that sends its requests with a ``DataLoader``.
///
/// It follows redirects as ``CurlTransport`` does: never from https to http, with credentials only
/// to the origin of the request, and with the cookies that the redirects set. Of the limits of a
/// request it enforces ``TransferLimits/timeout``, ``TransferLimits/maxBodyByteCount`` and
/// ``TransferLimits/maxRedirects``; the loader may apply the others. A body that is shorter than
/// its `Content-Length` fails with ``ImageError/Code/incomplete``.
public struct DataLoaderTransport: Transport {
    private let loader: any DataLoader
    private let clock: any PipelineClock

    /// Creates a transport over a loader.
    public init(_ loader: some DataLoader) {
        self.init(loader, clock: SystemClock())
    }

    init(_ loader: some DataLoader, clock: any PipelineClock) {
        self.loader = loader
        self.clock = clock
    }

    public func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let response = DataResponse(request, receiver)
        clock.schedule(after: request.limits.timeout) { [weak response] in response?.expire() }
        response.begin(loader)
        return LoaderTransfer(response: response)
    }
}

private struct LoaderTransfer: Transfer {
    let response: DataResponse

    func cancel() { response.refuse(.cancelled) }
}
