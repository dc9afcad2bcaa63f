import ArgumentParser
import NoteTasks
import NoteText
import NotesModel

/// Options that select revisions by author and time.
struct RevisionSelection: ParsableArguments {
    @Option(
        name: .customLong("by"),
        help: ArgumentHelp(
            "Only writes by this user or label. The first parts of a label, such as laptop/mcp, select all labels that begin with them.",
            valueName: "author"))
    var author: String?

    @Option(name: .long, help: "Only writes since this time.")
    var since: String?

    /// The condition.
    ///
    /// - Throws: `ValidationError` if the time cannot be read.
    func filter() throws -> RevisionFilter {
        RevisionFilter(author: author.map { ByteString($0) }, since: try TimeReference.since(since))
    }

    func validate() throws {
        _ = try filter()
    }
}
