import Glibc
import HTTPTypes

/// The delay that a server requests with `Retry-After` (RFC 9110 section 10.2.3), as seconds or as
/// a date.
enum RetryAfter {
    /// 68 years. A longer delay counts as this one.
    private static let maxSeconds = Int(Int32.max)

    static func delay(in headers: HTTPFields, now: Int = time(nil)) -> Duration? {
        guard let text = headers[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int(text) ?? .max, maxSeconds))
        }
        let year = 1970 + now / 31_556_952
        guard let date = HTTPDate(text, currentYear: year) else { return nil }
        return .seconds(max(0, date.secondsSince1970 - now))
    }
}
