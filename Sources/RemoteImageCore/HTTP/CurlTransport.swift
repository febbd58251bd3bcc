// The default transport: libcurl on a thread of its own.

/// Carries out transfers with libcurl.
///
/// All transfers of one transport share one thread, one pool of connections and one cache of names,
/// so an application has one transport as a rule. The thread starts with the first transfer and
/// sleeps while there is nothing to do.
///
/// A transfer begins at once, up to the limits of connections: which one is next is decided before.
/// Receivers are called on the transport's thread and hold up every other transfer while they run.
///
/// When the last reference to a transport goes, its transfers under way end as
/// ``ImageError/Code/cancelled``, its connections are closed and its thread ends.
public final class CurlTransport: Transport {
    /// For every pipeline of the process that brings no other.
    public static let shared = CurlTransport()

    private let thread: CurlThread
    /// The proxy of the configuration, whatever ``setProxy(_:)`` was told later.
    package let configuredProxy: Proxy

    /// Creates a transport with connections and a thread of its own.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, .system)
    }

    init(_ configuration: Configuration, _ starter: ThreadStarter) {
        configuredProxy = configuration.proxy
        thread = CurlThread(configuration, starter)
    }

    deinit {
        thread.stop()
    }

    public func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let transfer = CurlTransfer(request, receiver: receiver, thread: thread)
        thread.start(transfer)
        return transfer
    }

    /// Goes through another proxy from now on, as when the settings of the desktop changed. Transfers
    /// under way keep theirs, until a redirect. ``Proxy/pending`` lets new transfers wait.
    public func setProxy(_ proxy: Proxy) {
        thread.setProxy(proxy)
    }
}
