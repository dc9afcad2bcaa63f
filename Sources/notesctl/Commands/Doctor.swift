import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct Doctor: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out what is wrong, and say what to do.",
        discussion: """
            Examples:
              notesctl doctor
              notesctl doctor --socket /run/notesd/notesd.sock
              notesctl doctor --format '{severity} {check}: {what}'

            Looks at the socket and who may open it, the units of the service manager, the versions, the disk, the store and \
            the clock. One line each: ok, a note, or a fault with what to do. The exit code is 1 where there is a fault, 69 \
            where no daemon answers, and 77 where it refuses you. It changes nothing. `notesctl audit` has the daemon read its whole store besides.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        var findings: [Finding] = []
        let answer: (status: StatusResult?, code: ExitStatus, findings: [Finding])
        if let path = try? options.socketPath() {
            findings += socket(path)
            findings += units(path)
            answer = await ask()
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
            "\(faults == 1 ? "one fault" : "\(faults) faults"); what to do stands above",
            answer.code)
    }

    /// Nothing says where the daemon's socket is to be.
    private static var unnamed: Finding {
        .fault(
            "socket", "none is named, XDG_RUNTIME_DIR is not set, and there is no \(GlobalOptions.systemSocket)",
            todo:
                "log in so that XDG_RUNTIME_DIR is set (`machinectl shell \"$USER\"@`, or ssh), or name the socket with --socket")
    }

    private var origin: String {
        if options.socket != nil { return "--socket" }
        if Environment["NOTESD_SOCKET"] != nil { return "NOTESD_SOCKET" }
        return "the default"
    }

    private func socket(_ path: String) -> [Finding] {
        let shown = SafeText.line(path)
        guard let file = SystemFacts.file(path) else {
            return [
                .fault(
                    "socket", "there is none at \(shown) (\(origin))",
                    todo:
                        "start it: systemctl --user enable --now notesd.socket, or notesd by hand; or name another with --socket")
            ]
        }
        guard file.isSocket else {
            return [.fault("socket", "\(shown) is no socket", todo: "remove that file, and start notesd again")]
        }
        var findings = [Finding.ok("socket", "\(shown) (\(origin)), mode 0\(String(file.mode, radix: 8))")]
        if ![0, getuid()].contains(file.owner) {
            findings.append(
                .note(
                    "socket", "it is that of another user (\(file.owner)), who is told all that you write there",
                    todo: "see that this is the user whom the daemon runs as: ls -l \(Shell.quoted(path))"))
        }
        if access(path, R_OK | W_OK) != 0 {
            findings.append(
                .fault(
                    "permissions", "you may not open \(shown)",
                    todo: "have yourself put into its group: sudo adduser \"$USER\" notesd, and log in anew"))
        }
        let folder = SystemFacts.folder(of: path)
        if let facts = SystemFacts.file(folder.isEmpty ? "." : folder) {
            let isOwn = [0, getuid(), file.owner].contains(facts.owner)
            findings.append(Diagnosis.folder(SafeText.line(folder), mode: facts.mode, isOwn: isOwn))
        }
        return findings
    }

    private func units(_ path: String?) -> [Finding] {
        let isUser = path != GlobalOptions.systemSocket
        let manager = isUser ? "systemctl --user" : "systemctl"
        let names = ["notesd.socket", "notesd.service"]
        guard let states = SystemFacts.units(names, isUser: isUser) else {
            return [.note("units", "no service manager answers; notesd is started by hand here")]
        }
        let text = zip(names, states).map { "\($0) is \(SafeText.line($1))" }.joined(separator: ", ")
        if states.contains("failed") {
            return [
                .fault(
                    "units", text,
                    todo: "\(manager) status notesd.service says why; then \(manager) reset-failed notesd.service and start it")
            ]
        }
        if states[0] == "active" { return [.ok("units", text)] }
        return [.note("units", text, todo: "\(manager) enable --now notesd.socket, to have it started at the first connect")]
    }

    /// - Returns: with what the command ends where there is a fault.
    private func ask() async -> (status: StatusResult?, code: ExitStatus, findings: [Finding]) {
        do {
            return try await options.withClient { client in
                let status = try await client.status()
                var findings: [Finding] = []
                if let hello = await client.hello {
                    findings.append(.ok("daemon", "it answers, and you may \(hello.access.rawValue) as \(hello.user.name)"))
                    findings.append(Diagnosis.versions(hello.server))
                }
                findings.append(Diagnosis.severity(status))
                return (status, .failed, findings + Diagnosis.store(status))
            }
        } catch {
            let failure = (error as? ClientError).map { ExitFailure($0) } ?? error as? ExitFailure
            let what = failure?.message ?? "\(error)"
            if let failure, failure.code == .notAllowed {
                let todo = "have its administrator allow you: [access] in its settings, and the socket's group"
                return (nil, .notAllowed, [.fault("daemon", what, todo: todo)])
            }
            return (
                nil, .noDaemon,
                [.fault("daemon", what, todo: "journalctl --user -u notesd (or -u notesd) says what it says; start it again")]
            )
        }
    }

    /// Of the places where a daemon keeps its store unless it is told otherwise.
    private func disk() -> [Finding] {
        let data = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { $0 + "/.local/share" }
        let places = (data.map { [$0 + "/notesd"] } ?? []) + ["/var/lib/notesd"]
        let found = places.compactMap { place in
            SystemFacts.freeBytes(place).map { Diagnosis.disk(SafeText.line(place), free: $0) }
        }
        return found.isEmpty ? [.note("disk", "the store is at none of its usual places, so its disk was not looked at")] : found
    }
}
