import Glibc

/// The path of a file as the system knows it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// The path for functions in C, with the NUL at its end.
    package let cString: [CChar]

    package init(_ path: String) {
        self.init(bytes: Array(path.utf8))
    }

    package init(cString path: UnsafePointer<CChar>) {
        cString = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
    }

    /// The path in a `file:` address of this machine (RFC 8089); `nil` for other addresses.
    package init?(fileAddress address: String) {
        let text = AddressText.trimmed(address)
        guard AddressText.scheme(of: text.utf8) == "file" else { return nil }
        var path = text.utf8.dropFirst(5).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if path.starts(with: "//".utf8) {
            let host = path.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard ["", "localhost"].contains(String(decoding: host, as: UTF8.self).lowercased()) else { return nil }
            path = path[host.endIndex...]
        }
        let bytes = Array(PercentDecoded(text: path))
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        cString = bytes.map { CChar(bitPattern: $0) } + [0]
    }

    private var bytes: [UInt8] { cString.dropLast().map { UInt8(bitPattern: $0) } }

    /// The path for display. Bytes that are not UTF-8 are replaced.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Identifies the file among all sources. A path that is not UTF-8 is percent-encoded.
    var identity: String {
        if let text = String(validating: bytes, as: UTF8.self) { return "file:\(text)" }
        return "file://" + AddressText.encode(bytes[...]) { !(0x21..<0x7F).contains($0) || $0 == UInt8(ascii: "%") }
    }
}
