/// The file names of a key. They contain only hashes, so that no key can choose a path.
struct EntryName: Sendable {
    private let hash: String

    init(_ key: String) {
        let bytes = Array(key.utf8)
        hash = XXHash64.hash(bytes).hexText + XXHash64.hash(bytes, seed: 0x5265_6D6F_7465).hexText
    }

    var shard: String { String(hash.prefix(2)) }
    var metadata: String { "\(hash).h" }

    /// A new random body name.
    func newBody() -> String { "\(hash)-\(UInt64.random(in: 0 ... .max).hexText).b" }

    /// The name of the file with the resized images of a body.
    static func resized(of body: String) -> String { "\(body.dropLast())s" }

    /// Whether a name read from a metadata file belongs to a body of this key.
    func owns(_ name: String) -> Bool {
        name.hasPrefix("\(hash)-") && name.hasSuffix(".b") && !name.contains("/")
    }
}
