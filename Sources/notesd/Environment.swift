@preconcurrency import Glibc

/// What the daemon finds around it, for defaults.
struct Environment: Sendable {
    let variables: [String: String]

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

    /// Besides those whose names begin with `NOTESD_`.
    private static let others: Set<String> = [
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "JOURNAL_STREAM", "NO_COLOR", "TERM",
    ]

    /// Nil where it is empty too, as the XDG Base Directory Specification has it.
    subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A directory variable; nil where it is not absolute too, as that specification has it.
    private func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    var defaultSocket: String? {
        directory("XDG_RUNTIME_DIR").map { $0 + "/notesd/notesd.sock" }
    }

    var defaultData: String? {
        directory("XDG_DATA_HOME").map { $0 + "/notesd" } ?? directory("HOME").map { $0 + "/.local/share/notesd" }
    }

    var defaultConfig: String? {
        directory("XDG_CONFIG_HOME").map { $0 + "/notesd/notesd.toml" }
            ?? directory("HOME").map { $0 + "/.config/notesd/notesd.toml" }
    }
}
