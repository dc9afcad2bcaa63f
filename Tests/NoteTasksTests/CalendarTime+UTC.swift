import NotesModel
import NotesWire

@testable import NoteTasks

extension CalendarTime {
    /// A time in UTC.
    static func utc(_ time: Timestamp) -> CalendarTime {
        let text = Array(TimestampText.text(time).utf8)
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return CalendarTime(
            year: number(0..<4), month: number(5..<7), dayOfMonth: number(8..<10), hour: number(11..<13), minute: number(14..<16),
            second: number(17..<19))
    }
}
