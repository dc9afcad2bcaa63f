import Console
package import NoteTasks
package import NotesModel
import StrictJSON

/// Counts and prints the results of an export.
package struct ExportReport {
    let options: GlobalOptions
    /// Number of notes to export.
    let total: Int
    private var done = 0
    private var counts = (written: 0, unchanged: 0, removed: 0, skipped: 0)

    package init(options: GlobalOptions, total: Int) {
        self.options = options
        self.total = total
    }

    /// Counts and prints the result for one file.
    package mutating func report(_ path: [UInt8], _ note: NoteID?, _ outcome: Exporter.Outcome) throws {
        done += 1
        switch outcome {
        case .written: counts.written += 1
        case .unchanged: counts.unchanged += 1
        case .removed: counts.removed += 1
        case .gone: return
        case .skipped(let reason), .declined(let reason):
            counts.skipped += 1
            Output.note("skipped \(path.pathForPeople): \(reason)")
        }
        if options.isForPrograms { try options.emit(Self.json(path, note, outcome)) }
        if done % Progress.every == 0, done <= total { Progress.show("exporting \(done) of \(total)") }
    }

    private static func json(_ path: [UInt8], _ note: NoteID?, _ outcome: Exporter.Outcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            if let note { line.member("id", note.description) }
            switch outcome {
            case .skipped(let reason), .declined(let reason):
                line.member("outcome", "left")
                line.member("reason", reason)
            case .written, .unchanged, .removed, .gone: line.member("outcome", "\(outcome)")
            }
        }
        return writer.bytes
    }

    /// Prints the summary.
    ///
    /// - Throws: `ExitFailure` if notes were skipped.
    package func finish() throws {
        Progress.clear()
        if !options.isForPrograms { try Output.line(summary) }
        if counts.skipped > 0 {
            throw ExitFailure(
                "\(counted(counts.skipped, "note was", plural: "notes were")) skipped; see the reasons above", .badData)
        }
    }

    /// The counts in one line; zero counts of all but written notes are left out.
    var summary: String {
        var parts = ["\(counted(counts.written, "note")) written"]
        if counts.unchanged > 0 { parts.append("\(counts.unchanged) unchanged") }
        if counts.removed > 0 { parts.append("\(counts.removed) removed") }
        if counts.skipped > 0 { parts.append("\(counts.skipped) skipped") }
        return parts.joined(separator: ", ")
    }
}
