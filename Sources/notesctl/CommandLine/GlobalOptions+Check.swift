import ArgumentParser
import Console
import NoteTasks
import Suggestions

extension GlobalOptions {
    /// Checks the output options before the command does anything.
    ///
    /// - Throws: `ExitFailure` for options that exclude each other, or a field that the command does not
    ///   print.
    func check(_ command: any NotesCommand.Type) throws {
        if json, format != nil { throw ExitFailure("--json and --format exclude each other; give only one", .usage) }
        if null, !isForPrograms { throw ExitFailure("-0 needs --json or --format; give one of them too", .usage) }
        guard isForPrograms else { return }
        let recordWriter = try recordWriter()
        for field in recordWriter.fields {
            let known = command.records.flatMap(\.fields).map(\.name)
            guard !known.contains(field) else { continue }
            let near = Suggestions.joint(field, among: known)
            let name = CommandTable.leaves.first { $0.type == command }?.name ?? command._commandName
            throw ExitFailure(
                "unknown field \(SafeText.quoted(field)); `notesctl \(name)` has: "
                    + known.uniqued.joined(separator: ", ") + (near == ";" ? "" : near), .usage)
        }
    }
}
