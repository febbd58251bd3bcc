// Parses the header lines that libcurl delivers.

import HTTPTypes

/// Parses consecutive response heads: interim ones (RFC 9110 section 15.2) are dropped, the final
/// one is kept.
struct ResponseHeadParser {
    enum Event: Equatable {
        /// More lines follow.
        case incomplete
        /// The empty line after a final head was parsed.
        case complete
        /// The head exceeds the limits on bytes, fields or folded lines.
        case tooLarge
        /// The length is invalid, or several lengths differ, so the end of the body is unknown.
        case badLength
        /// The status is outside 100 to 599 (RFC 9110 section 15).
        case badStatus
        /// The first line after the status line is folded (RFC 9112 section 2.2).
        case badFold
    }

    private(set) var status = 0
    private(set) var headers = HTTPFields()
    /// The bytes of the first non-empty `Location`; servers put UTF-8 there.
    private(set) var location: [UInt8]?

    /// Whether the end of the connection ends the body (RFC 9112 section 6.3).
    var endsWithConnection: Bool {
        isVersion1 && contentLength == nil && !isChunked && status != 204 && status != 304
    }

    private var contentLength: Int?
    private var isVersion1 = false
    private var isChunked = false
    private var hasBadLength = false
    private var hasStatusLine = false
    private var followsStatusLine = false
    private var hasTransferCoding = false
    private var byteCount = 0
    private var foldCount = 0

    private let maxByteCount: Int
    // `HTTPFields` supports fewer than 65,535 fields.
    private static let maxFieldCount = 2_000
    /// Line folding is obsolete, and each fold copies the field.
    private static let maxFoldCount = 100

    /// The size of the decoded body in bytes; `nil` if the head does not state it.
    var expectedByteCount: Int? { ContentCoding.decodedByteCount(contentLength, status: status, headers) }

    /// - Parameter maxByteCount: The maximum size of all lines, including folded lines and interim
    ///   responses.
    init(maxByteCount: Int = TransferLimits().maxHeaderByteCount) {
        self.maxByteCount = maxByteCount
    }

    /// Parses one line, with or without its line break.
    mutating func consume(_ line: UnsafeRawBufferPointer) -> Event {
        byteCount += line.count
        guard byteCount <= maxByteCount, headers.count < Self.maxFieldCount, foldCount <= Self.maxFoldCount else {
            return .tooLarge
        }

        var end = line.count
        while end > 0, line[end - 1] == UInt8(ascii: "\n") || line[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let line = UnsafeRawBufferPointer(rebasing: line[..<end])
        guard let first = line.first else {
            // With a transfer coding the length is ignored (RFC 9112 section 6.3).
            if status >= 200 { return hasBadLength && !hasTransferCoding ? .badLength : .complete }
            startHead(status: nil)
            return .incomplete
        }
        if Self.isSpace(first) {
            // libcurl 7.88 refuses this line itself, libcurl 8.14 passes it on.
            guard !followsStatusLine else { return .badFold }
            continueLast(with: line)
        } else if !hasStatusLine, let status = Self.status(in: line) {
            guard (100...599).contains(status) else { return .badStatus }
            startHead(status: status)
            isVersion1 = line[5] == UInt8(ascii: "1")
        } else {
            followsStatusLine = false
            add(line)
        }
        return .incomplete
    }

    /// Drops the previous head but keeps its size, so that the number of interim heads is limited
    /// too.
    private mutating func startHead(status: Int?) {
        let (byteCount, foldCount) = (byteCount, foldCount)
        self = ResponseHeadParser(maxByteCount: maxByteCount)
        (self.byteCount, self.foldCount) = (byteCount, foldCount)
        self.status = status ?? 0
        hasStatusLine = status != nil
        followsStatusLine = hasStatusLine
        headers.reserveCapacity(16)
    }

    /// The status of `HTTP/1.1 200 OK` or `HTTP/2 200`; `nil` for other lines. libcurl has already
    /// refused malformed status lines, but for `http/1.1` and `200OK`.
    private static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count > 5, line[4] == UInt8(ascii: "/"),
            line.prefix(4).elementsEqual("http".utf8, by: { $0 | 0x20 == $1 })
        else { return nil }
        let digits = line.drop { !isSpace($0) }.drop(while: isSpace).prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return }
        let bytes = Self.trim(line[(colon + 1)...])
        let value = Latin1.decode(bytes)
        switch name {
        case .location: if location == nil, !value.isEmpty { location = Array(bytes) }
        case .contentLength: addLength(bytes)
        case .transferEncoding: (hasTransferCoding, isChunked) = (true, value.lowercased().hasSuffix("chunked"))
        default: break
        }
        headers.append(HTTPField(name: name, value: value))
    }

    /// The same length may be given several times, on one or more lines (RFC 9110 section 8.6).
    private mutating func addLength(_ value: UnsafeRawBufferPointer) {
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let length = Self.number(Self.trim(part)) else { return hasBadLength = true }
            if let contentLength, contentLength != length { hasBadLength = true }
            contentLength = length
        }
    }

    /// The number in decimal digits, saturating at `Int.max`, which exceeds every limit.
    private static func number(_ digits: UnsafeRawBufferPointer) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tenfold.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            number = isTooLarge || isStillTooLarge ? .max : sum
        }
        return number
    }

    /// Appends a folded line (RFC 9112 section 5.2) to the previous field; the fold becomes one
    /// space.
    private mutating func continueLast(with line: UnsafeRawBufferPointer) {
        guard let last = headers.last else { return }
        foldCount += 1
        let value = "\(last.value) \(Latin1.decode(Self.trim(line[...])))"
        headers[headers.count - 1] = HTTPField(name: last.name, value: value)
    }

    private static func trim(_ bytes: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        var bytes = bytes
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return UnsafeRawBufferPointer(rebasing: bytes)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
