import Glibc

/// The service manager that started this process, told how it is (`sd_notify(3)`, without its library).
///
/// What is sent is a datagram of lines `NAME=value`. A manager that has gone is no error. Signs of life and the status are dropped where
/// the manager does not take them at once; what it has to hear waits for it.
package final class ServiceManager: Sendable {
    private let socket: DatagramSocket
    /// Within which time the manager wants to hear `keepAlive`, or it ends the process; nil where it does not watch.
    package let watchdog: Duration?

    /// - Parameter variable: reads a variable of the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    /// - Returns: nil where nobody wants to be told.
    package init?(variable: (String) -> String?) {
        guard let path = variable("NOTIFY_SOCKET"), let socket = DatagramSocket(to: path) else { return nil }
        self.socket = socket
        watchdog = Self.watchdog(variable)
    }

    private static func watchdog(_ variable: (String) -> String?) -> Duration? {
        guard let microseconds = variable("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 0 else { return nil }
        if let process = variable("WATCHDOG_PID"), process != String(getpid()) { return nil }
        return .microseconds(microseconds)
    }

    /// The process serves, for the first time or again after `reloading`.
    package func ready(status: String) { send("READY=1", status: status) }

    /// It reads its configuration again; `ready` ends this.
    package func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", status: "Reads its configuration again")
    }

    package func stopping(status: String) { send("STOPPING=1", status: status) }

    /// How it is, for `systemctl status`.
    package func status(_ status: String) { send(nil, status: status, mayWait: false) }

    /// It is alive.
    package func keepAlive(status: String? = nil) { send("WATCHDOG=1", status: status, mayWait: false) }

    /// Starting, or stopping, takes so much longer from now.
    package func extendTimeout(by time: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(max(0, time.components.seconds) * 1_000_000)", status: nil)
    }

    /// It ends, since something failed.
    ///
    /// - Parameter code: of `errno`, nearest to what happened.
    package func failed(code: Int32, status: String) { send("ERRNO=\(code)", status: status) }

    private func send(_ assignments: String?, status: String?, mayWait: Bool = true) {
        // A line's end would begin another assignment.
        let status = status.map {
            "STATUS=" + String(decoding: $0.utf8.map { $0 < 0x20 ? 0x20 : $0 }.prefix(1_024), as: UTF8.self)
        }
        socket.send(Array([assignments, status].compactMap(\.self).joined(separator: "\n").utf8), mayWait: mayWait)
    }
}
