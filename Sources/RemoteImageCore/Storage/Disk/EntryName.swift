/// The names of a key's files: hashes alone, so that no key can say where they are.
struct EntryName: Sendable {
    private let hash: String

    init(_ key: String) {
        let bytes = Array(key.utf8)
        hash = XXHash64.hash(bytes).hexText + XXHash64.hash(bytes, seed: 0x5265_6D6F_7465).hexText
    }

    var shard: String { String(hash.prefix(2)) }
    var metadata: String { "\(hash).h" }

    /// A name that no body has had.
    func newBody() -> String { "\(hash)-\(UInt64.random(in: 0 ... .max).hexText).b" }

    /// Whether a name that a file says is that of one of this key's bodies.
    func owns(_ name: String) -> Bool {
        name.hasPrefix("\(hash)-") && name.hasSuffix(".b") && !name.contains("/")
    }
}
