import ArgumentParser
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

struct DoctorCommand: NotesCommand {
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
        var faults = 0
        // Each check prints at once: asking a daemon that does not start takes seconds.
        func report(_ findings: [Finding]) throws {
            faults += findings.count { $0.severity == .fault }
            for finding in findings {
                if options.isForPrograms {
                    try options.emit(finding.json)
                } else {
                    try Output.lines(finding.lines(Terminal.style))
                }
            }
        }
        var answer = Answer(status: nil, data: nil, code: .noDaemon, findings: [])
        let path = try? options.socketPath()
        let service = ServiceKind(socket: path)
        if let path {
            try report(socket(path))
            let failure = service.isUser.flatMap { SystemFacts.startFailure(isUser: $0) }
            try report(units(service, failure))
            answer = await fetchAnswer(within: failure == nil ? nil : Self.waitAfterFailure)
            try report(answer.findings)
            // The connection may have been the first to start the daemon.
            if answer.status == nil, failure == nil, let isUser = service.isUser,
                let failure = SystemFacts.startFailure(isUser: isUser)
            {
                try report(units(service, failure))
            }
        } else {
            try report([Self.unnamed] + units(service, nil))
        }
        try report([disk(of: answer.data, service)])
        try report([
            Diagnosis.clock(
                now: Clock.now(), lastCommit: answer.status?.store.lastCommit, isSynchronised: SystemFacts.isClockSynchronised)
        ])
        guard faults > 0 else { return }
        throw ExitFailure(
            "\(counted(faults, "fault")); the list above has a remedy for each",
            answer.code)
    }

    /// Longest wait for the daemon if systemd reports that it does not start: long enough for an
    /// attempt, which systemd makes each second.
    private static let waitAfterFailure = Duration.seconds(2)

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

    /// Checks the systemd units of the socket.
    private func units(_ service: ServiceKind, _ failure: StartFailure?) -> [Finding] {
        guard let isUser = service.isUser else {
            return [.note("units", "the socket is not one of a systemd service, so the units were not checked")]
        }
        let manager = isUser ? "systemctl --user" : "systemctl"
        let names = ["notesd.socket", "notesd.service"]
        guard let states = SystemFacts.units(names, isUser: isUser) else {
            return [.note("units", "no service manager found; start notesd by hand")]
        }
        let text = zip(names, states).map { "\($0) is \(SafeText.line($1))" }.joined(separator: ", ")
        if let failure {
            return [failure.finding(units: text, journal: isUser ? "journalctl --user -u notesd" : "journalctl -u notesd")]
        }
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

    /// The daemon's answers.
    private struct Answer {
        /// Nil if the daemon does not answer.
        let status: StatusResult?
        /// Directory of the store; nil if this user may not know it.
        let data: String?
        /// Exit code to use if any check finds a fault.
        let code: ExitStatus
        let findings: [Finding]
    }

    /// Asks the daemon for its status, and for the directory of its store.
    ///
    /// - Parameter timeout: longest wait for the first response; nil for the default.
    private func fetchAnswer(within timeout: Duration?) async -> Answer {
        do {
            return try await options.withClient(helloTimeout: timeout) { client in
                let status = try await client.status()
                var findings: [Finding] = []
                var data: String?
                if let hello = await client.hello {
                    findings.append(.ok("daemon", "it answers; you are \(hello.user.name), with \(hello.access.rawValue) access"))
                    findings.append(Diagnosis.versions(hello.server))
                }
                findings.append(Diagnosis.state(status))
                findings += Diagnosis.store(status)
                // Only administrators may read the configuration.
                if let settings = try? await client.config().settings {
                    data = Self.path(settings)
                    if let history = await Self.history(settings, client) { findings.append(history) }
                }
                if let held = await Self.held(client) { findings.append(held) }
                if let missing = await Self.missingFiles(client) { findings.append(missing) }
                return Answer(status: status, data: data, code: .failed, findings: findings)
            }
        } catch {
            let failure = (error as? ClientError).map { ExitFailure($0) } ?? error as? ExitFailure
            let what = failure?.message ?? "\(error)"
            if let failure, failure.code == .notAllowed {
                let todo = "ask its administrator for access: the [access] settings and the socket's group"
                return Answer(
                    status: nil, data: nil, code: .notAllowed, findings: [.fault("daemon", what, todo: todo)])
            }
            let todo = "see its log: journalctl --user -u notesd (or -u notesd); then start it again"
            return Answer(status: nil, data: nil, code: .noDaemon, findings: [.fault("daemon", what, todo: todo)])
        }
    }

    /// The finding about revisions of other machines that no note contains; nil if there are none.
    private static func held(_ client: any NotesAPI) async -> Finding? {
        guard let summary = try? await HeldText.summary(client) else { return nil }
        return .note("held", summary, todo: HeldText.remedy)
    }

    /// The finding about files whose bytes the store does not have; nil if it has all, or keeps none.
    private static func missingFiles(_ client: any NotesAPI) async -> Finding? {
        guard await client.hello?.capabilities.contains("files") == true else { return nil }
        var (list, count, pages) = (ListFiles(.missing), 0, 0)
        repeat {
            guard let page: ListFilesResult = try? await client.call(.file(.list(list))) else { return nil }
            count += page.files.count
            pages += 1
            list.after = page.next
        } while list.after != nil && pages < missingPagesMax
        guard count > 0 else { return nil }
        let atLeast = list.after == nil ? "" : "at least "
        return .note(
            "files", "the bytes of \(atLeast)\(counted(count, "file")) are not in this store",
            todo: "list them: notesctl file list --missing; machines that have them send them, or add them again")
    }

    /// The pages of missing files that `doctor` reads.
    private static let missingPagesMax = 100

    /// The finding about compaction beside other machines; nil if nothing is compacted, or nothing exchanged.
    private static func history(_ settings: [SettingObject], _ client: any NotesAPI) async -> Finding? {
        guard let days = settings.first(where: { $0.key == "history.keep_days" })?.value,
            let peers: PeersResult = try? await client.call(.listPeers), !peers.peers.isEmpty
        else { return nil }
        return Diagnosis.compaction(days: "\(days)", peers: peers.peers.count)
    }

    /// The directory of the store, from the setting `data`, which is a quoted path.
    private static func path(_ settings: [SettingObject]) -> String? {
        let value = settings.first { $0.key == "data" }?.value.map { "\($0)" }
        guard let value, value.count > 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return nil }
        return String(value.dropFirst().dropLast())
    }

    /// Free space on the disk of the store: of the directory that the daemon reports, or else of the
    /// default one of its service. Other stores do not matter to the user.
    private func disk(of data: String?, _ service: ServiceKind) -> Finding {
        let home = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { $0 + "/.local/share" }
        let place = data ?? (service.isUser == true ? home.map { $0 + "/notesd" } : service == .shared ? "/var/lib/notesd" : nil)
        guard let place, let free = SystemFacts.freeBytes(place) else {
            return .note("disk", "the directory of the store is unknown, so its disk was not checked")
        }
        return Diagnosis.disk(SafeText.line(place), free: free)
    }
}
