package import Causality
package import NotesModel

/// The drafts of texts that the daemon has not acknowledged, one file for each note.
package final class NoteDrafts {
    private var drafts: [NoteID: (draft: Draft, marker: KeptDraft)] = [:]

    package init() {}

    /// Writes a text, which is based on a version, to the note's draft.
    ///
    /// - Parameter name: the name of the file, if the note has no draft.
    package func keep(_ note: NoteID, _ text: [UInt8], base: Version, name: @autoclosure () -> String) throws {
        if let kept = drafts[note] {
            try kept.draft.replace(with: text)
            kept.marker.rebase(on: base)
        } else {
            let draft = try Draft(text: text, name: name())
            drafts[note] = (draft, KeptDraft(draft, of: .note(note), base: base))
        }
    }

    package func remove(_ note: NoteID) {
        guard let kept = drafts.removeValue(forKey: note) else { return }
        kept.marker.end()
        kept.draft.remove()
    }

    /// Prints the paths of the drafts that remain.
    package func report() {
        for kept in drafts.values { kept.draft.reportPath() }
    }
}
