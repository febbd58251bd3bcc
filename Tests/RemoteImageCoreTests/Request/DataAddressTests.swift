import Testing

@testable import RemoteImageCore

/// The content of `data:` addresses, and the Base64 in it.
@Suite struct DataAddressTests {
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9v\r\n YmFy\t", "foobar"),
        ("Zm8= \n", "fo"), ("Zm9v\u{C}YmFy", "foobar"), ("Z g = =", "f"),
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

    @Test(arguments: ["Z", "Zm9vY", "Zg==Zg", "Zg=x", "Zm9v!", "Zm-_", "Zg=", "Zg===", "Zm9v=", "Zm9v====", "="])
    func `text that is not Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: [
        ("data:,a", "a"), ("DATA:image/png,%41%62c", "Abc"), ("data:;base64,Zm9v", "foo"),
        ("data:image/png;BASE64,Zm9v", "foo"), ("data:image/png;base64,Zm9%76", "foo"), ("data:,100%", "100%"),
        ("data:image/png; base64,Zm9v", "foo"), ("data:image/png;base64 ,Zm9v", "foo"),
        ("data:image/png;charset=x;  BASE64  ,Zm9v", "foo"), ("data:;base64,Zm9v#x", "foo"), ("data:,a#b", "a"),
        ("data:;base64;x,Zm9v", "Zm9v"), ("data:base64,Zm9v", "Zm9v"), ("data:;xbase64,Zm9v", "Zm9v"),
        ("data:;base64=,Zm9v", "Zm9v"), ("data:;\u{A0}base64,Zm9v", "Zm9v"),
        ("data:,%4", "%4"), ("data:,%4g", "%4g"), ("data:,a,b", "a,b"), ("data:,%fF", "\u{FF}"),
    ])
    func `the content follows the first comma, percent-encoded or in Base64 (RFC 2397)`(
        text: String, content: String
    )
        throws
    {
        #expect(try DataAddress.bytes(of: text, limit: .max) == Latin1.encode(content))
    }

    @Test(arguments: ["data:image/png", "data:;base64,Z", "date:,a", "data:image/png#,a", "data:#;base64,Zm9v"])
    func `an invalid data address is an error`(text: String) {
        #expect(throws: ImageError.self) { try DataAddress.bytes(of: text, limit: .max) }
    }

    @Test(arguments: [
        " data:;base64,Zm9v", "\n\tdata:;base64,Zm9v\r\n ", "da\tta:;ba\nse64,Zm\r9v", "DATA:;base64,Zm9v#\n",
    ])
    func `white space around and within the text of a source is ignored, as in browsers`(text: String) throws {
        guard case .data(let data) = ImageSource(text).kind else {
            Issue.record("\(text) is no data address")
            return
        }
        #expect(try DataAddress.bytes(of: data, limit: .max) == Array("foo".utf8))
    }

    @Test(arguments: ["data:,a", "data:;base64,Zm9v"]) func `any limit below 0 is that of no bytes`(text: String) {
        for limit in [0, -1, -5, .min] {
            let error = #expect(throws: ImageError.self) { try DataAddress.bytes(of: text, limit: limit) }
            #expect(error?.code == .tooLarge)
        }
    }
}
