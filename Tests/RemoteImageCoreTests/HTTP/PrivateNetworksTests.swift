import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite("Private networks", .timeLimit(.minutes(5)))
struct PrivateNetworksTests {
    private func isPrivate(_ text: String) throws -> Bool {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 { return PrivateNetworks.contain(ipv4: UInt32(bigEndian: ipv4.s_addr)) }
        var ipv6 = in6_addr()
        try #require(inet_pton(AF_INET6, text, &ipv6) == 1)
        return withUnsafeBytes(of: &ipv6) { PrivateNetworks.contain(ipv6: $0) }
    }

    @Test(
        "Private and reserved addresses are recognised",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.168.0.1",
            "198.18.0.1", "198.19.255.255", "224.0.0.1", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::192.168.0.1",
            "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:1::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1",
            "ff02::1", "2001:db8::1", "2001::1", "4000::1",
        ])
    func closed(text: String) throws {
        #expect(try isPrivate(text))
    }

    @Test(
        "Public addresses are not taken for private addresses",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255",
            "128.0.0.1", "169.253.0.1", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.255.255", "193.0.0.1",
            "198.17.255.255", "198.20.0.1", "223.255.255.255",
            "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1", "2a00::1",
        ])
    func open(text: String) throws {
        #expect(try !isPrivate(text))
    }

    // MARK: The transport

    private let blocking = CurlTransport(.direct { $0.blocksPrivateNetworks = true })

    @Test("A blocking transport connects to no private address, however it is spelled")
    func blocked() async throws {
        let origin = try RawOrigin()
        for host in ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "localhost", "0.0.0.0"] {
            let record = try await blocking.load(try WebAddress("http://\(host):\(origin.port)/a"))
            #expect(record.errorCode == .forbiddenAddress, "\(host)")
        }
        #expect(origin.connectionCount == 0)
    }

    @Test("A redirect cannot lead a blocking transport into a private network", arguments: [1, 3])
    func redirect(hopCount: Int) async throws {
        let (open, closed) = (try RawOrigin(), try RawOrigin())
        let transport = CurlTransport(
            .direct {
                $0.blocksPrivateNetworks = true
                $0.portsTakenForPublic = [open.port]
            })
        for hop in 1..<hopCount { open.respond(to: "/\(hop)", with: .redirect(to: "/\(hop + 1)")) }
        open.respond(to: "/\(hopCount)", with: .redirect(to: "http://localhost:\(closed.port)/secret"))
        let record = try await transport.load(try open.address("/1"))
        #expect(record.errorCode == .forbiddenAddress)
        #expect(record.heads.isEmpty)
        #expect(open.requests.count == hopCount)
        #expect(closed.connectionCount == 0)
        // The public origin stays reachable.
        open.respond(to: "/end", with: .ok("end"))
        #expect(try await transport.load(try open.address("/end")).text == "end")
    }

    @Test("A blocking transport uses no proxy")
    func proxy() async throws {
        let origin = try RawOrigin()
        let transport = CurlTransport(
            .direct {
                $0.blocksPrivateNetworks = true
                $0.proxy = .address("http://127.0.0.1:\(origin.port)")
            })
        let record = try await transport.load(try WebAddress("http://images.example/a"))
        #expect(record.errorCode == .forbiddenAddress)
        #expect(origin.connectionCount == 0)
    }
}
