import Logging
import NotesEngine
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
    /// Who is let in besides the user that the daemon runs as.
    var access = AccessSettings()
}

/// Names as they were written, by what those may do.
struct AccessSettings: Hashable, Sendable {
    var read: [String] = []
    var write: [String] = []
    var admin: [String] = []
}

extension Settings {
    var level: Logger.Level { Logger.Level(rawValue: logLevel) ?? .info }

    var historyPolicy: HistoryPolicy { historyKeepDays.map { .keepDays($0) } ?? .keepAll }

    /// The limits, as far as the system has room for them.
    var servedLimits: ServiceLimits {
        var served = limits
        served.connectionsMax = min(limits.connectionsMax, Files.connectionsMax)
        return served
    }
}
