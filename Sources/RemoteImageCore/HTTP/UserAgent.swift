// The `User-Agent` of requests (RFC 9110 section 10.1.5).

import CRemoteImagePlatform

enum UserAgent {
    /// The program and this library: `gallery RemoteImage/1.0.0`.
    static let standard = [product(String(cString: platform_program_name())), "RemoteImage/\(LibraryVersion.string)"]
        .filter { !$0.isEmpty }
        .joined(separator: " ")

    /// `name` as a product token: characters that a token may not contain (RFC 9110 section 5.6.2)
    /// become hyphens.
    static func product(_ name: String) -> String {
        String(decoding: name.utf8.map { isTokenByte($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
