package import NotesModel

/// Times for display.
package enum RelativeTime {
    /// The age of a time, such as `5 min`, up to a week; then its day. A time in the future, as
    /// clocks may differ, is `now`.
    ///
    /// - Parameter local: the same time in the user's time zone.
    package static func relative(_ time: Timestamp, now: Timestamp, local: CalendarTime) -> String {
        let seconds = (now.milliseconds - time.milliseconds) / 1_000
        return switch seconds {
        case ..<60: "now"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        case ..<604_800: "\(seconds / 86_400) d"
        default: local.day
        }
    }

    /// The age of a time as the end of a sentence, such as `5 min ago`.
    package static func ago(_ time: Timestamp, now: Timestamp, local: CalendarTime) -> String {
        let age = relative(time, now: now, local: local)
        return age == "now" ? "just now" : age == local.day ? "on \(age)" : "\(age) ago"
    }
}

/// A calendar date and time in some time zone.
package struct CalendarTime: Hashable {
    var year: Int
    var month: Int
    var dayOfMonth: Int
    var hour: Int
    var minute: Int
    var second: Int

    package var day: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(dayOfMonth, 2))" }
    package var clock: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))" }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
