import Logging
import ServiceLifecycle
import Synchronization
import Systemd

/// Says that the daemon stops, and asks for time from then on, for as long as this is kept.
final class ShutdownNotifier: Service {
    private let manager: ServiceManager?
    private let log: DaemonLog
    private let timeoutExtender = Mutex<TimeoutExtender?>(nil)

    init(manager: ServiceManager?, log: DaemonLog) {
        self.manager = manager
        self.log = log
    }

    func run() async throws {
        try? await gracefulShutdown()
        manager?.stopping(status: "Answers what it took, and stops")
        if let manager { timeoutExtender.withLock { $0 = TimeoutExtender(manager) } }
        log.tellJournal("stopping", "stops: answers what it took, and tells its clients")
    }
}

/// Looks up who could not be found when the configuration was read.
struct AccessRefresher: Service {
    let reloader: Reloader

    func run() async {
        await cancelWhenGracefulShutdown { await reloader.lookAgain() }
    }
}
