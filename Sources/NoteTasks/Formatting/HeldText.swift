import Causality
package import Console
import NoteText
package import NotesClient
import NotesMethods
package import NotesModel
import NotesWire

/// The lines of `held`, and phrases about held revisions in other commands.
package struct HeldText {
    /// The notes of the revisions; a revision's note may be missing here, as it may be in the store.
    let heads: [NoteID: Head]
    let style: Style

    package init(heads: [NoteID: Head], style: Style) {
        self.heads = heads
        self.style = style
    }

    /// The dot, the note, the author with the day, the reason, and the beginning of the text.
    package func line(_ held: HeldRevision) -> String {
        "\(title(held))  \(Self.reason(held)); \(Self.excerpt(of: held))"
    }

    /// The line without the text, and then the text.
    package func whole(_ held: HeldRevision) -> [String] {
        ["\(title(held))  \(Self.reason(held)); \(held.bytes > 0 ? "it inserts:" : Self.nothing)"]
            + (held.bytes > 0 ? [SafeText.text(held.inserts.description)] : [])
    }

    private func title(_ held: HeldRevision) -> String {
        let day = TimestampText.text(held.time).prefix(10)
        return "\(style.yellow(held.dot.description))  \(label(held.note))  \(SafeText.line(held.author.forPeople)), \(day)"
    }

    /// The name of a note, or its id if the store has no such note.
    func label(_ note: NoteID) -> String {
        heads[note].map { SafeText.line(NoteLabel.of($0)) } ?? style.dim(note.description)
    }

    /// Why no note contains the revision.
    private static func reason(_ held: HeldRevision) -> String {
        held.reason.map { "not accepted: \(SafeText.line($0))" } ?? "waits for its parents"
    }

    private static let nothing = "it inserts no text"

    /// The beginning of the text that a revision inserts, on one line.
    package static func excerpt(of held: HeldRevision) -> String {
        guard held.bytes > 0 else { return nothing }
        let text = held.inserts.description
        let shown = text.prefix(charactersMax)
        let isWhole = shown.utf8.count >= held.bytes
        return "it inserts \"\(SafeText.line(String(shown)))\(isWhole ? "" : "…")\""
            + (isWhole ? "" : " (\(counted(held.bytes, "byte")))")
    }

    /// The number of characters of an inserted text that a line shows.
    private static let charactersMax = 60

    /// How many revisions the store holds apart from its notes, of which notes and authors; nil if there are
    /// none.
    ///
    /// - Parameter page: the first page of the holding area.
    func summary(of page: HeldPage) -> String? {
        let count = page.quarantined + page.waiting
        guard count > 0 else { return nil }
        var parts: [String] = []
        if page.quarantined > 0 {
            parts.append(counted(page.quarantined, "revision was", plural: "revisions were") + " not accepted")
        }
        if page.waiting > 0 {
            parts.append(counted(page.waiting, "revision waits", plural: "revisions wait") + " for earlier ones")
        }
        let notes = Self.few(page.revisions.map { label($0.note) }, isAll: page.next == nil)
        let authors = Self.few(page.revisions.map { SafeText.line($0.author.forPeople) }, isAll: page.next == nil)
        return "of other machines, \(parts.joined(separator: " and "))"
            + (notes.isEmpty ? "" : ": for \(notes), by \(authors)") + "; your notes are whole without them"
    }

    /// The summary of the holding area of a daemon; nil if it is empty.
    package static func summary(_ client: any NotesAPI) async throws -> String? {
        let page = try await client.call(.listHeld(ListHeld()), response: HeldResult.self).page
        let text = HeldText(heads: try await client.heads(of: page.revisions.map(\.note)), style: Style(isOn: false))
        return text.summary(of: page)
    }

    /// What to do about held revisions.
    package static let remedy =
        "`notesctl held list` shows them; bring the machines in step with `notesctl sync`, or remove those that stay with "
        + "`notesctl held drop`"

    /// The first few distinct words, joined by commas.
    ///
    /// - Parameter isAll: whether no others follow.
    private static func few(_ words: [String], isAll: Bool) -> String {
        let distinct = words.uniqued
        let isAll = isAll && distinct.count <= wordsMax
        return (distinct.prefix(wordsMax) + (isAll || distinct.isEmpty ? [] : ["…"])).joined(separator: ", ")
    }

    private static let wordsMax = 3
}
