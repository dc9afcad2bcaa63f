import Console

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

    /// The exit code of a daemon whose configuration is invalid (`EX_CONFIG`).
    private static let configurationCode = 78

    /// The finding of `doctor`.
    ///
    /// - Parameters:
    ///   - journal: the command that prints the daemon's log.
    ///   - units: the states of the units.
    package func finding(units: String, journal: String) -> Finding {
        let detail = reason.isEmpty ? "" : ": \(SafeText.line(reason))"
        let todo =
            code == Self.configurationCode
            ? "correct the configuration; the next client that connects starts the daemon"
            : "remove the cause; its log has more: \(journal)"
        return .fault("units", "\(units); the daemon does not start\(detail) (exit code \(code))", todo: todo)
    }
}
