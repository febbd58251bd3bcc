import Testing

@testable import RemoteImageCore

@Suite(.endsInTime)
struct JSONValueTests {
    private func read(_ text: String) throws(ImageError) -> JSONValue { try JSONValue(Array(text.utf8)) }

    @Test(arguments: [
        ("null", JSONValue.null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .number(0)),
        ("-0.5e+2", .number(-50)), ("1E2", .number(100)), ("\"\"", .string("")), ("[]", .array([])),
        ("{}", .object([:])),
        ("[1, [2], {}]", .array([.number(1), .array([.number(2)]), .object([:])])),
        ("{\"a\" : 1 , \"b\":null}", .object(["a": .number(1), "b": .null])),
        ("\"\\u00e9\\n\\/\\\"\\ud83d\\ude00é\"", .string("é\n/\"😀é")),
    ])
    func `valid texts are read`(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "01", "+1", "1.", ".5", "1e", "-", "0x1", "NaN", "Infinity", "1e999", "[", "[1", "[1,]",
        "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}",
        "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
        "\"a\nb\"", "1 2", "{} x", "\u{FEFF}1", "'a'", "// a\n1", "[1]]",
    ])
    func `invalid texts are errors`(text: String) {
        #expect { try read(text) } throws: { ($0 as? ImageError)?.code == .protocol }
    }

    @Test func `invalid UTF-8 is an error`() {
        #expect(throws: ImageError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
        #expect(throws: ImageError.self) { try JSONValue([0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func `the depth is bounded`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try read(nested(JSONValue.maxDepth))
        #expect(throws: ImageError.self) { try read(nested(JSONValue.maxDepth + 1)) }
        #expect(throws: ImageError.self) { try read(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test func `the size is bounded`() throws {
        let text = Array("\"\(String(repeating: "a", count: JSONValue.maxByteCount - 2))\"".utf8)
        _ = try JSONValue(text)
        #expect(throws: ImageError.self) { try JSONValue(text + [0x20]) }
        #expect(throws: ImageError.self) { try JSONValue([UInt8](repeating: 0x31, count: 1000)) }
    }

    @Test(arguments: [("1", 1), ("2147483647", 2_147_483_647), ("1e3", 1000), ("5.0", 5)])
    func `whole numbers are sizes`(text: String, size: Int) throws {
        #expect(try read(text).positiveInteger == size)
    }

    @Test(arguments: ["0", "-1", "1.5", "2147483648", "1e300", "\"5\"", "null", "[5]"])
    func `other values are no sizes`(text: String) throws {
        #expect(try read(text).positiveInteger == nil)
    }
}
