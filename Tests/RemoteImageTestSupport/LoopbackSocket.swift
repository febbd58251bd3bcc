// Sockets and threads for test servers.

import Glibc

/// A failed system call.
public struct SystemError: Error, CustomStringConvertible {
    public let description: String

    init(_ call: String, _ code: Int32 = errno) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}

struct LoopbackSocket {
    let descriptor: Int32
    let port: UInt16

    /// A TCP socket bound to a free port of 127.0.0.1.
    static func bound(closeOnExec: Bool = true) throws -> LoopbackSocket {
        let type = Int32(SOCK_STREAM.rawValue) | (closeOnExec ? Int32(SOCK_CLOEXEC.rawValue) : 0)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else {
            let error = SystemError("bind")
            close(descriptor)
            throw error
        }
        return LoopbackSocket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
    }
}

/// A port of 127.0.0.1 that refuses connections: it is bound, but no process listens on it.
public final class RefusingPort: Sendable {
    private let descriptor: Int32
    public let port: UInt16

    public init() throws {
        let socket = try LoopbackSocket.bound()
        descriptor = socket.descriptor
        port = socket.port
    }

    deinit { close(descriptor) }
}

/// Runs `body` on its own thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let box = Unmanaged.passRetained(Box(body))
    var id = pthread_t()
    let code = pthread_create(
        &id, &attributes,
        { context in
            if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }, box.toOpaque())
    if code != 0 {
        box.release()
        throw SystemError("pthread_create", code)
    }
}
