import Dispatch
import Glibc
import Synchronization
import Systemd

/// Extends the service manager's timeout for as long as the process makes progress. Recovering a
/// store, or writing its last changes, takes as long as the disk takes. A stuck process gets no
/// extension.
///
/// Progress means that the process used the processor or the disk since the last check, 5 seconds
/// ago.
final class TimeoutExtender: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    /// Seconds between two checks.
    private static let interval = 5
    /// Extension that each notification asks for.
    private static let more = Duration.seconds(30)

    /// Extends the timeout at once and then while there is progress, until this object is released.
    init(_ manager: ServiceManager) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "notesd.timeout-extender"))
        let seen = Mutex(Self.used())
        timer.setEventHandler {
            let used = Self.used()
            let isBusy = seen.withLock { seen in
                defer { seen = used }
                return seen != used
            }
            if isBusy { manager.extendTimeout(by: Self.more) }
        }
        timer.schedule(deadline: .now(), repeating: .seconds(Self.interval))
        manager.extendTimeout(by: Self.more)
        timer.resume()
        self.timer = Mutex(timer)
    }

    deinit {
        timer.withLock { $0.cancel() }
    }

    /// Processor time in hundredths of a second, and blocks read and written. They grow while there
    /// is progress.
    private static func used() -> [Int] {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return [] }
        let seconds: Int = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        // The checks themselves cost less than a hundredth of a second.
        return [seconds * 100 + microseconds / 10_000, usage.ru_inblock, usage.ru_oublock]
    }
}
