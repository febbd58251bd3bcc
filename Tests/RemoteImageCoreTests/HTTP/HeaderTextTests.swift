import Testing

@testable import RemoteImageCore

/// Text and dates in header fields.
@Suite struct HeaderTextTests {
    @Test func `every byte survives decoding and encoding as Latin-1`() {
        let bytes = (UInt8.min...UInt8.max).map { $0 }
        let text = bytes.withUnsafeBytes(Latin1.decode)
        #expect(text.unicodeScalars.count == 256)
        #expect(Latin1.encode(text) == bytes)
    }

    @Test func `text beyond Latin-1 cannot be encoded`() {
        #expect(Latin1.encode("\u{FF}") == [0xFF])
        #expect(Latin1.encode("\u{100}") == nil)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Sun, 28 Feb 2100 12:00:00 GMT", 4_107_499_200),
        ("Mon, 01 Mar 2100 12:00:00 GMT", 4_107_585_600),
        ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800),
    ])
    func `a date gives its seconds since 1970 in each of the three formats (RFC 9110 section 5.6.7)`(
        text: String, seconds: Int
    ) {
        #expect(HTTPDate(text, currentYear: 2026)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [("76", 2076), ("77", 1977), ("00", 2000)])
    func `a two-digit year is at most 50 years in the future`(digits: String, year: Int) {
        let date = HTTPDate("Friday, 01-Jan-\(digits) 00:00:00 GMT", currentYear: 2026)
        #expect(date == HTTPDate("Fri, 01 Jan \(year) 00:00:00 GMT", currentYear: 2026))
        #expect(date != nil)
    }

    @Test(arguments: [
        "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
    ])
    func `a nonexistent date or time is rejected`(text: String) {
        #expect(HTTPDate(text, currentYear: 2026) == nil)
    }
}
