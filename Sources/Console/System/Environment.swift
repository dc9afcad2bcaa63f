import Glibc

/// Environment variables; an empty one counts as unset.
package enum Environment {
    package static subscript(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The user's state directory: `$XDG_STATE_HOME` or `~/.local/state`; nil if neither is known.
    package static var state: String? { Self["XDG_STATE_HOME"] ?? Self["HOME"].map { $0 + "/.local/state" } }

    /// Whether `PATH` has a program.
    package static func hasProgram(_ program: String) -> Bool {
        (Self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").contains { folder in
            access("\(folder)/\(program)", X_OK) == 0
        }
    }

    /// The absolute form of a path relative to the current directory.
    ///
    /// - Throws: `ExitFailure` if the current directory is unknown.
    package static func absolute(_ path: String) throws -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        guard let here = getcwd(nil, 0) else {
            throw ExitFailure("cannot determine the current directory: \(SystemError.text(errno)); give an absolute path")
        }
        defer { free(here) }
        let below = path == "." ? "" : path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return String(cString: here) + "/" + below
    }

    /// This program's environment with other variables added or replaced, each as the bytes of
    /// `NAME=value`.
    static func with(_ others: [String: String]) -> [[UInt8]] {
        let added = others.sorted { $0.key < $1.key }
        let names = added.map { Array("\($0.key)=".utf8) }
        var variables: [[UInt8]] = []
        var next = environ
        while let variable = next.pointee {
            let bytes = UnsafeBufferPointer(start: variable, count: strlen(variable)).map { UInt8(bitPattern: $0) }
            if !names.contains(where: bytes.starts) { variables.append(bytes) }
            next += 1
        }
        return variables + added.map { Array("\($0.key)=\($0.value)".utf8) }
    }
}

/// What the three standard file descriptors are connected to.
package enum Terminal {
    package static let isOutput = isatty(STDOUT_FILENO) == 1
    package static let isError = isatty(STDERR_FILENO) == 1
    package static let isInput = isatty(STDIN_FILENO) == 1
    /// Whether a person sees what the program prints, and can answer.
    package static var isInteractive: Bool { isInput && isOutput && isError }

    /// Width of the terminal on standard output; nil if that is not a terminal.
    package static var columns: Int? {
        guard isOutput else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Height of the terminal on standard output; `Int.max` if that is not a terminal.
    package static var rows: Int {
        guard isOutput else { return .max }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// The style for standard output: colours on a terminal, unless NO_COLOR is set or TERM is
    /// `dumb`.
    package static var style: Style { Style(isOn: isOutput && wantsColours) }

    /// The style for standard error, by the same rules.
    package static var errorStyle: Style { Style(isOn: isError && wantsColours) }

    private static var wantsColours: Bool { Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb" }
}
