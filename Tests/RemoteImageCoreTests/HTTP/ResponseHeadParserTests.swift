import HTTPTypes
import Testing

@testable import RemoteImageCore

/// What the lines of a head say, without libcurl, which refuses many of them itself.
@Suite struct ResponseHeadParserTests {
    private func parser(
        _ lines: [String], maxByteCount: Int = TransferLimits().maxHeaderByteCount
    ) -> (parser: ResponseHeadParser, events: [ResponseHeadParser.Event]) {
        var parser = ResponseHeadParser(maxByteCount: maxByteCount)
        let events = lines.map { line in Array("\(line)\r\n".utf8).withUnsafeBytes { parser.consume($0) } }
        return (parser, events)
    }

    private func head(_ fields: String..., status: String = "HTTP/1.1 200 OK") -> ResponseHeadParser {
        parser([status] + fields + [""]).parser
    }

    private func fields(of parser: ResponseHeadParser) -> [String] {
        parser.headers.map { "\($0.name.rawName)=\($0.value)" }
    }

    @Test func `a head has its status and all its fields in order`() {
        let (parser, events) = parser(["HTTP/1.1 206 Some Part", "B: 1", "A:2", "b: \t3 4\t ", ": 5", "no colon", ""])
        #expect(events == Array(repeating: .incomplete, count: 6) + [.complete])
        #expect(parser.status == 206)
        #expect(fields(of: parser) == ["B=1", "A=2", "b=3 4"])
    }

    @Test func `an interim head leaves nothing behind (RFC 9110 section 15.2)`() {
        for status in [100, 103, 199] {
            let (parser, events) = parser([
                "HTTP/1.1 \(status) A", "Content-Length: x", "Location: /a", "A: 1", "", "HTTP/2 404", "B: 2", "",
            ])
            #expect(events == Array(repeating: .incomplete, count: 7) + [.complete])
            #expect(parser.status == 404 && fields(of: parser) == ["B=2"])
            #expect(parser.location == nil && parser.expectedByteCount == nil && !parser.endsWithConnection)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200), ("http/1.1 200", 200), ("HTTP/2 404", 404), ("HTTP/1.0  301\t", 301), ("HTTP/", 0),
        ("HTTPS 200", 0), ("HTTP 1.1 200", 0), ("XTTP/1.1 200", 0),
    ])
    func `a status line begins with the name of the protocol (RFC 9112 section 4)`(line: String, status: Int) {
        #expect(parser([line]).parser.status == status)
    }

    @Test func `a second status line is an invalid field`() {
        let (parser, events) = parser(["HTTP/1.1 200 OK", "A: 1", "HTTP/1.1 404 No", "B: 2", ""])
        #expect(events.last == .complete && parser.status == 200)
        #expect(fields(of: parser) == ["A=1", "B=2"])
    }

