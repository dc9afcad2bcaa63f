import NotesModel
import NotesWire
import TextMerge

/// Lets somebody else's program merge one conflict: four files of the whole text, named by variables of the environment as
/// `git mergetool` does.
///
/// LOCAL and REMOTE have the first and the second side in the conflict's place, BASE what both started from. MERGED has all three
/// between markers, and is where the result is expected.
struct MergeTool {
    let command: String
    let note: NoteObject
    let conflict: ConflictObject

    /// What each variable names.
    struct Texts: Hashable {
        let local: [UInt8]
        let base: [UInt8]
        let remote: [UInt8]
        let merged: [UInt8]

        /// Nil where it is no conflict of two sides in a text.
        init?(_ conflict: ConflictObject, in text: [UInt8]) {
            guard conflict.kind == .text, conflict.sides.count == 2, case .text(let local) = conflict.sides[0].content,
                case .text(let remote) = conflict.sides[1].content
            else { return nil }
            var before: [UInt8] = []
            if case .text(let words)? = conflict.detail?.base { before = words }
            self.local = Settlement.replacing(conflict.range, by: local, in: text)
            self.remote = Settlement.replacing(conflict.range, by: remote, in: text)
            base = Settlement.replacing(conflict.range, by: before, in: text)
            merged = MarkedText(text, [conflict]).bytes
        }
    }

    /// - Returns: the result as a draft that the tool worked on, and its text; nil where it left it as it was.
    func run() throws -> (draft: Draft, text: [UInt8])? {
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
                Output.note("\(variable) is the side of \(SafeText.line(side.author.forPeople)), \(side.dot)")
            }
        } catch {
            merged.remove()
            throw error
        }
        let tool = ["sh", "-c", command]
        return try merged.worked(onBy: tool, environment: environment, called: "the merge tool").map { (merged, $0) }
    }
}
