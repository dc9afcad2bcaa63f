import NotesServer

/// What the daemon does differently for this user: the sum of options, environment, file and defaults.
struct Settings: Hashable, Sendable {
    /// Nil: where the environment says that sockets go.
    var socket: String?
    /// Nil: where the environment says that data goes.
    var data: String?
    /// Event loops; 0 lets the daemon choose by the machine.
    var threads = 0
    var logLevel = "info"
    var limits = ServiceLimits()
    /// Nil: the texts of all versions are kept.
    var historyKeepDays: Int?
}
