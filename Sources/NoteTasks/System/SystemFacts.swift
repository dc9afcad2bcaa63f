import Console
package import Glibc

/// Queries of the system about files, disks, the clock and units.
package enum SystemFacts {
    package struct File {
        package let mode: mode_t
        package let owner: uid_t
        package let isSocket: Bool
    }

    /// Returns nil if there is no such file, or it is inaccessible.
    package static func file(_ path: String) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(mode: status.st_mode & 0o7777, owner: status.st_uid, isSocket: status.st_mode & S_IFMT == S_IFSOCK)
    }

    /// The directory of a path: the path without its last component.
    package static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// Bytes that this user may still write on the disk of a path; nil if unknown.
    package static func freeBytes(_ path: String) -> UInt64? {
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { return nil }
        let (bytes, overflow) = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether a time service keeps the clock right; nil if the system does not report it.
    package static var isClockSynchronised: Bool? {
        switch output(of: "timedatectl show --property=NTPSynchronized --value 2>/dev/null") {
        case ["yes"]: true
        case ["no"]: false
        default: nil
        }
    }

    /// The states of units as systemd reports them, one word each, such as `active`. Nil without
    /// systemd.
    package static func units(_ names: [String], isUser: Bool) -> [String]? {
        let manager = isUser ? "systemctl --user" : "systemctl"
        let words = output(of: "\(manager) is-active \(names.joined(separator: " ")) 2>/dev/null")
        return words.count == names.count ? words : nil
    }

    /// Whether a systemd manager of this user answers.
    package static var isUserManagerThere: Bool {
        !output(of: "systemctl --user show --property=Version --value 2>/dev/null").isEmpty
    }

    /// Whether the user's manager has a unit file.
    package static func isUnitFileThere(_ name: String) -> Bool {
        !output(of: "systemctl --user list-unit-files --no-legend \(Shell.quoted(name)) 2>/dev/null").isEmpty
    }

    /// Why the service does not start, as systemd reports it; nil if it runs, was never started, or
    /// there is no systemd.
    ///
    /// During an attempt to start it, systemd reports no reason, so this waits for the end of the
    /// attempt, for up to 2 s.
    package static func startFailure(isUser: Bool) -> StartFailure? {
        let manager = isUser ? "systemctl --user" : "systemctl"
        let names = "ActiveState,SubState,ExecMainStatus,StatusText"
        for attempt in 1... {
            let properties = output(of: "\(manager) show --property=\(names) notesd.service 2>/dev/null")
            guard attempt < 20, StartFailure.isAttemptRunning(properties: properties) else {
                return StartFailure(properties: properties)
            }
            usleep(100_000)
        }
        return nil
    }

    /// The lines that a shell command prints, whatever its exit status; empty if it cannot run.
    private static func output(of command: String) -> [String] {
        guard let output = try? PrivateDirectory.scratch(),
            (try? Child.run(["sh", "-c", command], output: output.number)) != nil
        else { return [] }
        output.rewind()
        guard let bytes = try? output.readAll() else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
