import Glibc

/// A connection to the service manager that started this process (as `sd_notify(3)`, without its
/// library).
///
/// Each message is a datagram of lines `NAME=value`. It is not an error if the manager is gone.
/// Watchdog and status messages are dropped when the manager's queue is full; all other messages
/// wait for it.
package final class ServiceManager: Sendable {
    private let socket: DatagramSocket
    /// The interval within which the manager expects `keepAlive`, after which it kills the process;
    /// nil when the watchdog is off.
    package let watchdog: Duration?

    /// Opens the connection.
    ///
    /// - Parameter variable: reads an environment variable: `NOTIFY_SOCKET`, `WATCHDOG_USEC` or
    ///   `WATCHDOG_PID`.
    /// - Returns: nil when the manager did not ask for notifications.
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

    /// Reports that the process serves requests, for the first time or again after `reloading`.
    package func ready(status: String) { send("READY=1", status: status) }

    /// Reports that the process is reloading its configuration. `ready` ends the reload.
    package func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", status: "Reloading the configuration")
    }

    /// Reports that the process is shutting down.
    package func stopping(status: String) { send("STOPPING=1", status: status) }

    /// Reports a status line for `systemctl status`.
    package func status(_ status: String) { send(nil, status: status, mayWait: false) }

    /// Resets the manager's watchdog timer.
    package func keepAlive(status: String? = nil) { send("WATCHDOG=1", status: status, mayWait: false) }

    /// Asks for more time to start or stop, counted from now. Fractions of a second are dropped.
    package func extendTimeout(by time: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(max(0, time.components.seconds) * 1_000_000)", status: nil)
    }

    /// Reports that the process ends because of a failure.
    ///
    /// - Parameter code: the `errno` value closest to the failure.
    package func failed(code: Int32, status: String) { send("ERRNO=\(code)", status: status) }

    private func send(_ assignments: String?, status: String?, mayWait: Bool = true) {
        // A line break would start another assignment. Replace control characters, and cut at 1,024
        // bytes.
        let status = status.map {
            "STATUS=" + String(decoding: $0.utf8.map { $0 < 0x20 ? 0x20 : $0 }.prefix(1_024), as: UTF8.self)
        }
        socket.send(Array([assignments, status].compactMap(\.self).joined(separator: "\n").utf8), mayWait: mayWait)
    }
}
