import HTTPTypes

/// The first part of an interrupted response, kept so that the next transfer requests only the rest
/// (RFC 9110 section 14, RFC 9111 section 3.3).
struct PartialResponse: Sendable {
    let response: StoredResponse
    let body: [UInt8]

    /// The minimum size of a partial response that is stored: 64 KiB.
    private static let minByteCount = 64 << 10
    private static let keySuffix = "\npartial"

    /// The store key of the partial response, next to `key`, that of the complete response.
    static func key(beside key: String) -> String { key + keySuffix }

    static func isKey(_ key: String) -> Bool { key.hasSuffix(keySuffix) }

    /// Whether the rest of a response can be requested: it has status 200, no content coding, and a
    /// strong validator.
    static func isWorthKeeping(_ response: StoredResponse, byteCount: Int) -> Bool {
        let headers = response.headers
        return byteCount >= minByteCount && response.status == 200 && headers[.contentEncoding] == nil
            && headers[.acceptRanges]?.lowercased() != "none" && strongValidator(headers) != nil
    }

    /// The partial response stored for `key` that matches a request with these headers, if it has
    /// at most `maxByteCount` bytes.
    static func stored(
        beside key: String, for request: HTTPFields, maxByteCount: Int, in store: any ResponseStore
    ) -> PartialResponse? {
        let key = Self.key(beside: key)
        guard request[.range] == nil, request[.ifRange] == nil,
            let response = store.responses(for: key).first(where: { VaryMatching.matches($0, request) }),
            response.body.byteCount <= maxByteCount, strongValidator(response.headers) != nil,
            let body = store.body(of: response, for: key), !body.isEmpty
        else { return nil }
        return PartialResponse(response: response, body: body)
    }

    /// Adds headers that request the rest, or the whole response if it has changed (RFC 9110
    /// sections 14.2 and 13.1.5).
    func ask(_ request: inout HTTPFields) {
        request[.range] = "bytes=\(body.count)-"
        request[.ifRange] = Self.strongValidator(response.headers)
    }

    /// The head of the complete response, if a 206 response continues this partial response (RFC
    /// 9110 section 15.3.7.3); `nil` if the two must not be combined.
    func whole(continuedBy head: TransferHead, maxByteCount: Int) -> TransferHead? {
        guard head.status == 206, head.headers[.contentEncoding] == nil,
            let range = head.headers[.contentRange].flatMap(ContentRange.init),
            range.first == body.count, range.last == range.total - 1, range.total <= maxByteCount,
            isSameVersion(head.headers), isSameResource(head, byteCount: range.total)
        else { return nil }
        var whole = TransferHead(
            status: 200, headers: response.headers, address: head.address, expectedByteCount: range.total)
        let news = head.headers.filter { ![.contentRange, .contentLength].contains($0.name) }
        for field in news { whole.headers[field.name] = nil }
        for field in news { whole.headers.append(field) }
        whole.headers[.contentLength] = String(range.total)
        whole.redirects = head.redirects
        return whole
    }

    /// Validators distinguish only the versions of one resource (RFC 9110 section 8.8): a redirect
    /// may lead to another one with an equal validator. The query may differ.
    private func isSameResource(_ head: TransferHead, byteCount: Int) -> Bool {
        let length = response.headers[.contentLength].flatMap { Int($0) }
        return head.address.isSame(exceptQuery: response.address) && (length ?? byteCount) == byteCount
    }

    /// A 206 response repeats the entity tag, but need not repeat the date of the condition
    /// (section 15.3.7).
    private func isSameVersion(_ headers: HTTPFields) -> Bool {
        if let tag = response.headers[.eTag] { return headers[.eTag] == tag }
        return headers[.lastModified].map { $0 == response.headers[.lastModified] } ?? (headers[.eTag] == nil)
    }

    /// A validator that changes with every byte: a strong entity tag, or a modification date so
    /// long before the response that the content cannot have changed twice within that second (RFC
    /// 9110 section 8.8.2.2).
    private static func strongValidator(_ headers: HTTPFields) -> String? {
        if let tag = headers[.eTag] { return tag.hasPrefix("\"") ? tag : nil }
        guard let text = headers[.lastModified], let modified = HTTPDate(text, currentYear: 2000),
            let sent = headers[.date].flatMap({ HTTPDate($0, currentYear: 2000) }),
            sent.secondsSince1970 - modified.secondsSince1970 >= 60
        else { return nil }
        return text
    }
}

/// `Content-Range: bytes 100-199/200` (RFC 9110 section 14.4).
struct ContentRange: Hashable, Sendable {
    let first: Int
    let last: Int
    let total: Int

    /// `nil` for other units, unknown totals and invalid ranges.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let total = Self.number(parts[1]) else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
