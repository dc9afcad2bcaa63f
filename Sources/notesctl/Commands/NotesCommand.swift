import ArgumentParser
import NoteTasks

/// A command of notesctl. Programs can choose the fields of its output.
protocol NotesCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }
    /// The records whose fields `--json` and `--format` can name; several if the arguments decide
    /// which one the command prints.
    static var records: [Record] { get }
    /// Performs the command on the caller's thread until the first suspension. The parser's `run`
    /// would switch to another thread first.
    func perform() async throws
}

extension NotesCommand {
    func run() async throws { try await perform() }
}
