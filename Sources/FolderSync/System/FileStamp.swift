import Console
import Glibc

/// The attributes of a file that change when it is written. A file with the same stamp has the same text, unless a program wrote
/// it twice within one tick of the file system's clock.
struct FileStamp: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let bytes: Int
    /// Nanoseconds since 1970. A time before 1678 or after 2261 is the first or last one that fits.
    let modified: Int64
    /// Nanoseconds since 1970 at which the file or its attributes were changed.
    let changed: Int64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        bytes = Int(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflows) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        guard overflows || sumOverflows else { return sum }
        return time.tv_sec < 0 ? .min : .max
    }

    /// Whether the stamp may be recorded: a change of the file after the look has another stamp, also if a clock
    /// is a little slow. A time in the future never is old.
    ///
    /// - Parameters:
    ///   - look: nanoseconds since 1970, before the file was read.
    ///   - age: nanoseconds.
    func isOlder(than age: Int64, at look: Int64) -> Bool {
        look.minus(clamping: changed) >= age && look.minus(clamping: modified) >= age
    }

    /// Whether the stamp is old enough to be trusted: the file has not changed within the last ticks.
    ///
    /// - Parameter now: nanoseconds since 1970 when the stamp was read.
    func isTrusted(at now: Int64) -> Bool { now.minus(clamping: changed) >= Self.tick }

    /// More than a tick of the clock of any file system that is in use, in nanoseconds.
    static let tick: Int64 = 20_000_000
    /// The age of a stamp that is recorded, in nanoseconds.
    static let recordedAge: Int64 = 2_000_000_000
}
