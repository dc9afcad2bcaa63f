/// The reason why systemd cannot start the daemon.
package struct StartFailure: Hashable {
    /// Exit code of the daemon's last run.
    let code: Int
    /// The daemon's status text, which names the reason; empty if it sent none.
    let reason: String

    /// Reads the output of `systemctl show`, one `NAME=VALUE` per line.
    ///
    /// - Returns: nil unless the last run ended with an error and the service is not active.
    init?(properties: [String]) {
        // Between two attempts, the state is `activating`.
        let isDown = Self.value("ActiveState", properties) == "failed" || Self.value("SubState", properties) == "auto-restart"
        guard isDown, let code = Self.value("ExecMainStatus", properties).flatMap({ Int($0) }), code != 0 else { return nil }
        (self.code, reason) = (code, Self.value("StatusText", properties) ?? "")
    }

    /// Whether systemd is starting the daemon now, and waits for it to report that it is ready.
    static func isAttemptRunning(properties: [String]) -> Bool {
        value("ActiveState", properties) == "activating" && value("SubState", properties) != "auto-restart"
    }

    private static func value(_ name: String, _ properties: [String]) -> String? {
        properties.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
