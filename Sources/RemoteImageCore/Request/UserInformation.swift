/// Removes user names and passwords (RFC 3986 section 3.2.1) from text that is shown, logged or
/// stored.
package enum UserInformation {
    /// The text of an address, valid or not, without user information.
    package static func removed(from text: String) -> String {
        guard text.utf8.contains(at) else { return text }
        return String(decoding: removed(from: Array(text.utf8)), as: UTF8.self)
    }

    static func removed(from text: [UInt8]) -> [UInt8] {
        // White space may precede the scheme and split it.
        let text = AddressText.trimmed(text)
        let afterScheme = AddressText.scheme(of: text).map { $0.utf8.count + 1 } ?? 0
        let slashes = text[afterScheme...].prefix { AddressText.isSlash($0) }
        // Without slashes, `name:password@host` would parse as an address of the scheme `name`.
        let start = slashes.isEmpty ? 0 : slashes.endIndex
        let authority = text[start...].prefix { !AddressText.isSlash($0) && !"?#".utf8.contains($0) }
        if let end = authority.lastIndex(of: at) { return Array(text[..<start] + text[(end + 1)...]) }
        // A slash or a question mark within a password ends the authority early. The text after the
        // colon is then not a port number.
        guard !slashes.isEmpty, let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            authority.first != UInt8(ascii: "["),
            !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) }), let end = text.lastIndex(of: at)
        else { return text }
        return Array(text[..<start] + text[(end + 1)...])
    }

    /// A message without the user information in the addresses that it quotes.
    static func removed(fromMessage message: String) -> String {
        let bytes = Array(message.utf8)
        guard bytes.contains(at) else { return message }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            result.append(byte)
            guard result.suffix(3).elementsEqual("://".utf8) else { continue }
            let word = rest.prefix { $0 > 0x20 && !AddressText.isSlash($0) && !"'\"".utf8.contains($0) }
            if let end = word.lastIndex(of: at) { rest = rest[(end + 1)...] }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The identity of a source with a hash in place of user information, so that accounts never
    /// share images, whatever identities the program gives to them.
    ///
    /// - Parameter address: The address of the image, if it is on the network.
    static func hashed(in identity: String, of address: WebAddress? = nil) -> String {
        let isAddress =
            identity.utf8.contains(at) && ["http", "https"].contains(AddressText.scheme(of: Array(identity.utf8)))
        let shown = isAddress ? removed(from: identity) : identity
        let secret =
            address?.userInfo.map { "\($0)@\(address?.authority ?? "")" } ?? (shown == identity ? nil : identity)
        return secret.map { "\(shown)\naccount \(SHA256.name(of: $0))" } ?? identity
    }

    /// An identity without the hash of its user information.
    static func withoutHash(_ identity: String) -> String {
        identity.utf8.contains(UInt8(ascii: "\n")) ? DiskCache.name(of: identity) : identity
    }

    private static let at = UInt8(ascii: "@")
}
