/// Message authentication codes (RFC 2104), which sign the addresses of image servers.
enum HMAC {
    static func sha1(_ message: [UInt8], key: [UInt8]) -> [UInt8] { code(of: message, key: key, SHA1.hash) }

    static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        code(of: message, key: key) { bytes(of: SHA256.hash($0)) }
    }

    /// The big-endian bytes of the words of a hash.
    static func bytes(of words: [UInt32]) -> [UInt8] {
        words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    private static func code(of message: [UInt8], key: [UInt8], _ hash: ([UInt8]) -> [UInt8]) -> [UInt8] {
        // The block size of both hash functions.
        let blockSize = 64
        var key = key.count > blockSize ? hash(key) : key
        key += [UInt8](repeating: 0, count: blockSize - key.count)
        return hash(key.map { $0 ^ 0x5C } + hash(key.map { $0 ^ 0x36 } + message))
    }
}
