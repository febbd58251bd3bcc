// The default transport: libcurl on its own thread.

/// A transport that performs transfers with libcurl.
///
/// All transfers of a transport share one thread, one connection pool and one name cache, so a
/// program usually has one transport. The thread starts with the first transfer and sleeps while it
/// has no work.
///
/// Cookies that a redirect sets are sent back to its origin by the rest of the same transfer,
/// unless the request has a `Cookie` header. They are never stored or shared.
///
/// A transfer starts at once, within the connection limits; the pipeline decides the order.
/// Receivers are called on the transport's thread, and block all other transfers and the loads of
/// pipelines while they run.
///
/// When the last reference to a transport is released, its connections are closed and its thread
/// ends.
public final class CurlTransport: Transport {
    /// The default transport of all pipelines in the process.
    public static let shared = CurlTransport(Configuration(), .system, followsPipelines: true)

    let thread: CurlThread
    /// Whether pipelines that allow more transfers raise the connection limits.
    private let followsPipelines: Bool
    /// The proxy of the configuration, regardless of later calls of ``setProxy(_:)``.
    package let configuredProxy: Proxy

    /// Creates a transport with its own connections and thread.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, .system)
    }

    init(_ configuration: Configuration, _ starter: ThreadStarter, followsPipelines: Bool = false) {
        configuredProxy = configuration.proxy
        self.followsPipelines = followsPipelines
        thread = CurlThread(configuration, starter)
    }

    deinit {
        thread.stop()
    }

    public func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        let transfer = CurlTransfer(request, receiver, thread)
        let result = await withTaskCancellationHandler {
            thread.start(transfer)
            return await transfer.end.result
        } onCancel: {
            thread.cancel(transfer)
        }
        try result.get()
    }

    /// Changes the proxy for new transfers, for example after a change of the desktop's settings.
    /// Running transfers keep their proxy until a redirect. With ``Proxy/pending``, new transfers
    /// wait.
    public func setProxy(_ proxy: Proxy) {
        thread.setProxy(proxy)
    }

    /// Called by a pipeline that allows so many transfers, each of which needs a connection with
    /// HTTP/1.1. The limits are never lowered, since other pipelines may share the transport.
    func allow(transferCount: Int, perHost: Int) {
        if followsPipelines { thread.raiseLimits(connections: transferCount, perHost: perHost) }
    }
}
