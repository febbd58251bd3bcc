import Glibc
import RemoteImageCore

/// A connection of a ``RawOrigin``. It reads requests on its own thread, so it detects immediately
/// when the client disconnects.
final class RawConnection: Sendable {
    private enum Socket {
        case open(Int32)
        case closedByOrigin(Int32)
        case gone
    }

    private let socket: Lock<Socket>

    private init(_ descriptor: Int32) {
        socket = Lock(.open(descriptor))
    }

    static func serve(_ descriptor: Int32, _ watched: Watched<RawOrigin.State>) {
        let connection = RawConnection(descriptor)
        watched.update { state in
            state.connections.append(connection)
            state.connectionCount += 1
        }
        do {
            try startThread { connection.run(descriptor, watched) }
        } catch {
            connection.reset()
        }
    }

    /// Sends `bytes`. Returns `false` if the connection is closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        socket.withLock { socket in
            guard case .open(let descriptor) = socket else { return false }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Closes the connection gracefully: the client receives everything that was sent.
    func close() {
        end { shutdown($0, Int32(SHUT_RDWR)) }
    }

    /// Resets the connection (TCP RST), as a crashed server may.
    func reset() {
        end { descriptor in
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            return shutdown(descriptor, Int32(SHUT_RD))
        }
    }

    /// Wakes the reading thread. Only that thread closes the descriptor.
    private func end(_ wake: (Int32) -> Int32) {
        socket.withLock { socket in
            guard case .open(let descriptor) = socket else { return }
            socket = .closedByOrigin(descriptor)
            _ = wake(descriptor)
        }
    }

    private func run(_ descriptor: Int32, _ watched: Watched<RawOrigin.State>) {
        if let greeting = watched.value.greeting { send(greeting, descriptor) }
        var unread: [UInt8] = []
        while let head = Self.nextHead(descriptor, &unread) {
            let request = RawRequest(head: head)
            let script = watched.update { state in
                state.requests.append(request)
                let script = state.scripts[request.path]
                if case .hold = script {
                    state.held.append(RawExchange(request: request, connection: self))
                }
                return script
            }
            switch script {
            case .hold: break
            case .respond(let response): send(response(request), descriptor)
            case nil: send(.status(404), descriptor)
            }
        }
        let isClosedByClient = socket.withLock { socket in
            defer { socket = .gone }
            Glibc.close(descriptor)
            if case .open = socket { return true }
            return false
        }
        watched.update { state in
            state.connections.removeAll { $0 === self }
            if isClosedByClient { state.closedByClientCount += 1 }
        }
    }

    private func send(_ response: RawResponse, _ descriptor: Int32) {
        send(response.bytes)
        switch response.ending {
        case .keepAlive: break
        case .close: close()
        case .reset: reset()
        case .endless(let bytes): while send(bytes) {}
        case .drip(let bytes, let milliseconds):
            for byte in bytes {
                // Waits for the interval. A client that disconnects makes the socket readable.
                var client = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&client, 1, milliseconds) == 0, send([byte]) else { return }
            }
        }
    }

    /// The bytes up to and including the next empty line; `nil` if the client has disconnected.
    private static func nextHead(_ descriptor: Int32, _ unread: inout [UInt8]) -> String? {
        let end = Array("\r\n\r\n".utf8)
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            if let start = unread.indices.first(where: { unread[$0...].starts(with: end) }) {
                let head = String(decoding: unread[..<(start + end.count)], as: UTF8.self)
                unread.removeFirst(start + end.count)
                return head
            }
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            unread += buffer[..<count]
        }
    }
}

/// A request that the test answers itself.
public final class RawExchange: Sendable {
    public let request: RawRequest
    private let connection: RawConnection

    init(request: RawRequest, connection: RawConnection) {
        self.request = request
        self.connection = connection
    }

    public func send(_ bytes: [UInt8]) { connection.send(bytes) }
    public func send(_ text: String) { connection.send(Array(text.utf8)) }
    public func send(_ response: RawResponse) { connection.send(response.bytes) }

    /// Closes the connection gracefully.
    public func close() { connection.close() }

    /// Resets the connection (TCP RST).
    public func reset() { connection.reset() }
}
