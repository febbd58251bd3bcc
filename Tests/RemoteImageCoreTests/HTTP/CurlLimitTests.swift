import Glibc
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Both sides of each limit of the curl transport: bodies, trailers, connections and proxies.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct CurlLimitTests {
    private let origin: RawOrigin
    private let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
        origin.respond(to: "/end", with: .ok("end"))
    }

    // MARK: Bodies

    private static func chunked(_ byteCount: Int, head: String, trailer: String = "") -> RawResponse {
        let body = [UInt8](repeating: 0x41, count: byteCount)
        let size = String(byteCount, radix: 16)
        return RawResponse(
            Array("HTTP/1.1 \(head)\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8) + body
                + Array("\r\n0\r\n\(trailer)\r\n".utf8))
    }

    @Test(arguments: [(65_536, 1), (65_537, 2)], [false, true])
    func `the body of a redirect is skipped up to 64 KiB, so that its connection is used again`(
        size: (byteCount: Int, connectionCount: Int), isChunked: Bool
    ) async throws {
        let body = [UInt8](repeating: 0x41, count: size.byteCount)
        origin.respond(
            to: "/a",
            with: isChunked
                ? Self.chunked(size.byteCount, head: "302 Found\r\nLocation: /end")
                : .status(302, headers: [("Location", "/end")], body: body))
        #expect(try await transport.load(try origin.address("/a")).text == "end")
        #expect(origin.connectionCount == size.connectionCount)
    }

    @Test(arguments: [(4, nil), (5, nil), (6, .tooLarge)] as [(Int, ImageError.Code?)], [false, true])
    func `a body may have as many bytes as the limit`(
        size: (byteCount: Int, error: ImageError.Code?), isChunked: Bool
    ) async throws {
        let body = [UInt8](repeating: 0x41, count: size.byteCount)
        let record = try await transport.load(
            "/a", of: origin, answering: isChunked ? Self.chunked(size.byteCount, head: "200 OK") : .ok(body),
            limits: .limits { $0.maxBodyByteCount = 5 })
        #expect(record.errorCode == size.error)
        #expect(record.body == (size.error == nil ? body : []))
        #expect(record.head?.expectedByteCount == (isChunked ? nil : size.byteCount))
    }

    private static func trailer(_ byteCount: Int) -> String {
        let line = "X-Own: " + String(repeating: "a", count: 1024 - 9)
        let full = String(repeating: "\(line)\r\n", count: byteCount / 1024 - 1)
        return full + line + String(repeating: "a", count: byteCount % 1024) + "\r\n"
    }

    @Test(arguments: [(65_536, true), (65_537, false)])
    func `trailers may have 64 KiB`(byteCount: Int, isSuccess: Bool) async throws {
        let trailer = Self.trailer(byteCount)
        #expect(trailer.utf8.count == byteCount)
        let record = try await transport.load(
            "/a", of: origin, answering: Self.chunked(5, head: "200 OK", trailer: trailer))
        #expect(record.isSuccess == isSuccess)
        #expect(
            record.error == (isSuccess ? nil : ImageError(.protocol, "127.0.0.1:\(origin.port): too many trailers")))
        #expect(record.text == "AAAAA")
    }

    @Test func `the trailers of a redirect do not count for its target`() async throws {
        let trailer = Self.trailer(40 << 10)
        origin.respond(
            to: "/a", with: Self.chunked(5, head: "302 Found\r\nLocation: /b", trailer: trailer))
        origin.respond(to: "/b", with: Self.chunked(3, head: "200 OK", trailer: trailer))
        let record = try await transport.load(try origin.address("/a"))
        #expect(record.isSuccess && record.text == "AAA")
        #expect(origin.connectionCount == 1)
    }

    // MARK: Connections

    /// Starts transfers that the origin does not answer.
    private func start(
        _ numbers: Range<Int>, host: String = "127.0.0.1", _ transport: CurlTransport
    ) throws -> [Task<Void, Never>] {
        try numbers.map { number in
            origin.respond(to: "/\(number)", with: .silence)
            let address = try WebAddress("http://\(host):\(origin.port)/\(number)")
            return transport.start(
                TransferRequest(address, limits: TransferLimits(stallTimeout: .seconds(600))),
                receiver: RecordingReceiver())
        }
    }

    /// Whether a transfer gets no connection, for as long as some transfers of another transport
    /// need.
    private func waits(_ transport: CurlTransport, host: String = "127.0.0.1") async throws -> Bool {
        let counts = [origin.connectionCount, origin.requests.count]
        let receiver = RecordingReceiver()
        let address = try WebAddress("http://\(host):\(origin.port)/end")
        let transfer = transport.start(TransferRequest(address), receiver: receiver)
        let (other, unlimited) = (try RawOrigin(), CurlTransport(.direct))
        other.respond(to: "/end", with: .ok("end"))
        for _ in 0..<20 { _ = try await unlimited.load(try other.address("/end")) }
        let isWaiting = [origin.connectionCount, origin.requests.count] == counts
        transfer.cancel()
        return try await receiver.ended().errorCode == .cancelled && isWaiting
    }

    @Test func `a transfer waits while its host has its number of connections`() async throws {
        let transport = CurlTransport(.direct { $0.maxConnectionsPerHost = 2 })
        let transfers = try start(0..<2, transport)
        try await origin.received(count: 2)
        #expect(try await waits(transport))
        #expect(origin.connectionCount == 2)
        let other = try WebAddress("http://localhost:\(origin.port)/end")
        #expect(try await transport.load(other).text == "end")
        transfers.forEach { $0.cancel() }
        #expect(try await transport.load(try origin.address("/end")).text == "end")
    }

    @Test func `a transfer waits while all hosts together have their number of connections`() async throws {
        let transport = CurlTransport(.direct { $0.maxConnections = 2 })
        let transfers = try start(0..<2, transport)
        try await origin.received(count: 2)
        #expect(try await waits(transport, host: "localhost"))
        #expect(origin.connectionCount == 2)
        transfers.forEach { $0.cancel() }
        #expect(try await transport.load(try origin.address("/end")).text == "end")
    }

    private static func transport(perHost: Int, all: Int) -> CurlTransport {
        CurlTransport(
            .direct {
                $0.maxConnectionsPerHost = perHost
                $0.maxConnections = all
            })
    }

    @Test(arguments: [(1, 16), (6, 1)])
    func `the timeout of a transfer runs while it waits for a connection`(perHost: Int, all: Int) async throws {
        let transport = Self.transport(perHost: perHost, all: all)
        let transfers = try start(0..<1, transport)
        try await origin.received(count: 1)
        #expect(try await isTimedOut("/end", transport))
        // The other transfer goes on, and its connection is used for the next one.
        #expect(origin.requests.count == 1)
        transfers.forEach { $0.cancel() }
        #expect(try await transport.load(try origin.address("/end")).text == "end")
    }

    @Test func `the timeout of a transfer runs while it waits for a connection after a redirect`() async throws {
        let transport = Self.transport(perHost: 1, all: 16)
        origin.respond(
            to: "/redirect",
            with: .status(302, headers: [("Location", "http://localhost:\(origin.port)/end")], body: []))
        let transfers = try start(0..<1, host: "localhost", transport)
        try await origin.received(count: 1)
        #expect(try await isTimedOut("/redirect", transport))
        #expect(origin.requests.count == 2)
        transfers.forEach { $0.cancel() }
    }

    /// Whether a transfer that has a second ends since it still waits then.
    private func isTimedOut(_ path: String, _ transport: CurlTransport) async throws -> Bool {
        var request = TransferRequest(try origin.address(path))
        request.limits.timeout = .seconds(1)
        let receiver = RecordingReceiver()
        let transfer = transport.start(request, receiver: receiver)
        let error = try #require(try await receiver.ended().error)
        transfer.cancel()
        // Since version 8.14 at the latest, libcurl ends it itself.
        let isOfCurl = error.detail?.contains("timed out") == true
        #expect(isOfCurl || error.detail == "no connection became free", "\(error)")
        return error.code == .timeout
    }

    @Test func `without a thread a transfer fails, and the next one starts the thread`() async throws {
        let starts = Watched(0)
        let starter = ThreadStarter { stackSize, body in
            let isFirst = starts.update { count in
                count += 1
                return count == 1
            }
            return isFirst ? EAGAIN : ThreadStarter.system.start(stackSize, body)
        }
        let transport = CurlTransport(.direct { $0.proxy = .pending }, starter)
        let record = try await transport.load(try origin.address("/end"))
        #expect(record.error == ImageError(.connection, "no thread for the network could be started"))
        // A change without a thread applies to the next transfer.
        transport.setProxy(.direct)
        for _ in 0..<2 { #expect(try await transport.load(try origin.address("/end")).text == "end") }
        #expect(starts.value == 2 && origin.connectionCount == 1)
    }

    @Test(arguments: [(0, 16), (6, 0), (-1, -1)])
    func `a limit on connections is at least one`(perHost: Int, all: Int) async throws {
        let transport = Self.transport(perHost: perHost, all: all)
        let transfers = try start(0..<1, transport)
        try await origin.received(count: 1)
        #expect(try await waits(transport))
        #expect(origin.connectionCount == 1)
        transfers.forEach { $0.cancel() }
        #expect(try await transport.load(try origin.address("/end")).text == "end")
    }

    @Test func `the limits of all hosts and of one host are raised separately`() async throws {
        let transport = CurlTransport(.direct, .system, followsPipelines: true)
        #expect(try await transport.load(try origin.address("/end")).text == "end")
        transport.allow(transferCount: 20, perHost: 7)
        var transfers = try start(0..<7, transport)
        try await origin.received(count: 8)
        #expect(try await waits(transport))
        for (host, numbers) in [("localhost", 7..<14), ("a.localhost", 14..<20)] {
            transfers += try start(numbers, host: host, transport)
        }
        try await origin.received(count: 21)
        transfers.forEach { $0.cancel() }
    }

    @Test func `a transport of the program keeps its limits`() async throws {
        let transport = CurlTransport(.direct { $0.maxConnectionsPerHost = 1 }, .system)
        transport.allow(transferCount: 20, perHost: 7)
        let transfers = try start(0..<1, transport)
        try await origin.received(count: 1)
        #expect(try await waits(transport))
        transfers.forEach { $0.cancel() }
    }

    // MARK: Proxies

    @Test func `a proxy that is set before the first transfer applies to it`() async throws {
        let transport = CurlTransport(.direct { $0.proxy = .pending })
        transport.setProxy(.direct)
        #expect(try await transport.load(try origin.address("/end")).text == "end")
        #expect(transport.configuredProxy == .pending)
    }

    @Test func `all transfers that wait for the proxy begin, and a later pending proxy holds new ones`() async throws {
        let transport = CurlTransport(.direct { $0.proxy = .pending })
        let receivers = (0..<3).map { _ in RecordingReceiver() }
        for receiver in receivers { transport.start(TransferRequest(try origin.address("/end")), receiver: receiver) }
        let leaving = RecordingReceiver()
        transport.start(TransferRequest(try origin.address("/end")), receiver: leaving).cancel()
        #expect(try await leaving.ended().errorCode == .cancelled)
        #expect(origin.connectionCount == 0)
        transport.setProxy(.direct)
        for receiver in receivers {
            let record = try await receiver.ended()
            #expect(record.isSuccess && record.text == "end")
        }
        transport.setProxy(.pending)
        let record = try await transport.load(
            try origin.address("/end"), limits: .limits { $0.timeout = .milliseconds(20) })
        #expect(record.error == ImageError(.timeout, "the proxy is not known yet"))
        #expect(origin.requests.count == 3)
    }

    @Test(arguments: [
        ("localhost", false), ("a.localhost", false), ("127.0.0.1", false), ("127.0.0.9", false), ("[::1]", false),
        ("localhost.example", true), ("notlocalhost", true), ("127.0.0.1.example", true), ("127.example", true),
        ("images.example", true), ("192.0.2.1", true),
    ])
    func `the desktop's proxy serves each host of another machine`(host: String, isUsed: Bool) async throws {
        let proxy = try RawOrigin()
        let address = try WebAddress("http://\(host):\(origin.port)/end")
        proxy.respond(to: address.string, with: .ok("from the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .desktop("http://127.0.0.1:\(proxy.port)") })
        let record = try await transport.load(address)
        #expect((record.text == "from the proxy") == isUsed)
        #expect(proxy.requests.count == (isUsed ? 1 : 0))
    }
}
