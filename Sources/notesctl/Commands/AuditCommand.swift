import ArgumentParser
import Causality
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct AuditCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Have the daemon check its whole store.",
        discussion: """
            Examples:
              notesctl audit
              notesctl audit --files
              notesctl audit --json | jq .ok

            The daemon rereads its whole store, recomputes every note, and compares the result with \
            the notes that it serves. It serves other clients meanwhile. Prints one line per \
            finding: the note, the revision, and what is wrong; the exit code is then 65. A line \
            that ends with "(derived data)" concerns only data that is computed from the revisions, \
            such as names and conflicts; texts are not affected. Also lists revisions from other \
            machines that wait for their parents or were not accepted; these are not faults.

            Each file that a revision names is looked up in the folder of files, and its size compared. With \
            --files, the daemon also rereads the bytes, at most 64 MiB a second, and compares their hashes. A \
            line that ends with "(bytes of a file)" affects no text.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(name: .long, help: "Also reread the bytes of all files.")
    var files = false

    func perform() async throws {
        try await options.withClient { client in
            let result: AuditResult
            do {
                result = try await client.audit(files: files) { progress in
                    Progress.show("audited \(progress.done) of \(progress.total)")
                }
            } catch {
                Progress.clear()
                throw explained(error, "cannot audit")
            }
            Progress.clear()
            try report(result)
        }
    }

    /// Prints the report.
    ///
    /// - Throws: `ExitFailure` if there are findings.
    private func report(_ result: AuditResult) throws {
        let report = result.report
        if options.isForPrograms {
            try options.emit(result.json)
        } else {
            try Output.lines(report.findings.map(AuditLine(style: Terminal.style).text))
            try Output.lines(report.waiting.map(AuditLine(style: Terminal.style).text))
            try Output.lines(report.quarantined.map(AuditLine(style: Terminal.style).text))
            if result.isOK {
                let compacted = report.compacted == 0 ? "" : ", \(report.compacted) of them compacted"
                let (notes, revisions) = (counted(report.notes, "note"), counted(report.revisions, "revision"))
                try Output.line("no faults: checked \(notes) with \(revisions)\(compacted)")
            }
        }
        guard result.isOK else {
            let (faults, notes) = (counted(report.findings.count, "fault"), counted(report.notes, "note"))
            if report.affectsDerivedOnly {
                throw ExitFailure(
                    "\(faults) in \(notes), in derived data only; texts are not affected. `notesctl backup` and `notesd restore` "
                        + "make a store in which the data is rebuilt", .badData)
            }
            if report.affectsFilesOnly {
                throw ExitFailure(
                    "\(faults) in the bytes of files; texts are not affected. `notesctl file list --missing` names the notes; another "
                        + "machine that has the bytes sends them, or add the file again", .badData)
            }
            throw ExitFailure("\(faults) in \(notes); `notesctl export DIR` saves all notes that can be read", .badData)
        }
    }
}

extension AuditFinding.Affected {
    /// What a line about a finding ends with; nil for nothing.
    fileprivate var note: String? {
        switch self {
        case .texts: nil
        case .derived: "(derived data)"
        case .files: "(bytes of a file)"
        }
    }
}

/// Formats the report of `audit`: one line per finding or waiting note.
struct AuditLine {
    let style: Style

    /// The note or `store`, the revision if there is one, and the message.
    func text(_ finding: AuditFinding) -> String {
        [
            finding.note.map { style.dim($0.description) } ?? "store", finding.dot.map { style.yellow($0.description) },
            SafeText.line(finding.what), finding.affects.note,
        ].compactMap { $0 }.joined(separator: "  ")
    }

    /// The note, the revision, the reason why it was not accepted, and the beginning of its text. Not a
    /// fault.
    func text(_ held: HeldRevision) -> String {
        let (reason, inserts) = (SafeText.line(held.reason ?? ""), HeldText.excerpt(of: held))
        return "\(style.dim(held.note.description))  \(style.yellow(held.dot.description))  not accepted: \(reason); "
            + "\(inserts) (not a fault)"
    }

    /// The note, the number of waiting revisions, and the parents they wait for. Not a fault.
    func text(_ waiting: AuditWaiting) -> String {
        let count = counted(waiting.revisions, "revision waits", plural: "revisions wait")
        let names = waiting.parents.map { style.yellow($0.description) }.joined(separator: " ")
        let missingRevisions = names.isEmpty ? "other waiting revisions" : "\(names), not received yet"
        return "\(style.dim(waiting.note.description))  \(count) for \(missingRevisions) (not a fault)"
    }
}