    @Test(
        arguments: [
            (["Content-Length: 5"], 5, true), (["Content-Length: 5, 5"], 5, true),
            (["Content-Length: 5", "Content-Length:  5 "], 5, true), (["Content-Length: 5, 6"], 6, false),
            (["Content-Length: 6", "Content-Length: 5"], 5, false), (["Content-Length: x"], nil, false),
            (["Content-Length: "], nil, false), (["Content-Length: -1"], nil, false),
            (["Content-Length: 5,"], 5, false),
            (["Content-Length: 99999999999999999999"], .max, true),
            (["Content-Length: 9223372036854775807"], .max, true),
            (["Content-Length: 9223372036854775799"], 9_223_372_036_854_775_799, true),
            (["Content-Length: 012"], 12, true), (["Content-Length: x", "Transfer-Encoding: chunked"], nil, true),
            (["Content-Length: 5", "Transfer-Encoding: chunked"], nil, true), ([], nil, true),
        ] as [([String], Int?, Bool)])
    func `lengths are numbers that agree, unless a transfer coding replaces them (RFC 9112 section 6.3)`(
        lines: [String], byteCount: Int?, isValid: Bool
    ) {
        let (parser, events) = parser(["HTTP/1.1 200 OK"] + lines + [""])
        #expect(parser.expectedByteCount == byteCount)
        #expect(events.last == (isValid ? .complete : .badLength))
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", "A: 1", true), ("HTTP/1.0 200 OK", "A: 1", true), ("HTTP/2 200", "A: 1", false),
        ("HTTP/3 200", "A: 1", false), ("HTTP/1.1 200 OK", "Content-Length: 0", false),
        ("HTTP/1.1 200 OK", "Transfer-Encoding: Chunked", false),
        ("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", false),
        ("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, gzip", true), ("HTTP/1.1 204 None", "A: 1", false),
        ("HTTP/1.1 304 Same", "A: 1", false), ("HTTP/1.1 203 OK", "A: 1", true), ("HTTP/1.1 305 X", "A: 1", true),
    ])
    func `a body without a length ends with its connection (RFC 9112 section 6.3)`(
        status: String, field: String, endsWithConnection: Bool
    ) {
        #expect(head(field, status: status).endsWithConnection == endsWithConnection)
    }

    @Test func `the first Location with a value is used`() {
        #expect(head("Location: ", "Location:  /a ", "Location: /b").location == Array("/a".utf8))
        #expect(head("Content-Location: /a").location == nil)
    }

    @Test func `a folded line continues the last field (RFC 9112 section 5.2)`() {
        let head = head("A: 1", "B: 2", " \t3 ", "\t4", "C: 5")
        #expect(fields(of: head) == ["A=1", "B=2 3 4", "C=5"])
    }

    @Test func `a field of the wrong name is skipped, and a fold without a field, too`() {
        #expect(fields(of: head("a b: 1", " 2", "C: 3")) == ["C=3"])
    }

    @Test(arguments: [(1998, true), (1999, true), (2000, false)])
    func `a head has fewer than two thousand fields`(count: Int, isComplete: Bool) {
        let events = parser(["HTTP/1.1 200 OK"] + Array(repeating: "A: 1", count: count) + [""]).events
        #expect(events.last == (isComplete ? .complete : .tooLarge))
    }

    @Test(arguments: [(100, true), (101, false)])
    func `a head has at most a hundred folded lines, also in interim responses`(count: Int, isComplete: Bool) {
        let interim = ["HTTP/1.1 103 Hint", "A: 1"] + Array(repeating: " 2", count: 40) + [""]
        let events = parser(
            interim + ["HTTP/1.1 200 OK", "A: 1"] + Array(repeating: " 2", count: count - 40) + [""]
        ).events
        #expect(events.last == (isComplete ? .complete : .tooLarge))
    }

    @Test(
        arguments: [
            (["HTTP/1.1 99 A"], .badStatus), (["HTTP/1.1 100 A"], .incomplete), (["HTTP/1.1 599 A"], .incomplete),
            (["HTTP/1.1 600 A"], .badStatus), (["HTTP/1.1 A"], .badStatus), (["HTTP/"], .incomplete),
            (["HTTP/1"], .badStatus), (["HTTP/1.1 200 A", " 1"], .badFold), (["HTTP/1.1 200 A", "\t1"], .badFold),
            (["HTTP/1.1 200 A", "A: 1", " 1"], .incomplete), (["HTTP/1.1 200 A", "no field", " 1"], .incomplete),
            (["HTTP/1.1 103 A", "A: 1", "", "HTTP/1.1 200 A", " 1"], .badFold), ([" 1"], .incomplete),
            (["HTTP/1.1 103 A", "A: 1", "", " 1"], .incomplete), (["HTTP/1.1 199 A", ""], .incomplete),
            (["HTTP/1.1 200 A", ""], .complete), (["", "HTTP/1.1 200 A", ""], .complete), ([""], .incomplete),
        ] as [([String], ResponseHeadParser.Event)])
    func `each line is checked as soon as it arrives`(lines: [String], event: ResponseHeadParser.Event) {
        #expect(parser(lines).events.last == event)
    }

    @Test(arguments: ["", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n"])
    func `a line may lack its line break`(lineBreak: String) {
        var parser = ResponseHeadParser()
        var events: [ResponseHeadParser.Event] = []
        for line in ["HTTP/1.1 203 OK", "A: 1", "B: 2", " 3", "Location: /a", ""] {
            events.append(Array("\(line)\(lineBreak)".utf8).withUnsafeBytes { parser.consume($0) })
        }
        #expect(events == Array(repeating: .incomplete, count: 5) + [.complete])
        #expect(parser.status == 203 && fields(of: parser) == ["A=1", "B=2 3", "Location=/a"])
        #expect(parser.location == Array("/a".utf8))
    }

    @Test(arguments: [(25, true), (24, false)])
    func `the limit counts every byte of every line`(limit: Int, isComplete: Bool) {
        let events = parser(["HTTP/1.1 200 OK", "A: 1", ""], maxByteCount: limit).events
        #expect(events.last == (isComplete ? .complete : .tooLarge))
    }
}
