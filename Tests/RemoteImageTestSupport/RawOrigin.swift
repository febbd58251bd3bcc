import Glibc
import RemoteImageCore

/// An HTTP/1.1 origin that sends exactly the given bytes, for tests of connections and protocol
/// violations.
///
/// It listens on a free port of 127.0.0.1. A request is answered by the script of its path or by
/// the test; a path without a script gets a 404 response. Tests can wait for requests and for
/// closed connections.
public final class RawOrigin: Sendable {
    struct State: Sendable {
        var scripts: [String: Script] = [:]
        var greeting: RawResponse?
        var requests: [RawRequest] = []
        var held: [RawExchange] = []
        var connections: [RawConnection] = []
        var connectionCount = 0
        var closedByClientCount = 0
    }

    enum Script: Sendable {
        case respond(@Sendable (RawRequest) -> RawResponse)
        case hold
    }

    private let listener: Int32
    private let watched: Watched<State>
    public let port: UInt16

    public init() throws {
        let socket = try LoopbackSocket.bound()
        guard listen(socket.descriptor, 512) == 0 else { throw SystemError("listen") }
        let watched = Watched(State())
        listener = socket.descriptor
        port = socket.port
        self.watched = watched
        let listener = socket.descriptor
        try startThread {
            while true {
                let accepted = accept(listener, nil, nil)
                if accepted < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    close(listener)
                    return
                }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                RawConnection.serve(accepted, watched)
            }
        }
    }

    deinit {
        // The accepting thread closes the listening socket.
        shutdown(listener, Int32(SHUT_RDWR))
        watched.value.connections.forEach { $0.close() }
    }

    /// The address of `path` on this origin; `userInfo` is `name:password`.
    public func address(_ path: String, userInfo: String? = nil) throws -> WebAddress {
        try WebAddress("http://\(userInfo.map { "\($0)@" } ?? "")127.0.0.1:\(port)\(path)")
    }

    // MARK: Scripts

    /// Answers every request for `path`, which includes the query, with `response`.
    public func respond(to path: String, with response: RawResponse) {
        respond(to: path) { _ in response }
    }

    public func respond(to path: String, with response: @escaping @Sendable (RawRequest) -> RawResponse) {
        watched.update { $0.scripts[path] = .respond(response) }
    }

    /// Sends `greeting` on every new connection, before any request.
    public func greet(with greeting: RawResponse) {
        watched.update { $0.greeting = greeting }
    }

    /// Leaves requests for `path` to the test, which receives them from ``exchange(for:)``.
    public func hold(_ path: String) {
        watched.update { $0.scripts[path] = .hold }
    }

    /// Waits for a held request and removes it from the held requests.
    public func exchange(for path: String) async throws -> RawExchange {
        try await watched.wait { $0.held.contains { $0.request.path == path } }
        return try watched.update { state in
            guard let index = state.held.firstIndex(where: { $0.request.path == path }) else {
                throw CancellationError()
            }
            return state.held.remove(at: index)
        }
    }

    // MARK: Events

    public var requests: [RawRequest] { watched.value.requests }

    /// The number of accepted connections, open or closed.
    public var connectionCount: Int { watched.value.connectionCount }

    /// Waits until at least `count` requests have arrived, and returns the `count`-th.
    @discardableResult
    public func received(count: Int) async throws -> RawRequest {
        try await watched.first { $0.requests.count >= count ? $0.requests[count - 1] : nil }
    }

    /// Waits until the client has closed at least `count` connections.
    public func connectionClosed(count: Int = 1) async throws {
        try await watched.wait { $0.closedByClientCount >= count }
    }
}
