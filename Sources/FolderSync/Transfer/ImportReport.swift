package import Console
package import NoteTasks
import NotesModel
import StrictJSON

/// Counts and prints the results of an import.
package struct ImportReport {
    let options: GlobalOptions
    /// Number of files found.
    let total: Int
    /// What else is in the directory.
    let others: OtherFiles
    let isDry: Bool
    private var counts = (created: 0, saved: 0, merged: 0, conflicted: 0, unchanged: 0, deleted: 0, skipped: 0)
    private var done = 0
    /// What a dry run prints for the files, with their paths.
    private var lines: [(path: [UInt8], text: String)] = []

    package init(options: GlobalOptions, found: NoteFiles.Found, isDry: Bool = false) {
        self.options = options
        (total, others) = (found.paths.count, found.others)
        self.isDry = isDry
    }

    /// Counts and prints the result for one file.
    package mutating func report(_ path: [UInt8], _ result: ImportResult) throws {
        done += 1
        switch result.outcome {
        case .created:
            counts.created += 1
            lines.append((path, "new      \(path.pathForPeople)"))
        case .saved:
            counts.saved += 1
            lines.append((path, "changed  \(path.pathForPeople)"))
        case .merged, .joined: counts.merged += 1
        case .conflicted:
            counts.conflicted += 1
            Output.note(
                "imported \(path.pathForPeople), and others changed the same place; see `notesctl conflicts "
                    + "\(result.id?.description ?? "")`")
        case .unchanged: counts.unchanged += 1
        case .deleted: counts.deleted += 1
        case .refused(let reason): try report(path, .skipped(reason))
        case .beingWritten: try report(path, .skipped("a program has it open for writing"))
        case .skipped(let reason):
            counts.skipped += 1
            lines.append((path, "skipped  \(path.pathForPeople): \(reason)"))
            if !isDry || options.isForPrograms { Output.note("skipped \(path.pathForPeople): \(reason)") }
        }
        if options.isForPrograms { try options.emit(Self.json(path, result)) }
        if done % Progress.every == 0 { Progress.show("importing \(done) of \(total)") }
    }

    private static func json(_ path: [UInt8], _ result: ImportResult) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            if case .skipped(let reason) = result.outcome {
                line.member("outcome", "left")
                line.member("reason", reason)
            } else {
                line.member("outcome", "\(result.outcome)")
                if let id = result.id { line.member("id", id.description) }
            }
        }
        return writer.bytes
    }

    /// Prints the summary.
    ///
    /// - Returns: the status to exit with if notes are in conflict; else nil.
    /// - Throws: `ExitFailure` if files were skipped.
    package func finish() throws -> ExitStatus? {
        Progress.clear()
        if !options.isForPrograms {
            if isDry { try Output.lines(lines.sorted { $0.path.lexicographicallyPrecedes($1.path) }.map(\.text)) }
            try Output.lines([summary] + (others.summary.map { [$0] } ?? []))
        }
        if counts.skipped > 0 {
            throw ExitFailure("\(counts.skipped) of \(counted(total, "file")) skipped; see the reasons above", .badData)
        }
        return counts.conflicted > 0 ? .inConflict : nil
    }

    /// The counts in one line; zero counts of rare results are left out.
    var summary: String {
        var parts = ["\(counts.created) new", "\(counts.saved) changed", "\(counts.unchanged) unchanged"]
        if counts.merged > 0 { parts.append("\(counts.merged) merged with changes by others") }
        if counts.conflicted > 0 { parts.append("\(counts.conflicted) in conflict with them") }
        if counts.deleted == 1 { parts.append("1 deleted note left") }
        if counts.deleted > 1 { parts.append("\(counts.deleted) deleted notes left") }
        if counts.skipped > 0 { parts.append("\(counts.skipped) skipped") }
        return (isDry ? "dry run, nothing is written: " : "") + "\(counted(total, "file")): " + parts.joined(separator: ", ")
    }
}
