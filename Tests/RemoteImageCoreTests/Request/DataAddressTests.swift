import Testing

@testable import RemoteImageCore

/// The content of `data:` addresses, and the Base64 in it.
@Suite struct DataAddressTests {
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9v\r\n YmFy\t", "foobar"),
        ("Zm8= \n", "fo"),
    ])
    func `Base64 is read with and without padding and with white space (RFC 4648 section 10)`(
        text: String, content: String
    ) {
        #expect(Base64.decode(text) == Array(content.utf8))
    }

    @Test func `each character of the alphabet has its value`() {
        let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let bytes = Base64.decode(text) ?? []
        let values = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let sextets = stride(from: 0, to: values.count, by: 6).map { start in
            values[start..<(start + 6)].reduce(0) { $0 << 1 | $1 }
        }
        #expect(sextets == Array(0..<64))
    }

    @Test(arguments: ["Z", "Zm9vY", "Zg==Zg", "Zg=x", "Zm9v!", "Zm-_"])
    func `text that is not Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: [
        ("data:,a", "a"), ("DATA:image/png,%41%62c", "Abc"), ("data:;base64,Zm9v", "foo"),
        ("data:image/png;BASE64,Zm9v", "foo"), ("data:image/png;base64,Zm9%76", "foo"), ("data:,100%", "100%"),
        ("data:,%4", "%4"), ("data:,%4g", "%4g"), ("data:,a,b", "a,b"), ("data:,%fF", "\u{FF}"),
    ])
    func `the content follows the first comma, percent-encoded or in Base64 (RFC 2397)`(
        text: String, content: String
    )
        throws
    {
        #expect(try DataAddress.bytes(of: text, limit: .max) == Latin1.encode(content))
    }

    @Test(arguments: ["data:image/png", "data:;base64,Z", "date:,a"])
    func `an invalid data address is an error`(text: String) {
        #expect(throws: ImageError.self) { try DataAddress.bytes(of: text, limit: .max) }
    }
}
