import Causality
import Console
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// How results show notes and revisions.
extension ToolRunner {
    /// A note on one line: its name and title, id, version, time and author.
    func line(_ note: NoteObject) -> String {
        let head = note.head
        let title = head.name == nil || head.title.isEmpty ? "" : " “\(head.title)”"
        let tags = head.tags.isEmpty ? "" : "; tags \(shownTags(head).map { "\($0)" }.joined(separator: ", "))"
        return SafeText.line(
            "\(NoteLabel.of(head))\(title); id \(head.id); version \(head.version); \(TimestampText.text(head.modified)) by "
                + "\(head.author.forPeople)\(tags)")
    }

    /// The first tags of a note.
    private func shownTags(_ head: Head) -> ArraySlice<ByteString> { head.tags.prefix(ToolLimits.tags) }

    /// Writes the members `id` and `name`.
    func writeName(of head: Head, to object: inout JSONWriter) {
        object.member("id", head.id.description)
        if let name = head.name { object.member("name", name.description) }
    }

    /// Writes the members of a note in a list.
    func writeMembers(of note: NoteObject, to object: inout JSONWriter) {
        let head = note.head
        writeName(of: head, to: &object)
        object.member("title", head.title.description)
        object.name("tags")
        object.array(of: shownTags(head)) { $0.string($1.utf8) }
        object.member("version", head.version.description)
        object.member("modified", TimestampText.text(head.modified))
        object.member("author", head.author.forPeople)
        object.member("conflicts", note.conflicts.count)
    }

    /// A revision on one line.
    static func line(_ revision: RevisionSummary) -> String {
        SafeText.line(
            "\(revision.dot)  \(TimestampText.text(revision.time))  \(revision.author.forPeople)  \(kind(revision)), "
                + "\(revision.bytes) bytes")
    }

    /// Writes the members of a revision.
    static func write(_ revision: RevisionSummary, to object: inout JSONWriter) {
        object.member("version", Version(revision.dot).description)
        object.member("modified", TimestampText.text(revision.time))
        object.member("author", revision.author.forPeople)
        object.member("bytes", revision.bytes)
        object.member("kind", kind(revision))
        if let name = revision.name { object.member("name", name.description) }
    }

    private static func kind(_ revision: RevisionSummary) -> String {
        if revision.isDeleted { return "deleted" }
        if !revision.withdraws.isEmpty { return "undo" }
        return revision.isPurge ? "purged" : revision.isStated ? "edited" : "saved"
    }
}
