// Dates in HTTP header fields (RFC 9110 section 5.6.7).

/// A date in seconds since 1970, in UTC.
struct HTTPDate: Hashable, Sendable, Comparable {
    let secondsSince1970: Int

    static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses the preferred format and the two obsolete ones; returns `nil` for other text. The
    /// names of days, months and the zone may be in any case; parts are separated by a single
    /// space.
    ///
    /// `currentYear` decides the century of a two-digit year: a year more than 50 years in the
    /// future counts as past.
    init?(_ text: String, currentYear: Int) {
        var parts = text.lowercased().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let weekday = parts.first, Self.isWeekday(weekday) else { return nil }
        let hasComma = weekday.hasSuffix(",")
        // asctime() pads a day of one digit with a space.
        if !hasComma, parts.count == 6, parts[2].isEmpty, parts[3].count == 1 {
            parts.replaceSubrange(2...3, with: ["0" + parts[3]])
        }
        switch parts.count {
        case 6 where parts[5] == "gmt" && hasComma:
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard parts[1].count == 2, parts[3].count == 4 else { return nil }
            self.init(day: parts[1], month: parts[2], year: Int(parts[3]), time: parts[4])
        case 4 where parts[3] == "gmt" && hasComma:
            // Sunday, 06-Nov-94 08:49:37 GMT
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, date[2].count == 2, let short = Int(date[2]) else { return nil }
            var year = currentYear / 100 * 100 + short
            if year > currentYear + 50 { year -= 100 }
            self.init(day: date[0], month: date[1], year: year, time: parts[2])
        case 5 where !hasComma:
            // Sun Nov  6 08:49:37 1994
            guard parts[2].count == 2, parts[4].count == 4 else { return nil }
            self.init(day: parts[2], month: parts[1], year: Int(parts[4]), time: parts[3])
        default:
            return nil
        }
    }

    /// Parses like the initialiser, and caches the last result: servers send the same date for a
    /// second.
    static func remembered(_ text: String, currentYear: Int) -> HTTPDate? {
        if let known = lastRead.withLock({ $0 }), known.text == text, known.year == currentYear { return known.date }
        let date = HTTPDate(text, currentYear: currentYear)
        lastRead.withLock { $0 = (text, currentYear, date) }
        return date
    }

    private static let lastRead = Lock<(text: String, year: Int, date: HTTPDate?)?>(nil)

    private init?(day: String, month: String, year: Int?, time: String) {
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let clock = time.split(separator: ":").map { $0.count == 2 ? Int($0) : nil }
        guard let year, day.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let day = Int(day),
            let month = months.firstIndex(of: month).map({ $0 + 1 }), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2],
            (1...Self.dayCount(year, month)).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
            (0...60).contains(second)
        else { return nil }
        secondsSince1970 =
            Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Accepts `sun`, `sun,` and `sunday,`. The weekday is not compared with the date, since
    /// servers make mistakes and the date is sufficient.
    private static func isWeekday(_ text: String) -> Bool {
        let name = text.hasSuffix(",") ? text.dropLast() : text[...]
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return days.contains { $0 == name || $0.prefix(3) == name }
    }

    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days since 1 January 1970 in the Gregorian calendar. Years start in March, so that the leap
    /// day is the last day of a year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
