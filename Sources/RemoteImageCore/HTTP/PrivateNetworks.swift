// Addresses outside the public network, and the refusal to connect to them.

import Glibc

extension CurlTransport.Configuration {
    /// Whether a connection to `address` is refused, because the address is private and
    /// ``blocksPrivateNetworks`` is set.
    func forbids(_ address: UnsafePointer<sockaddr>, length: Int) -> Bool {
        blocksPrivateNetworks && PrivateNetworks.contain(address, length: length)
            && !portsTakenForPublic.contains(PrivateNetworks.port(of: address))
    }
}

/// The special-purpose ranges of RFC 6890 and its successors that lead to the local machine, to its
/// local network, or nowhere.
enum PrivateNetworks {
    /// Whether `address` is outside the public network. Address families other than IPv4 and IPv6
    /// count as private.
    static func contain(_ address: UnsafePointer<sockaddr>, length: Int) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                contain(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                var address = $0.pointee.sin6_addr
                return withUnsafeBytes(of: &address) { contain(ipv6: $0) }
            }
        default: true
        }
    }

    /// The port of an IPv4 address; 0 for other families.
    fileprivate static func port(of address: UnsafePointer<sockaddr>) -> UInt16 {
        guard Int32(address.pointee.sa_family) == AF_INET else { return 0 }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }

    /// - Parameter address: In host byte order.
    static func contain(ipv4 address: UInt32) -> Bool {
        privateIPv4.contains { network in address >> (32 - network.bits) == network.prefix >> (32 - network.bits) }
    }

    /// - Parameter address: 16 bytes in network byte order.
    static func contain(ipv6 address: UnsafeRawBufferPointer) -> Bool {
        let words = (0..<4).map { UInt32(bigEndian: address.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
        switch (words[0], words[1], words[2]) {
        // IPv4-compatible, among them the unspecified address and loopback (0.0.0.0 and 0.0.0.1);
        // IPv4-mapped; translated by the well-known prefix of NAT64 (RFC 6052).
        case (0, 0, 0), (0, 0, 0xFFFF), (0x0064_FF9B, 0, 0): return contain(ipv4: words[3])
        // 6to4 (RFC 3056).
        case (0x2002_0000...0x2002_FFFF, _, _): return contain(ipv4: words[0] << 16 | words[1] >> 16)
        // Teredo, documentation.
        case (0x2001_0000, _, _), (0x2001_0DB8, _, _): return true
        // Only 2000::/3 is global unicast; unique local, link-local, multicast and local-use NAT64
        // (RFC 8215) lie outside.
        default: return words[0] >> 29 != 1
        }
    }

    private static let privateIPv4: [(prefix: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by carriers
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link-local
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocol assignments
        (0xC000_0200, 24),  // documentation
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // multicast
        (0xF000_0000, 4),  // reserved, broadcast
    ]
}
