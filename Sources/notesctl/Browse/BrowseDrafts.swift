import NotesModel

/// The drafts of texts that the daemon has not acknowledged, one file for each note.
final class BrowseDrafts {
    private var drafts: [NoteID: (draft: Draft, marker: KeptDraft)] = [:]

    func keep(_ head: Head, _ text: [UInt8]) throws {
        if let kept = drafts[head.id] { return try kept.draft.replace(with: text) }
        let draft = try Draft(text: text, name: NoteLabel.of(head))
        drafts[head.id] = (draft, KeptDraft(draft, of: .note(head.id)))
    }

    func remove(_ note: NoteID) {
        guard let kept = drafts.removeValue(forKey: note) else { return }
        kept.marker.end()
        kept.draft.remove()
    }

    /// Prints the paths of the drafts that remain.
    func report() {
        for kept in drafts.values { kept.draft.reportPath() }
    }

    /// A sentence about drafts of a note that an interrupted program left; nil if there are none.
    static func sentence(about note: NoteID, besides text: [UInt8]) -> String? {
        guard let folder = OperationJournal.madeFolder(),
            let path = KeptDraft.left(of: [.note(note)], besides: text, in: folder).first
        else { return nil }
        return "an earlier edit of this note was interrupted; its last text is in \(SafeText.line(path))"
    }
}
