// The requests and responses of a raw origin.

/// The head of a request, as received.
public struct RawRequest: Sendable {
    public let head: String

    /// The path and query.
    public var path: String {
        let words = lines.first?.split(separator: " ") ?? []
        return words.count > 1 ? String(words[1]) : ""
    }

    /// The values of the header fields `name`, in order.
    public func values(_ name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
    }

    /// The value of the first header field `name`.
    public func value(_ name: String) -> String? { values(name).first }

    private var lines: [Substring] { head.split(separator: "\r\n") }
}

/// The bytes of a response, and what happens to the connection after them.
public struct RawResponse: Sendable {
    public enum Ending: Sendable {
        /// The connection accepts further requests.
        case keepAlive
        case close
        /// Resets the connection (TCP RST), as a crashed server may.
        case reset
        /// Repeats these bytes until the client disconnects.
        case endless([UInt8])
        /// Sends these bytes one by one at this interval; stops if the client disconnects.
        case drip([UInt8], milliseconds: Int32)
    }

    public let bytes: [UInt8]
    public let ending: Ending

    public init(_ bytes: [UInt8], then ending: Ending = .keepAlive) {
        self.bytes = bytes
        self.ending = ending
    }

    /// Exactly `text`.
    public static func raw(_ text: String, then ending: Ending = .keepAlive) -> RawResponse {
        RawResponse(Array(text.utf8), then: ending)
    }

    /// A 200 response with `body` and its length.
    public static func ok(_ body: [UInt8], headers: [(String, String)] = []) -> RawResponse {
        status(200, headers: headers, body: body)
    }

    public static func ok(_ body: String, headers: [(String, String)] = []) -> RawResponse {
        ok(Array(body.utf8), headers: headers)
    }

    public static func status(
        _ status: Int, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> RawResponse {
        RawResponse(head(status, headers: headers + [("Content-Length", "\(body.count)")]) + body)
    }

    public static func redirect(_ status: Int = 302, to location: String) -> RawResponse {
        .status(status, headers: [("Location", location)])
    }

    /// A 200 response with chunked transfer coding: one chunk per piece.
    public static func chunked(_ pieces: [[UInt8]], trailer: String = "") -> RawResponse {
        let chunks = pieces.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
        let end = Array("0\r\n\(trailer)\r\n".utf8)
        return RawResponse(head(200, headers: [("Transfer-Encoding", "chunked")]) + chunks + end)
    }

    /// A 200 response that announces `length` bytes but ends after `body`.
    public static func truncated(_ body: [UInt8], announced length: Int, then ending: Ending = .close) -> RawResponse {
        RawResponse(head(200, headers: [("Content-Length", "\(length)")]) + body, then: ending)
    }

    /// Sends nothing and keeps the connection open.
    public static let silence = RawResponse([])

    /// A status line, headers and the empty line.
    public static func head(_ status: Int, headers: [(String, String)]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
