import Logging
import ServiceLifecycle
import Synchronization
import Systemd

/// Notifies the service manager when a graceful shutdown begins. From then on it extends the
/// timeout for as long as this object lives.
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
        manager?.stopping(status: "Stopping: answering pending requests")
        if let manager { timeoutExtender.withLock { $0 = TimeoutExtender(manager) } }
        log.tellJournal("stopping", "stopping: answering pending requests and notifying clients")
    }
}

/// Repeats the lookup of names that failed when the configuration was read.
struct AccessRefresher: Service {
    let reloader: Reloader

    func run() async {
        await cancelWhenGracefulShutdown { await reloader.lookAgain() }
    }
}
