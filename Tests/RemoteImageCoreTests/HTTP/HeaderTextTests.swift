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

    /// The first and the last day of each month of a year, with the number of the day.
    @Test(arguments: [(2023, 19_358), (2024, 19_723), (2000, 10_957), (1900, -25_567), (2100, 47_482), (0, -719_528)])
    func `a year has all its days and no other`(year: Int, firstDay: Int) {
        let isLeap = year % 4 == 0 && year != 1900 && year != 2100
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let digits = String("0000\(year)".suffix(4))
        func day(_ text: String, _ month: String) -> Int? {
            HTTPDate("Sun, \(text) \(month) \(digits) 00:00:01 GMT", currentYear: 2026)
                .map { ($0.secondsSince1970 - 1) / 86_400 }
        }
        var first = firstDay
        for (name, length) in zip(names, lengths) {
            #expect(day("01", name) == first && day("\(length)", name) == first + length - 1)
            #expect(day("\(length + 1)", name) == nil && day("00", name) == nil)
            first += length
        }
    }

    @Test(
        arguments: [
            ("00:00:00", 0), ("00:00:60", 60), ("00:59:00", 3540), ("23:00:00", 82_800), ("12:34:56", 45_296),
            ("24:00:00", nil), ("23:60:00", nil), ("23:00:61", nil), ("8:49:37", nil), ("08:9:37", nil),
            ("08:49:7", nil),
            ("08:49", nil), ("08:49:37:00", nil), ("", nil), ("-1:00:00", nil),
        ] as [(String, Int?)])
    func `a time has three numbers of two digits`(time: String, seconds: Int?) {
        #expect(HTTPDate("Thu, 01 Jan 1970 \(time) GMT", currentYear: 2026)?.secondsSince1970 == seconds)
    }

    @Test func `every day of the week is known in its long and its short form`() {
        for name in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] {
            #expect(HTTPDate("\(name.prefix(3)), 02 Jan 1970 00:00:00 GMT", currentYear: 2026) != nil)
            #expect(HTTPDate("\(name), 02-Jan-70 00:00:00 GMT", currentYear: 2026) != nil)
            #expect(HTTPDate("\(name.prefix(3)) Jan  2 00:00:00 1970", currentYear: 2026)?.secondsSince1970 == 86_400)
            #expect(HTTPDate("\(name.prefix(4)), 02 Jan 1970 00:00:00 GMT", currentYear: 2026) == nil)
        }
    }

    @Test(arguments: [
        "Fri, 2 Jan 1970 00:00:00 GMT", "Fri, 02 Jan 70 00:00:00 GMT", "Fri, 02-Jan-1970 00:00:00 GMT",
        "Fri 02 Jan 1970 00:00:00 GMT", "Fri 02-Jan-70 00:00:00 GMT", "Fri, Jan 02 00:00:00 1970",
        "Fri Jan 002 00:00:00 1970", "Fri Jan 02 00:00:00 70", "Fri, 02-Jan 00:00:00 GMT", "Fri Jan  02 00:00:00 1970",
    ])
    func `each format has its own number of digits and its comma`(text: String) {
        #expect(HTTPDate(text, currentYear: 2026) == nil)
    }

    @Test func `a date that was read before is read again in another year or another text`() {
        let text = "Friday, 01-Jan-77 00:00:00 GMT"
        let years = [2026, 2027, 2026].map { HTTPDate.remembered(text, currentYear: $0)?.secondsSince1970 }
        #expect(years == [220_924_800, 3_376_684_800, 220_924_800])
        #expect(HTTPDate.remembered("Fri, 02 Jan 1970 00:00:00 GMT", currentYear: 2026)?.secondsSince1970 == 86_400)
        #expect(HTTPDate.remembered("nonsense", currentYear: 2026) == nil)
    }
}
