import Causality
import Console
import NoteText
import NotesModel
package import NotesWire
import TextMerge

/// Merges one conflict with an external program, which gets four files in environment variables, as
/// with `git mergetool`.
///
/// LOCAL and REMOTE hold the whole text with the first and the second side of the conflict, and
/// BASE holds it with their common base. MERGED holds all three between markers; the program writes
/// its result there.
package struct MergeTool {
    let command: String
    let note: NoteObject
    let conflict: ConflictObject

    package init(command: String, note: NoteObject, conflict: ConflictObject) {
        self.command = command
        self.note = note
        self.conflict = conflict
    }

    /// The texts of the four files.
    struct Texts: Hashable {
        let local: [UInt8]
        let base: [UInt8]
        let remote: [UInt8]
        let merged: [UInt8]

        /// Returns nil unless the conflict is a text conflict with exactly two sides.
        init?(_ conflict: ConflictObject, in text: [UInt8]) {
            guard conflict.kind == .text, conflict.sides.count == 2, case .text(let local) = conflict.sides[0].content,
                case .text(let remote) = conflict.sides[1].content
            else { return nil }
            var before: [UInt8] = []
            if case .text(let words)? = conflict.detail?.base { before = words }
            self.local = ConflictResolution.replacing(conflict.range, by: local, in: text)
            self.remote = ConflictResolution.replacing(conflict.range, by: remote, in: text)
            base = ConflictResolution.replacing(conflict.range, by: before, in: text)
            merged = MarkedText(text, [conflict]).bytes
        }
    }

    /// Runs the program.
    ///
    /// - Returns: the draft that the program worked on and its text; nil if the text is unchanged.
    /// - Throws: `ExitFailure` if the conflict is unsuitable, or the program fails.
    package func run() throws -> (draft: Draft, text: [UInt8])? {
        let texts = Texts(conflict, in: note.text ?? [])
        guard let texts else {
            throw ExitFailure("a merge tool needs a text conflict with exactly two sides; use --edit or --take", .usage)
        }
        let name = note.head.name?.description ?? "note"
        let merged = try Draft(text: texts.merged, name: name)
        var inputs: [Draft] = []
        defer { for input in inputs { input.remove() } }
        var environment = ["MERGED": merged.path]
        do {
            for (variable, text) in [("LOCAL", texts.local), ("BASE", texts.base), ("REMOTE", texts.remote)] {
                let input = try Draft(text: text, name: name, prefix: variable)
                inputs.append(input)
                environment[variable] = input.path
            }
            for (variable, side) in zip(["LOCAL", "REMOTE"], conflict.sides) {
                Output.note("\(variable) is the side \(ConflictReport.heading(side, side.dot.description))")
            }
        } catch {
            merged.remove()
            throw error
        }
        let tool = ["sh", "-c", command]
        return try merged.worked(onBy: tool, environment: environment, called: "the merge tool").map { (merged, $0) }
    }
}
