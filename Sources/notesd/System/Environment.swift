@preconcurrency import Glibc

/// The environment variables that the daemon uses, and the default paths that follow from them.
struct Environment: Sendable {
    /// Values by name, including empty ones.
    let variables: [String: String]

    /// Reads the variables of this process. Of duplicate names, the first counts.
    static func ofThisProcess() -> Environment {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            entry += 1
            let line = String(cString: text)
            guard let equals = line.firstIndex(of: "=") else { continue }
            let name = String(line[..<equals])
            guard name.hasPrefix("NOTESD_") || others.contains(name), variables[name] == nil else { continue }
            variables[name] = String(line[line.index(after: equals)...])
        }
        return Environment(variables: variables)
    }

    /// Names of the variables to read, besides those that begin with `NOTESD_`.
    private static let others: Set<String> = [
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "JOURNAL_STREAM", "NO_COLOR", "TERM",
    ]

    /// Value of a variable; nil if it is unset or empty, as the XDG Base Directory Specification
    /// requires.
    subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Value of a variable that names a directory; nil also if it is not absolute, as that
    /// specification requires.
    private func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Path of the socket if nothing is configured.
    var defaultSocket: String? {
        directory("XDG_RUNTIME_DIR").map { $0 + "/notesd/notesd.sock" }
    }

    /// Directory of the store if nothing is configured.
    var defaultData: String? {
        directory("XDG_DATA_HOME").map { $0 + "/notesd" } ?? directory("HOME").map { $0 + "/.local/share/notesd" }
    }

    /// Path of the configuration file if nothing names one.
    var defaultConfig: String? {
        directory("XDG_CONFIG_HOME").map { $0 + "/notesd/notesd.toml" }
            ?? directory("HOME").map { $0 + "/.config/notesd/notesd.toml" }
    }
}
