package import NoteText
package import NotesModel

/// The text form of times: RFC 3339 in UTC with milliseconds, such as `2026-11-20T23:29:57.123Z`.
package enum TimestampText {
    /// The text of a time; see `append`.
    package static func text(_ timestamp: Timestamp) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(textBytes)
        append(timestamp, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of a time.
    ///
    /// The form has four-digit years, so times before year 0 or after 9999 become the first or last
    /// time in that range.
    ///
    /// - Complexity: O(1), by arithmetic on the proleptic Gregorian calendar.
    static func append(_ timestamp: Timestamp, to text: inout [UInt8]) {
        let milliseconds = min(max(timestamp.milliseconds, first), last)
        let day = floorDivide(milliseconds, dayMilliseconds)
        let time = milliseconds - day * dayMilliseconds
        let date = civil(ofDay: day)
        append(date.year, digits: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.month, digits: 2, to: &text)
        text.append(UInt8(ascii: "-"))
        append(date.day, digits: 2, to: &text)
        text.append(UInt8(ascii: "T"))
        append(time / 3_600_000, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(time / 60_000 % 60, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(time / 1_000 % 60, digits: 2, to: &text)
        text.append(UInt8(ascii: "."))
        append(time % 1_000, digits: 3, to: &text)
        text.append(UInt8(ascii: "Z"))
    }

    /// The time with this text; nil for anything but the canonical form, and for dates and times
    /// that do not exist (leap seconds too).
    package static func timestamp(parsing text: ByteString) -> Timestamp? {
        let utf8 = text.utf8
        guard utf8.count == textBytes, zip(utf8, pattern).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64 { utf8[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
        let days = dayNumber(year: year, month: month, day: day)
        // A day past the end of its month would convert back to a different date.
        guard day >= 1, civil(ofDay: days) == (year, month, day) else { return nil }
        let time = ((hour * 60 + minute) * 60 + second) * 1_000 + number(20..<23)
        return Timestamp(milliseconds: days * dayMilliseconds + time)
    }

    private static let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
    private static let textBytes = 24
    private static let dayMilliseconds: Int64 = 86_400_000
    private static let first = dayNumber(year: 0, month: 1, day: 1) * dayMilliseconds
    private static let last = dayNumber(year: 10_000, month: 1, day: 1) * dayMilliseconds - 1

    // MARK: The calendar
    //
    // Howard Hinnant's algorithms (chrono-Compatible Low-Level Date Algorithms). Years begin on
    // 1 March, so that a leap day is the last day of its year. 400 years form an era, which
    // always has 146,097 days. Day 0 is 1970-01-01, 719,468 days after 0000-03-01.

    private static let eraDays: Int64 = 146_097
    private static let epochDay: Int64 = 719_468

    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let era = floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = firstDay(ofMarchMonth: (month + 9) % 12) + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * eraDays + dayOfEra - epochDay
    }

    private static func civil(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + epochDay
        let era = floorDivide(shifted, eraDays)
        let dayOfEra = shifted - era * eraDays
        // Without the leap days so far, every year has 365 days.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / (eraDays - 1)) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - firstDay(ofMarchMonth: marchMonth) + 1)
    }

    /// The day of the March-based year on which a month begins. Five months have 153 days, starting
    /// with March.
    private static func firstDay(ofMarchMonth month: Int64) -> Int64 {
        (153 * month + 2) / 5
    }

    private static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient - 1 : quotient
    }

    private static func append(_ number: Int64, digits: Int, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
