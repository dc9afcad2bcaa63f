import Causality
package import NotesClient
package import NotesModel
package import NotesWire

/// Finds the last names and titles of deleted notes. A tombstone has no name and an empty title, so both are read from
/// the revision before the deletion.
package enum DeletedNotes {
    /// The notes with their last names and titles, in the same order.
    ///
    /// - Complexity: two requests for each deleted note, at most `BoundedTaskGroup.max` at once.
    package static func named(_ notes: [NoteObject], _ client: any NotesAPI) async throws -> [NoteObject] {
        var named = notes
        let deleted = notes.indices.filter { notes[$0].head.isDeleted }
        try await BoundedTaskGroup.run(deleted) { index in
            try await Self.named(notes[index].head, client)
        } finished: { index, head in
            // Not the received object with another head, which would still be written as received.
            named[index] = NoteObject(head, conflicts: notes[index].conflicts)
        }
        return named
    }

    /// The head of a deleted note with its last name and title. Unchanged if the note is not deleted,
    /// or if none of its newest 100 revisions is older than its deletion.
    package static func named(_ head: Head, _ client: any NotesAPI) async throws -> Head {
        guard head.isDeleted, let last = try await lastRevision(of: head.id, client) else { return head }
        var head = head
        head.name = last.name
        do {
            let shown = try await client.note(.id(head.id), at: Version(last.dot)).head
            (head.name, head.title) = (shown.name, shown.title)
        } catch ClientError.refused(let error) where error.kind == .revisionGone {
            // The name outlives the text, and the title does not.
        }
        return head
    }

    /// The newest revision of a note that is not a deletion.
    static func lastRevision(of note: NoteID, _ client: any NotesAPI) async throws -> RevisionSummary? {
        for limit in [2, 100] {
            let page = try await client.history(ReadHistory(id: note, limit: limit))
            if let last = page.revisions.first(where: { !$0.isDeleted }) { return last }
            if page.next == nil { return nil }
        }
        return nil
    }
}
