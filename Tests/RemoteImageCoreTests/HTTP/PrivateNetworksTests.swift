import CRemoteImageCurl
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
            // The ends of the networks.
            "0.255.255.255", "100.64.0.0", "169.254.0.0", "169.254.255.255", "172.16.0.0", "192.0.0.0", "192.0.0.255",
            "192.0.2.0", "192.0.2.255", "192.168.255.255", "198.18.0.0", "198.51.100.0", "198.51.100.255",
            "203.0.113.0", "203.0.113.255", "239.255.255.255", "::ffff", "::ffff:172.31.0.1", "64:ff9b::a00:1",
            "64:ff9b:1:ffff::8.8.8.8", "64:ff9b:2::8.8.8.8", "64:ff9b::1:0:808:808", "2002:a9fe:a9fe::",
            "2002:ac1f:ffff::8.8.8.8", "2001:0:808:808::1", "2001:db8:ffff::", "1fff:ffff::1", "::ffff:0:8.8.8.8",
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
            "1.0.0.0", "169.255.0.0", "192.0.1.255", "192.0.3.0", "192.169.0.0", "198.51.99.255", "198.51.101.0",
            "203.0.112.255", "203.0.114.0", "::8.8.8.8", "2001:1::1", "2001:db7:ffff::1", "2001:db9::1", "2000::1",
            "3fff:ffff::1", "2002:808:808:7f00::", "2003:7f00:1::", "64:ff9b::808:808", "::ffff:8.8.8.8",
            "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1", "2a00::1",
        ])
    func open(text: String) throws {
        #expect(try !isPrivate(text))
    }

    @Test("A socket address that is too short or of another family is not connected to")
    func socketAddresses() {
        var ipv4 = sockaddr_in()
        ipv4.sin_family = sa_family_t(AF_INET)
        ipv4.sin_addr.s_addr = UInt32(0x0808_0808).bigEndian
        var ipv6 = sockaddr_in6()
        ipv6.sin6_family = sa_family_t(AF_INET6)
        withUnsafeMutableBytes(of: &ipv6.sin6_addr) { $0[0] = 0x2A }
        func contains(_ bytes: UnsafeRawBufferPointer, _ length: Int) -> Bool {
            bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                addresses.baseAddress.map { PrivateNetworks.contain($0, length: length) } ?? true
            }
        }
        withUnsafeBytes(of: &ipv4) { bytes in
            #expect(!contains(bytes, bytes.count) && contains(bytes, bytes.count - 1))
        }
        withUnsafeBytes(of: &ipv6) { bytes in
            #expect(!contains(bytes, bytes.count) && contains(bytes, bytes.count - 1))
            #expect(contains(bytes, MemoryLayout<sockaddr_in>.size))
        }
        ipv4.sin_family = sa_family_t(AF_UNIX)
        withUnsafeBytes(of: &ipv4) { bytes in #expect(contains(bytes, bytes.count)) }
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

    private func mayConnect(_ transfer: CurlTransfer, to text: String) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, text, &address.sin_addr)
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                addresses.baseAddress.map { transfer.mayConnect(to: $0, length: bytes.count) } ?? false
            }
        }
    }

    /// A transfer over the public address of a name that also has a private one was reported as
    /// forbidden when it broke.
    @Test(
        arguments: [
            ([], .connection), (["8.8.8.8"], .connection), (["10.0.0.1"], .forbiddenAddress),
            (["10.0.0.1", "127.0.0.1"], .forbiddenAddress), (["10.0.0.1", "8.8.8.8"], .connection),
            (["8.8.8.8", "10.0.0.1"], .connection),
        ] as [([String], ImageError.Code)])
    func `a failed transfer is forbidden only if all addresses of its name are private`(
        addresses: [String], code: ImageError.Code
    ) throws {
        let configuration = CurlTransport.Configuration.direct { $0.blocksPrivateNetworks = true }
        let thread = CurlThread(configuration, .system)
        let transfer = CurlTransfer(TransferRequest(try WebAddress("http://test/a")), RecordingReceiver(), thread)
        transfer.prepareHop(try #require(CurlEasy(configuration)), configuration)
        for address in addresses { #expect(mayConnect(transfer, to: address) == (address == "8.8.8.8")) }
        guard case .finished(.failure(let error)) = transfer.hopEnded(CURLE_GOT_NOTHING) else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == code)
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
