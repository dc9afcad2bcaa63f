import Console
package import NoteTasks
import NotesModel
import StrictJSON

/// Counts and prints what a mirror does.
package struct MirrorReport {
    /// The kinds of changes to files and notes.
    package enum Change: String, CaseIterable {
        // From files to notes.
        case created
        case saved
        case merged
        case renamed
        case deleted
        // From notes to files.
        case written
        case removed
        /// A note was changed elsewhere while its file was removed, so both are there again.
        case kept
        /// Nothing was done; the reason says why.
        case skipped = "left"
        /// Nothing is done until a person approves.
        case held
    }

    let options: GlobalOptions
    private var counts: [Change: Int] = [:]
    /// The files and notes that are not in step, by path.
    private(set) var waiting: [[UInt8]: MirrorState.Waiting] = [:]
    /// Reasons that need not be printed again.
    private let printed: [[UInt8]: String]

    /// Whether nothing is printed.
    let isSilent: Bool

    package init(options: GlobalOptions, printed: [[UInt8]: String] = [:], isSilent: Bool = false) {
        (self.options, self.printed, self.isSilent) = (options, printed, isSilent)
    }

    /// The removals that wait for a person, by path.
    var held: [[UInt8]: MirrorState.Removal] {
        waiting.reduce(into: [:]) { if $1.value.kind == .held { $0[$1.key] = $1.value.removal } }
    }

    /// Why paths were skipped.
    var reasons: [[UInt8]: String] {
        waiting.filter { !$0.value.kind.isQuiet }.mapValues(\.reason)
    }

    /// Whether a file or a note was changed.
    var hasChanges: Bool { counts.contains { $0.key != .skipped && $0.key != .held && $0.value > 0 } }

    /// Whether the run before skipped the path for the same reason.
    func isKnown(_ reason: String, of path: [UInt8]) -> Bool { printed[path] == reason }

    /// The number of paths with this change.
    package subscript(change: Change) -> Int { counts[change] ?? 0 }

    /// Counts and prints a file or a note that waits. A file that a program has open for writing, or whose
    /// bytes are to come or left out, waits without a message.
    mutating func report(_ file: MirrorState.Waiting) throws {
        waiting[file.path] = file
        if file.kind.isQuiet { return }
        try report(file.path, file.kind == .held ? .held : .skipped, file.removal?.note, reason: file.reason)
    }

    /// Counts and prints one change.
    mutating func report(
        _ path: [UInt8], _ change: Change, _ note: NoteID? = nil, to: [UInt8]? = nil, reason: String? = nil
    ) throws {
        counts[change, default: 0] += 1
        if isSilent { return }
        if change == .skipped || change == .held, let reason {
            if printed[path] == reason { return }
            if change == .skipped { Output.note("skipped \(path.pathForPeople): \(reason)") }
        }
        if options.isForPrograms { try options.emit(Self.json(path, change, note, to: to, reason: reason)) }
    }

    /// Prints what a save of a file took out.
    func tookOut(_ lines: TakenLines, of path: [UInt8], at time: Timestamp) {
        if isSilent { return }
        Output.note("\(path.pathForPeople): a save took out \(lines.text(at: time))")
    }

    private static func json(_ path: [UInt8], _ change: Change, _ note: NoteID?, to: [UInt8]?, reason: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            line.member("change", change.rawValue)
            if let note { line.member("id", note.description) }
            if let to { line.member("to", String(decoding: to, as: UTF8.self)) }
            if let reason { line.member("reason", reason) }
        }
        return writer.bytes
    }

    /// The state of the folder in one line, such as `in step, 12 notes; files to notes: 1 renamed`.
    ///
    /// - Parameters:
    ///   - notes: the number of notes.
    ///   - conflicts: the number of notes in conflict.
    package func summary(notes: Int, conflicts: Int) -> String {
        func part(_ title: String, _ changes: [(Change, String)]) -> String? {
            let counts = changes.compactMap { change, word in self[change] > 0 ? "\(self[change]) \(word)" : nil }
            return counts.isEmpty ? nil : "\(title): " + counts.joined(separator: ", ")
        }
        let state = self[.skipped] + self[.held] == 0 ? "in step" : "not in step"
        let declined = waiting.values.count { $0.kind == .declined }
        let parts = [
            "\(state), \(counted(notes, "note"))",
            part(
                "files to notes",
                [(.created, "new"), (.saved, "changed"), (.merged, "merged"), (.renamed, "renamed"), (.deleted, "deleted")]),
            part("notes to files", [(.written, "written"), (.removed, "removed"), (.kept, "back, since others changed them")]),
            part("waiting", [(.skipped, "skipped"), (.held, "held")]), declined > 0 ? "\(declined) left out" : nil,
            conflicts > 0 ? "\(conflicts) in conflict" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: "; ")
    }
}
