#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the system says of files, disks, the clock and units.
enum SystemFacts {
    struct File {
        let mode: mode_t
        let owner: uid_t
        let isSocket: Bool
    }

    /// Nil where there is none, or it cannot be seen.
    static func file(_ path: String) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(mode: status.st_mode & 0o7777, owner: status.st_uid, isSocket: status.st_mode & S_IFMT == S_IFSOCK)
    }

    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// Bytes that this user may still write there; nil where that cannot be told.
    static func freeBytes(_ path: String) -> UInt64? {
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { return nil }
        let (bytes, overflow) = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether something keeps the clock right; nil where the system does not say.
    static var isClockSynchronised: Bool? {
        switch output(of: "timedatectl show --property=NTPSynchronized --value 2>/dev/null") {
        case ["yes"]: true
        case ["no"]: false
        default: nil
        }
    }

    /// What the service manager says of units, a word each, such as `active`; nil where there is none.
    static func units(_ names: [String], isUser: Bool) -> [String]? {
        let manager = isUser ? "systemctl --user" : "systemctl"
        let words = output(of: "\(manager) is-active \(names.joined(separator: " ")) 2>/dev/null")
        return words.count == names.count ? words : nil
    }

    /// The lines that a command of the shell writes, whatever its end.
    private static func output(of command: String) -> [String] {
        guard let output = try? PrivateDirectory.scratch(),
            (try? Child.run(["sh", "-c", command], output: output.number)) != nil
        else { return [] }
        output.rewind()
        guard let bytes = try? output.readAll() else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
