import Console

extension StartFailure {
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
