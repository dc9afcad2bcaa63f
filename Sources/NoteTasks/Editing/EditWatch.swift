import NoteText
import NotesClient
package import NotesModel
import NotesWire

/// Watches a note while it is being edited, and announces the user's presence in it.
package struct EditWatch {
    let note: NoteID
    let options: GlobalOptions

    package init(_ note: NoteID, options: GlobalOptions) {
        self.note = note
        self.options = options
    }

    /// Runs until its task is cancelled or the watch fails.
    package func run(_ live: LiveEdit) async throws {
        let client = try await options.connect(reconnecting: Backoff())
        let watch = try await client.watch(WatchNotes(filter: Filter(ids: [note]), snapshot: false))
        for try await event in watch {
            switch event {
            case .changed(let change):
                if case .shown(let note) = change.note { await live.take(note) }
            // The watch does not report changes made before it began.
            case .synced: await live.take(try await client.note(.id(note)))
            case .started, .bookmark, .reset, .presence, .interrupted: continue
            }
            guard await client.hello?.capabilities.contains("presence") == true else { continue }
            // If this fails, the next change tries again.
            try? await client.setPresence(SetPresence.Position(note: note, version: await live.version))
        }
    }
}
