import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The sizes of the images of a `srcset` attribute.
@Suite(.endsInTime)
struct SourceSetSizeTests {
    private func candidates(_ source: ImageSource) -> [String] {
        guard case .candidates(let candidates) = source.kind else { return ["no choice"] }
        return candidates.map {
            "\($0.source.webAddress?.string.dropFirst(7) ?? "") \($0.size.width)x\($0.size.height)"
        }
    }

    @Test func `the height follows from the aspect ratio, 1.5 by default`() {
        let set = SourceSet("http://a 300w, http://b 100w, http://c 301w")
        #expect(candidates(set.imageSource()) == ["b/ 100x67", "a/ 300x200", "c/ 301x201"])
        #expect(candidates(set.imageSource(aspectRatio: 0.5)) == ["b/ 100x200", "a/ 300x600", "c/ 301x602"])
    }

    @Test(
        arguments: [
            (0.001, "100x100000"), (1000, "100x1"), (0.0009, "100x67"), (1001, "100x67"), (0, "100x67"), (-1, "100x67"),
        ] as [(Double, String)])
    func `an impossible aspect ratio is the default`(ratio: Double, size: String) {
        #expect(candidates(SourceSet("http://a 100w").imageSource(aspectRatio: ratio)) == ["a/ \(size)"])
    }

    @Test(
        arguments: [
            (320.0, ["a/ 320x213", "b/ 480x320"]), (100, ["a/ 100x67", "b/ 150x100"]), (1, ["a/ 1x1", "b/ 2x1"]),
            (0.5, ["a/ 1x1", "b/ 2x1"]), (.infinity, ["a/ 320x213", "b/ 480x320"]),
        ] as [(Double, [String])])
    func `a density counts in layout widths`(layoutWidth: Double, sizes: [String]) {
        let set = SourceSet("http://b 1.5x", src: "http://a")
        #expect(candidates(set.imageSource(layoutWidth: layoutWidth)) == sizes)
        #expect(candidates(set.imageSource()) == ["a/ 320x213", "b/ 480x320"])
    }

    @Test func `widths are bounded, and of equal ones the first counts`() {
        let set = SourceSet("http://a 2000000w, http://b 1000000w, http://c 0.001x, http://d 1w")
        #expect(candidates(set.imageSource(aspectRatio: 1)) == ["c/ 1x1", "a/ 1000000x1000000"])
    }

    @Test(arguments: [(0, 1), (998, 999), (999, 1000), (1000, 1000), (1001, 1000)])
    func `the first thousand images are read`(count: Int, expected: Int) {
        let images = (0..<count).map { "a\($0) \($0 + 2)x" } + ["last 5000x"]
        let found = SourceSet(images.joined(separator: ", ")).candidates
        #expect(found.count == expected)
        #expect((found.last?.address == "last") == (count < 1000))
    }

    @Test(
        arguments: [
            ("1", 1), ("1.5", 1.5), (".5", 0.5), ("-2", -2), ("1e2", 100), ("1E+2", 100), ("15e-1", 1.5),
            ("2.25e1", 22.5),
            ("-.5", -0.5), ("-0.5", -0.5), ("007", 7), ("", nil), ("-", nil), (".", nil), ("1.", nil), ("e1", nil),
            ("1e", nil), ("1e+", nil), ("1e+-1", nil), ("1e1.5", nil), ("1.5.5", nil), ("--1", nil), ("+1", nil),
            ("1e12x", nil), ("1.2e", nil), ("1 ", nil), ("12f", nil), ("1e400", nil),
        ] as [(String, Double?)])
    func `numbers are those of HTML`(text: String, number: Double?) {
        #expect(SourceSetParser.real(Array(text.utf8)[...]) == number)
        // A slice need not begin at zero.
        #expect(SourceSetParser.real(Array("9\(text)".utf8)[1...]) == number)
    }

    @Test(arguments: [(99, true), (100, true), (101, false)])
    func `a number has at most 100 digits`(count: Int, isNumber: Bool) {
        let text = Array(String(repeating: "1", count: count).utf8)
        #expect((SourceSetParser.real(text[...]) != nil) == isNumber)
    }

