// A multi handle of libcurl: all transfers of one thread, and their connections.

import CRemoteImageCurl

/// Owns a `CURLM`. Used on the curl thread only, except for `wake`, which libcurl allows on any
/// thread.
final class CurlMulti {
    /// Whether libcurl could be initialised, which happens once, before any handle is created.
    ///
    /// Other code of the program may use libcurl too, since `curl_global_init` counts its calls.
    /// libcurl is never cleaned up, because transfers may run until the process exits.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let handle: UnsafeMutableRawPointer

    /// Returns `nil` if the process is out of memory or of file descriptors.
    init?(_ configuration: CurlTransport.Configuration) {
        guard Self.isInitialised, let handle = curl_multi_init() else { return nil }
        ccurl_multi_set_pipelining(handle, Int(CURLPIPE_MULTIPLEX))
        // Without its pair of file descriptors a multi handle cannot be woken up; this call checks
        // that it has them.
        guard curl_multi_wakeup(handle) == CURLM_OK else {
            curl_multi_cleanup(handle)
            return nil
        }
        self.handle = handle
        setLimits(configuration)
    }

    /// Sets the maximum numbers of connections, also while transfers run.
    func setLimits(_ configuration: CurlTransport.Configuration) {
        ccurl_multi_set_max_host_connections(handle, max(1, configuration.maxConnectionsPerHost))
        ccurl_multi_set_max_total_connections(handle, max(1, configuration.maxConnections))
        // By default libcurl keeps four times as many connections as there are transfers, which is
        // too few when a burst ends.
        ccurl_multi_set_max_kept_connections(handle, max(1, configuration.maxConnections))
    }

    deinit { curl_multi_cleanup(handle) }

    /// Ends the current `poll`, or the next one.
    func wake() { curl_multi_wakeup(handle) }

    func add(_ easy: CurlEasy) -> CURLMcode { curl_multi_add_handle(handle, easy.handle) }

    /// Aborts the handle's transfer, and closes its connection unless that is idle.
    func remove(_ easy: CurlEasy) { curl_multi_remove_handle(handle, easy.handle) }

    /// Performs all work that needs no waiting, and calls the callbacks of the easy handles.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return curl_multi_perform(handle, &running)
    }

    /// Waits for a connection, a timer of libcurl, the end of `duration`, or `wake()`. `nil` sets
    /// no time limit.
    func poll(for duration: Duration?) -> CURLMcode {
        curl_multi_poll(handle, nil, 0, duration.map { Int32(clamping: $0.milliseconds) } ?? .max, nil)
    }

    /// The next handle whose transfer has ended, and its result code.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        guard ccurl_multi_next_ended(handle, &easy, &code), let easy else { return nil }
        return (easy, code)
    }
}
