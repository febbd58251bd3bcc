// From the header lines that libcurl hands out to a head.

import HTTPTypes

/// Collects the lines of one response head after another: interim ones (RFC 9110 section 15.2) are
/// dropped, the final one is kept.
struct ResponseHeadParser {
    enum Event: Equatable {
        /// More lines are to come.
        case incomplete
        /// The empty line after a final head.
        case complete
        /// More header than any sensible response has.
        case tooLarge
    }

    private(set) var status = 0
    private(set) var headers = HTTPFields()
    /// The value of the first `Location`, as it came: servers put UTF-8 there.
    private(set) var location: [UInt8]?

    private var lastName: HTTPField.Name?
    private var byteCount = 0

    // libcurl has limits of its own, on the bytes of one line above all. Newer versions allow 300 KiB
    // of header; `HTTPFields` must not have 65,535 fields.
    private static let maxByteCount = 256 << 10
    private static let maxFieldCount = 2_000

    /// Takes one line, with or without its line break.
    mutating func consume(_ line: UnsafeRawBufferPointer) -> Event {
        byteCount += line.count
        guard byteCount <= Self.maxByteCount, headers.count < Self.maxFieldCount else { return .tooLarge }

        var line = line[...]
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
        guard let first = line.first else {
            guard status >= 200 else {
                self = ResponseHeadParser()
                return .incomplete
            }
            return .complete
        }
        if Self.isSpace(first) {
            continueLast(with: line)
        } else if line.starts(with: "HTTP/".utf8) {
            self = ResponseHeadParser()
            status = Self.status(in: line)
        } else {
            add(line)
        }
        return .incomplete
    }

    /// `HTTP/1.1 200 OK`, `HTTP/2 200`: the digits after the first space, 0 if there are none. libcurl
    /// has refused what is not of this form.
    private static func status(in line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { !isSpace($0) }.drop(while: isSpace).prefix { !isSpace($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private mutating func add(_ line: Slice<UnsafeRawBufferPointer>) {
        lastName = nil
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return }
        let value = Self.trim(line[(colon + 1)...])
        if location == nil, name == .location { location = Array(value) }
        headers.append(HTTPField(name: name, value: Latin1.decode(value)))
        lastName = name
    }

    /// A folded line (RFC 9112 section 5.2) belongs to the field before it; the fold is one space.
    private mutating func continueLast(with line: Slice<UnsafeRawBufferPointer>) {
        guard let lastName, let last = headers.last else { return }
        let joined = "\(last.value) \(Latin1.decode(Self.trim(line)))"
        var fields = Array(headers)
        fields[fields.count - 1] = HTTPField(name: lastName, value: joined)
        headers = HTTPFields(fields)
    }

    private static func trim(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

extension ResponseHeadParser {
    /// The bytes of body that the head announces and that will be seen, if it does and they will.
    ///
    /// With a content coding the length is of the coded body, and with a transfer coding it does not
    /// count (RFC 9112 section 6.3).
    var expectedByteCount: Int? {
        guard status != 204, status != 304, headers[.transferEncoding] == nil else { return nil }
        if let coding = headers[.contentEncoding], coding.lowercased() != "identity" { return nil }
        guard let text = headers[values: .contentLength].first, let count = Int(text), count >= 0 else { return nil }
        return count
    }
}
