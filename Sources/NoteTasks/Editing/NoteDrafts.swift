package import Causality
import Console
package import NoteText
package import NotesModel

/// The drafts of texts that the daemon has not acknowledged, one file for each note.
package final class NoteDrafts {
    /// The writer of the host that keeps the drafts; nil if they are not a host's.
    package var writer: String?
    private var drafts: [NoteID: (draft: Draft, marker: KeptDraft)] = [:]
    /// Notes whose newest text could not be written.
    private var failed: Set<NoteID> = []
    /// Drafts for the next opening of their notes.
    private var left: [NoteID: Draft] = [:]

    package init() {}

    /// Writes a text, which is based on a version, to the note's draft.
    ///
    /// - Parameter name: the name of the file, if the note has no draft.
    package func keep(_ note: NoteID, _ text: [UInt8], base: Version, name: @autoclosure () -> String) throws {
        failed.insert(note)
        if let kept = drafts[note] {
            try kept.draft.replace(with: text)
            kept.marker.rebase(on: base)
        } else {
            let draft = try Draft(text: text, name: name())
            drafts[note] = (draft, KeptDraft(draft, of: .note(note), base: base, writer: writer))
        }
        failed.remove(note)
    }

    /// Writes the text of a note that does not exist yet.
    package func keepNew(_ note: NoteID, _ text: [UInt8], name: String) throws {
        failed.insert(note)
        if let kept = drafts[note] {
            try kept.draft.replace(with: text)
        } else {
            let draft = try Draft(text: text, name: name)
            drafts[note] = (draft, KeptDraft(draft, of: .name(name), creates: note, writer: writer))
        }
        failed.remove(note)
    }

    /// Whether the newest text that was to be kept is in the draft.
    package func isKept(_ note: NoteID) -> Bool { !failed.contains(note) }

    package func remove(_ note: NoteID) {
        failed.remove(note)
        guard let kept = drafts.removeValue(forKey: note) else { return }
        kept.marker.end()
        kept.draft.remove()
    }

    /// Leaves a draft as if this program had ended.
    package func leave(_ note: NoteID) { left[note] = drafts.removeValue(forKey: note)?.draft }

    /// Prints that the text of a note could not be kept.
    package func reportFailure(of name: ByteString, _ error: any Error) {
        Output.note("cannot keep a draft of \(SafeText.line(name.description)): \(error)")
    }

    /// Prints the paths of the drafts that remain.
    package func report() {
        for draft in drafts.values.map(\.draft) + left.values where draft.exists { draft.reportPath() }
    }
}
