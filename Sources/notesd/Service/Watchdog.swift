import Glibc
import NotesEngine
import NotesModel
import NotesServer
import Systemd

/// Notifies the service manager that the daemon is alive, with a status line, each time that the
/// commit path and every event loop have responded. If one of them is stuck, the notification stays
/// out and the manager restarts the daemon.
struct Watchdog {
    let manager: ServiceManager
    let server: Server

    /// Longest time between two notifications. The watchdog timeout may shorten it to a third of
    /// that timeout.
    private static let interval = Duration.seconds(10)

    /// Notifies the manager until the task is cancelled.
    func run() async {
        let interval = min(Self.interval, manager.watchdog.map { $0 / 3 } ?? Self.interval)
        var lastStatus = ""
        while true {
            do { try await Task.sleep(for: interval) } catch { return }
            guard let heartbeat = await server.heartbeat(), !Task.isCancelled else { continue }
            let status = heartbeat.status
            manager.keepAlive(status: status == lastStatus ? nil : status)
            lastStatus = status
        }
    }
}

extension Heartbeat {
    /// One line for `systemctl status`: numbers of notes and dependents, time of the last commit,
    /// and whether writes are refused.
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
    /// The time in UTC, to the second: `2026-11-21 19:40:03 UTC`.
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
