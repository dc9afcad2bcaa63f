import Dispatch
import Glibc
import Synchronization
import Systemd

/// Asks the service manager for more time for as long as the process gets on with what it does: recovering a store, or writing the
/// last of it, takes as long as the disk takes, and one that is stuck is not waited for.
final class TimeoutExtender: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    private static let interval = 5
    /// What is asked for each time.
    private static let more = Duration.seconds(30)

    /// Asks until it is released.
    init(_ manager: ServiceManager) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "notesd.patience"))
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

    /// Processor time in hundredths of a second, and blocks read and written, which grow while something is done.
    private static func used() -> [Int] {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return [] }
        let seconds: Int = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        // What asking costs itself is under a hundredth of a second.
        return [seconds * 100 + microseconds / 10_000, usage.ru_inblock, usage.ru_oublock]
    }
}
