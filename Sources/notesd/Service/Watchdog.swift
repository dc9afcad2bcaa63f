import Glibc
import NotesEngine
import NotesModel
import NotesServer
import ServiceLifecycle
import Systemd

/// Tells the service manager that the daemon is alive, and how it is, each time that the commit path and every event loop have come by.
/// Where one of them is stuck nothing is told, and the manager starts the daemon again.
struct Watchdog: Service {
    let manager: ServiceManager
    let server: Server

    /// Between two looks where nobody watches, for the status alone.
    private static let interval = Duration.seconds(10)

    func run() async {
        let interval = min(Self.interval, manager.watchdog.map { $0 / 3 } ?? Self.interval)
        var told = ""
        while await Self.sleeps(interval) {
            guard let heartbeat = await server.heartbeat() else { continue }
            let status = heartbeat.status
            manager.keepAlive(status: status == told ? nil : status)
            told = status
        }
    }

    /// Returns false once the daemon stops.
    private static func sleeps(_ interval: Duration) async -> Bool {
        await cancelWhenGracefulShutdown {
            do { try await Task.sleep(for: interval) } catch { return false }
            return !Task.isShuttingDownGracefully
        }
    }
}

extension Heartbeat {
    /// One line for `systemctl status`.
    var status: String {
        var status = "\(notes) \(notes == 1 ? "note" : "notes"), \(dependents) \(dependents == 1 ? "dependent" : "dependents"), "
        status += lastCommitAt.map { "last of \(commits) commits at \($0.utc)" } ?? "no commit yet"
        switch state {
        case .ok: return status
        case .full: return "NO ROOM, writes are refused; " + status
        case .readOnly: return "READ ONLY, writes are refused; " + status
        }
    }
}

extension Timestamp {
    /// To the second, as `2026-11-21 19:40:03 UTC`.
    fileprivate var utc: String {
        var time = time_t(milliseconds / 1_000)
        var parts = tm()
        var text = [CChar](repeating: 0, count: 64)
        guard gmtime_r(&time, &parts) != nil, strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0 else {
            return "an unknown time"
        }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
