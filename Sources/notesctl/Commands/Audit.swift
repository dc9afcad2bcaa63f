import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Audit: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Have the daemon check everything that it holds.",
        discussion: """
            Examples:
              notesctl audit
              notesctl audit --json | jq .ok

            The daemon reads its whole store again, works out every note anew and compares that with what it shows. It serves \
            others meanwhile. What is not as it should be is printed, one line each: the note, the revision, what it is; the \
            exit code is 65 then. Revisions of other replicas that wait for their parents are told too, and are no fault.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        try await options.withClient { client in
            let result: AuditResult
            do {
                result = try await client.audit { progress in
                    Progress.show("audited \(progress.done) of \(progress.total)")
                }
            } catch {
                Progress.clear()
                throw explained(error, "cannot audit")
            }
            Progress.clear()
            try tell(result)
        }
    }

    private func tell(_ result: AuditResult) throws {
        let report = result.report
        if options.isForPrograms {
            var writer = JSONWriter()
            result.write(to: &writer)
            try options.emit(writer.bytes)
        } else {
            try Output.lines(report.findings.map(AuditLine(style: Terminal.style).text))
            try Output.lines(report.waiting.map(AuditLine(style: Terminal.style).text))
            if result.isOK {
                let compacted = report.compacted == 0 ? "" : ", \(report.compacted) of them with their texts thinned out"
                let (notes, revisions) = (counted(report.notes, "note"), counted(report.revisions, "revision"))
                try Output.line("all is well with \(notes) and \(report.notes == 1 ? "its" : "their") \(revisions)\(compacted)")
            }
        }
        guard result.isOK else {
            let (faults, notes) = (counted(report.findings.count, "fault"), counted(report.notes, "note"))
            throw ExitFailure("\(faults) in \(notes); `notesctl export DIR` saves what can be read", .badData)
        }
    }
}

/// A number of things, `noun` being the word for one of them.
private func counted(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

/// `audit`: one line a finding.
struct AuditLine {
    let style: Style

    func text(_ finding: AuditFinding) -> String {
        [
            finding.note.map { style.dim($0.description) } ?? "store", finding.dot.map { style.yellow($0.description) },
            SafeText.line(finding.what),
        ].compactMap { $0 }.joined(separator: "  ")
    }

    func text(_ waiting: AuditWaiting) -> String {
        let count = waiting.revisions == 1 ? "1 revision waits" : "\(waiting.revisions) revisions wait"
        let names = waiting.parents.map { style.yellow($0.description) }.joined(separator: " ")
        let lacked = names.isEmpty ? "others that wait" : names
        return "\(style.dim(waiting.note.description))  \(count) for \(lacked), not here yet: no fault"
    }
}
