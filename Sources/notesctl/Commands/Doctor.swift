import ArgumentParser
import Glibc
import NotesClient
import NotesModel
import NotesWire

struct Doctor: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems with the daemon, and suggest remedies.",
        discussion: """
            Examples:
              notesctl doctor
              notesctl doctor --socket /run/notesd/notesd.sock
              notesctl doctor --format '{severity} {check}: {what}'

            Checks the socket and its permissions, the systemd units, the versions, the disk, the \
            store and the clock. Prints one line per check: ok, a note, or a fault with a remedy. \
            Changes nothing. The exit code is 1 if there is a fault, 69 if no daemon answers, and \
            77 if the daemon refuses you. `notesctl audit` makes the daemon check its whole store.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        var findings: [Finding] = []
        let answer: (status: StatusResult?, code: ExitStatus, findings: [Finding])
        if let path = try? options.socketPath() {
            findings += socket(path)
            findings += units(path)
            answer = await fetchStatus()
        } else {
            findings.append(Self.unnamed)
            findings += units(nil)
            answer = (nil, .noDaemon, [])
        }
        findings += answer.findings
        findings += disk()
        findings.append(
            Diagnosis.clock(
                now: Clock.now(), lastCommit: answer.status?.store.lastCommit, isSynchronised: SystemFacts.isClockSynchronised))
        for finding in findings {
            if options.isForPrograms {
                try options.emit(finding.json)
            } else {
                try Output.lines(finding.lines(Terminal.style))
            }
        }
        let faults = findings.count { $0.severity == .fault }
        guard faults > 0 else { return }
        throw ExitFailure(
            "\(counted(faults, "fault")); the list above has a remedy for each",
            answer.code)
    }

    /// The finding if neither options, environment nor defaults give the path of a socket.
    private static var unnamed: Finding {
        .fault(
            "socket", GlobalOptions.noSocket,
            todo:
                "log in so that XDG_RUNTIME_DIR is set (`machinectl shell \"$USER\"@`, or ssh), or give the socket with --socket")
    }

    /// Where the path of the socket comes from.
    private var origin: String {
        if options.socket != nil { return "--socket" }
        if Environment["NOTESD_SOCKET"] != nil { return "NOTESD_SOCKET" }
        return "the default"
    }

    /// Checks the socket: that it exists, its type, owner and mode, and its directory.
    private func socket(_ path: String) -> [Finding] {
        let shown = SafeText.line(path)
        guard let file = SystemFacts.file(path) else {
            return [
                .fault(
                    "socket", "\(shown) (\(origin)) does not exist",
                    todo:
                        "start it: systemctl --user enable --now notesd.socket, or run notesd; or give another one with --socket")
            ]
        }
        guard file.isSocket else {
            return [.fault("socket", "\(shown) is not a socket", todo: "remove that file, and start notesd again")]
        }
        var findings = [Finding.ok("socket", "\(shown) (\(origin)), mode 0\(String(file.mode, radix: 8))")]
        if ![0, getuid()].contains(file.owner) {
            findings.append(
                .note(
                    "socket", "it belongs to another user (\(file.owner)), who can read everything you write through it",
                    todo: "check that the daemon runs as this user: ls -l \(Shell.quoted(path))"))
        }
        if access(path, R_OK | W_OK) != 0 {
            findings.append(
                .fault(
                    "permissions", "you have no permission to open \(shown)",
                    todo: "add yourself to its group: sudo adduser \"$USER\" notesd; then log in again"))
        }
        let folder = SystemFacts.folder(of: path)
        if let facts = SystemFacts.file(folder.isEmpty ? "." : folder) {
            let isOwn = [0, getuid(), file.owner].contains(facts.owner)
            findings.append(Diagnosis.folder(SafeText.line(folder), mode: facts.mode, isOwn: isOwn))
        }
        return findings
    }

    /// Checks the systemd units.
    ///
    /// - Parameter path: the socket, which decides between the system and the user manager; nil if unknown.
    private func units(_ path: String?) -> [Finding] {
        let isUser = path != GlobalOptions.systemSocket
        let manager = isUser ? "systemctl --user" : "systemctl"
        let names = ["notesd.socket", "notesd.service"]
        guard let states = SystemFacts.units(names, isUser: isUser) else {
            return [.note("units", "no service manager found; start notesd by hand")]
        }
        let text = zip(names, states).map { "\($0) is \(SafeText.line($1))" }.joined(separator: ", ")
        if states.contains("failed") {
            return [
                .fault(
                    "units", text,
                    todo: "see why: \(manager) status notesd.service; then \(manager) reset-failed notesd.service, and start it")
            ]
        }
        if states[0] == "active" { return [.ok("units", text)] }
        return [.note("units", text, todo: "\(manager) enable --now notesd.socket, to start the daemon on the first connection")]
    }

    /// Asks the daemon for its status.
    ///
    /// - Returns: the status, nil if there is none; the exit code to use if any check finds a fault;
    ///   and the findings.
    private func fetchStatus() async -> (status: StatusResult?, code: ExitStatus, findings: [Finding]) {
        do {
            return try await options.withClient { client in
                let status = try await client.status()
                var findings: [Finding] = []
                if let hello = await client.hello {
                    findings.append(.ok("daemon", "it answers; you are \(hello.user.name), with \(hello.access.rawValue) access"))
                    findings.append(Diagnosis.versions(hello.server))
                }
                findings.append(Diagnosis.severity(status))
                return (status, .failed, findings + Diagnosis.store(status))
            }
        } catch {
            let failure = (error as? ClientError).map { ExitFailure($0) } ?? error as? ExitFailure
            let what = failure?.message ?? "\(error)"
            if let failure, failure.code == .notAllowed {
                let todo = "ask its administrator for access: the [access] settings and the socket's group"
                return (nil, .notAllowed, [.fault("daemon", what, todo: todo)])
            }
            return (
                nil, .noDaemon,
                [.fault("daemon", what, todo: "see its log: journalctl --user -u notesd (or -u notesd); then start it again")]
            )
        }
    }

    /// Free space in the default locations of a store.
    private func disk() -> [Finding] {
        let data = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { $0 + "/.local/share" }
        let places = (data.map { [$0 + "/notesd"] } ?? []) + ["/var/lib/notesd"]
        let found = places.compactMap { place in
            SystemFacts.freeBytes(place).map { Diagnosis.disk(SafeText.line(place), free: $0) }
        }
        return found.isEmpty ? [.note("disk", "the store is not in a default location, so its disk was not checked")] : found
    }
}
