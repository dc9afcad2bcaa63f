import Logging
import NotesEngine
import NotesServer

/// Values of all settings, after options, environment variables, files and defaults are combined.
struct Settings: Hashable, Sendable {
    /// Path of the socket; nil for the default, which depends on the environment.
    var socket: String?
    /// Directory of the store; nil for the default, which depends on the environment.
    var data: String?
    /// Number of event loops; 0 chooses by the number of processors.
    var threads = 0
    /// Name of a `Logger.Level`.
    var logLevel = "info"
    /// Limits as configured. `servedLimits` has those that apply.
    var limits = ServiceLimits()
    /// Days for which old texts are kept; nil keeps all texts.
    var historyKeepDays: Int?
    /// Whether purges of other machines erase here: `accept` or `refuse`.
    var historyPurges = "accept"
    /// Limits on files as configured, without `filesTotalBytesMax`.
    var files = FileLimits()
    /// Maximum number of bytes of all files; nil for no limit.
    var filesTotalBytesMax: Int?
    /// Users and groups with access besides root and the user that the daemon runs as.
    var access = AccessSettings()
}

/// The access lists as configured: names that are not looked up yet.
struct AccessSettings: Hashable, Sendable {
    var read: [String] = []
    var write: [String] = []
    var sync: [String] = []
    var admin: [String] = []
}

extension Settings {
    /// Parsed `logLevel`.
    var level: Logger.Level { Logger.Level(rawValue: logLevel) ?? .info }

    /// `historyKeepDays` as the engine takes it.
    var historyPolicy: HistoryPolicy { historyKeepDays.map { .keepDays($0) } ?? .keepAll }

    /// The limits on files as the engine takes them.
    var fileLimits: FileLimits {
        var limits = files
        limits.totalBytesMax = filesTotalBytesMax ?? .max
        return limits
    }

    /// The limits that apply: as configured, with connections limited to what the system's limit on
    /// open files permits.
    var servedLimits: ServiceLimits {
        var served = limits
        served.connectionsMax = min(limits.connectionsMax, Files.connectionsMax)
        return served
    }
}
