import Glibc
package import NotesModel

/// The system clock and the user's time zone.
package enum Clock {
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package static func local(_ time: Timestamp) -> CalendarTime {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return CalendarTime(
            year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, dayOfMonth: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    }

    /// The time of a calendar time in the user's time zone; nil if the calendar has none.
    static func timestamp(_ time: CalendarTime) -> Timestamp? {
        var parts = tm()
        parts.tm_year = Int32(clamping: time.year - 1_900)
        parts.tm_mon = Int32(clamping: time.month - 1)
        parts.tm_mday = Int32(clamping: time.dayOfMonth)
        parts.tm_hour = Int32(clamping: time.hour)
        parts.tm_min = Int32(clamping: time.minute)
        parts.tm_sec = Int32(clamping: time.second)
        // The library finds out whether daylight saving time applies.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : Timestamp(milliseconds: Int64(seconds) * 1_000)
    }
}
