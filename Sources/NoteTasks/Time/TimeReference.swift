import ArgumentParser
import Console
package import NotesModel

/// Times as users write them on the command line.
package enum TimeReference {
    /// The time that a text denotes; nil if it denotes none.
    ///
    /// The forms are an age (`30min`, `12h`, `3d`, `2w`), `today`, `yesterday`, a day
    /// (`2026-11-25`), and a day with a time (`2026-11-25T14:00`, also with a space and with
    /// seconds). Days begin at midnight in the user's time zone.
    ///
    /// - Parameters:
    ///   - local: a time in the user's time zone.
    ///   - timestamp: the inverse of `local`; nil if there is no such time.
    static func time(
        _ text: String, now: Timestamp, local: (Timestamp) -> CalendarTime, timestamp: (CalendarTime) -> Timestamp?
    ) -> Timestamp? {
        var today = local(now)
        (today.hour, today.minute, today.second) = (0, 0, 0)
        switch text {
        case "today": return timestamp(today)
        case "yesterday":
            // The calendar normalises the zeroth day of a month to the last one of the month before.
            today.dayOfMonth -= 1
            return timestamp(today)
        default:
            if let seconds = age(text) { return Timestamp(milliseconds: now.milliseconds - seconds * 1_000) }
            return calendarTime(text).flatMap { timestamp($0) }
        }
    }

    /// The time that the option `--since` denotes; nil without the option.
    ///
    /// - Throws: `ValidationError` if the text is no time.
    package static func since(_ text: String?) throws -> Timestamp? {
        guard let text else { return nil }
        guard let time = time(text, now: Clock.now(), local: Clock.local, timestamp: Clock.timestamp) else {
            throw ValidationError(
                "--since \(Shell.quoted(text)) is not a time; give an age such as 3d, or a day such as 2026-11-25.")
        }
        return time
    }

    /// The greatest number of an age, so that no unit overflows.
    private static let ageMax: Int64 = 1_000_000

    /// The seconds of an age such as `3d`.
    package static func age(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= ageMax else { return nil }
        let unit: Int64? =
            switch text.dropFirst(digits.count) {
            case "s": 1
            case "m", "min": 60
            case "h": 3_600
            case "d": 86_400
            case "w": 604_800
            default: nil
            }
        return unit.map { number * $0 }
    }

    private static func calendarTime(_ text: String) -> CalendarTime? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard let day = parts.first, let date = numbers(day, [4, 2, 2], "-"), (1...12).contains(date[1]),
            (1...31).contains(date[2])
        else { return nil }
        var time = [0, 0, 0]
        if parts.count == 2 {
            guard let clock = numbers(parts[1], [2, 2], ":") ?? numbers(parts[1], [2, 2, 2], ":"), clock[0] < 24,
                clock.allSatisfy({ $0 < 60 })
            else { return nil }
            time.replaceSubrange(0..<clock.count, with: clock)
        }
        return CalendarTime(
            year: date[0], month: date[1], dayOfMonth: date[2], hour: time[0], minute: time[1], second: time[2])
    }

    /// The numbers of a text with fixed numbers of digits; nil if the text has another form.
    private static func numbers(_ text: Substring, _ lengths: [Int], _ separator: Character) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == lengths else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
