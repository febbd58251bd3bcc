/// The identity of encoded data: images made from the same data have the same version.
struct ContentVersion: Hashable, Sendable {
    /// The XXH64 of the data.
    let checksum: UInt64
    let byteCount: Int
}

extension ContentVersion {
    init(_ bytes: [UInt8]) { self.init(checksum: XXHash64.hash(bytes), byteCount: bytes.count) }

    /// A version that differs from every other.
    init() { self.init(checksum: .random(in: 0 ... .max), byteCount: -1) }
}
