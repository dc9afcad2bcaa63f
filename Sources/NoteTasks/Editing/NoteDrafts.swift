package import Causality
import Console
package import NotesModel

/// The drafts of texts that the daemon has not acknowledged, one file for each note.
package final class NoteDrafts {
    /// The writer of the host that keeps the drafts; nil if they are not a host's.
    package var writer: String?
    private var drafts: [NoteID: (draft: Draft, marker: KeptDraft)] = [:]
    /// Why the newest text of a note could not be written, as a sentence.
    package private(set) var failures: [NoteID: String] = [:]
    /// Drafts for the next opening of their notes.
    private var left: [NoteID: Draft] = [:]

    package init() {}

    /// Writes a text, which is based on a version, to the note's draft.
    ///
    /// - Parameter name: the name of the note.
    package func keep(_ note: NoteID, _ text: [UInt8], base: Version, name: String) throws {
        try keep(note, text, name) {
            KeptDraft($0, of: .note(note), base: base, writer: writer)
        }
        drafts[note]?.marker.rebase(on: base)
    }

    /// Writes the text of a note that does not exist yet.
    package func keepNew(_ note: NoteID, _ text: [UInt8], name: String) throws {
        try keep(note, text, name) { KeptDraft($0, of: .name(name), creates: note, writer: writer) }
    }

    private func keep(_ note: NoteID, _ text: [UInt8], _ name: String, marker: (Draft) -> KeptDraft) throws {
        do {
            if let kept = drafts[note] {
                try kept.draft.replace(with: text)
            } else {
                let draft = try Draft(text: text, name: name)
                drafts[note] = (draft, marker(draft))
            }
            failures[note] = nil
        } catch {
            let reason = (error as? ExitFailure)?.message ?? SafeText.line("\(error)")
            failures[note] = "cannot keep a draft of \(SafeText.line(name)): \(reason)"
            throw error
        }
    }

    /// Whether the newest text that was to be kept is in the draft.
    package func isKept(_ note: NoteID) -> Bool { failures[note] == nil }

    package func remove(_ note: NoteID) {
        failures[note] = nil
        guard let kept = drafts.removeValue(forKey: note) else { return }
        kept.marker.end()
        kept.draft.remove()
    }

    /// Leaves a draft as if this program had ended.
    package func leave(_ note: NoteID) { left[note] = drafts.removeValue(forKey: note)?.draft }

    /// Prints the paths of the drafts that remain.
    package func report() {
        for draft in drafts.values.map(\.draft) + left.values where draft.exists { draft.reportPath() }
    }
}