    @Test(
        arguments: [
            ("), 5px", 5), (")), 5px", 5), ("(a(b), c), 5px", 5), ("a (b), 5px", 5), ("(min-width: 800px) 7px, 5px", 7),
            ("(min-width: 801px) 7px, 5px", 5), ("(max-width: 800px) 7px, 5px", 7), ("(max-width: 799px) 7px, 5px", 5),
            ("(min-width: 1px) and (max-width: 800px) 7px, 5px", 7),
            ("(min-width: 1px) or (max-width: 9px) 7px, 5px", 5),
            ("(min-width: 1px) xyz (max-width: 900px) 7px, 5px", 5), ("(min-width: 0) 7px, 5px", 7), ("0px, 5px", 0),
            ("(min-width: 1) 7px, 5px", 5), ("50VW", 400), ("12.5vh", 75), ("1EM", 16), ("(width: 800px) 7px, 5px", 5),
            ("(MAX-WIDTH:50EM) 7px, 5px", 7), ("min-width: 1px 7px, 5px", 5), ("1e1px", 10), ("7px 8px, 5px", 5),
        ] as [(String, Double)])
    func `the first entry that applies decides, at the limit too`(text: String, width: Double) {
        #expect(SourceSizes(text).width(inViewportOfWidth: 800, height: 600) == width)
    }
}

/// Texts at the limits of the JSON reader.
@Suite(.endsInTime)
struct JSONLimitTests {
    private func read(_ text: String) throws(ImageError) -> JSONValue { try JSONValue(Array(text.utf8)) }

    @Test(arguments: [
        ("\"\\ud800\\udc00\"", "\u{10000}"), ("\"\\udbff\\udfff\"", "\u{10FFFF}"), ("\"\\ud7ff\"", "\u{D7FF}"),
        ("\"\\ue000\"", "\u{E000}"), ("\"\\uFFFF\"", "\u{FFFF}"), ("\"\\u0000\"", "\0"), ("\"\\u12345\"", "\u{1234}5"),
        ("\"\\b\\f\\n\\r\\t\\\\\"", "\u{8}\u{C}\n\r\t\\"), ("\" \u{7F}\"", " \u{7F}"), ("\t\r\n \"a\"\t\r\n ", "a"),
    ])
    func `strings have their characters`(text: String, value: String) throws {
        #expect(try read(text) == .string(value))
    }

    @Test(arguments: [
        "\"\\ud800\\udbff\"", "\"\\ud800\\ue000\"", "\"\\udc00\\ud800\"", "\"\\udfff\"", "\"\\ud800\\n\"",
        "\"\\ud800u0041\"", "\"\\u123", "\"\\", "\"\\u", "\"\u{1F}\"", "\u{B}1", "\u{C}1", "[1\u{A0}]", "\"\\u 123\"",
    ])
    func `broken strings are errors`(text: String) {
        #expect(errorCode { () throws(ImageError) in try read(text) } == .protocol)
    }

    @Test func `a number has at most 100 characters`() throws {
        func number(_ count: Int) -> String { "0." + String(repeating: "0", count: count - 3) + "1" }
        #expect(errorCode { () throws(ImageError) in try read(number(100)) } == nil)
        #expect(errorCode { () throws(ImageError) in try read(number(101)) } == .protocol)
        #expect(try read("[\(number(100)), 2]") != .array([]))
    }

    @Test func `objects may be as deep as arrays`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "{\"a\":[", count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
        }
        _ = try read(nested(JSONValue.maxDepth))
        #expect(errorCode { () throws(ImageError) in try read(nested(JSONValue.maxDepth + 2)) } == .protocol)
        let object = String(repeating: "{\"a\":", count: 32) + "1" + String(repeating: "}", count: 32)
        _ = try read(object)
        #expect(errorCode { () throws(ImageError) in try read("[\(object)]") } == .protocol)
        #expect(errorCode { () throws(ImageError) in try read("{\"a\":\(object)}") } == .protocol)
        // Lists beside each other are no deeper.
        _ = try read("[\(Array(repeating: "[[]]", count: 40).joined(separator: ","))]")
    }

    @Test(arguments: [
        ("[1, tru]", 4), ("{\"a\" 1}", 5), ("[1 2]", 3), ("\"a\nb\"", 3), ("1 2", 2), ("[nul", 1), ("{\"a\":1,}", 7),
        ("-", 1), ("[1,]", 3),
    ])
    func `an error names its byte`(text: String, position: Int) {
        let error = #expect(throws: ImageError.self) { try read(text) }
        #expect(error?.detail?.hasPrefix("invalid JSON at byte \(position): ") == true, "\(error?.detail ?? "")")
    }
}
