import NotesClient
import NotesModel
import NotesWire

/// Hears when a note changes that is being edited, and says to others that it is.
struct EditWatch {
    let note: NoteID
    let options: GlobalOptions

    init(_ note: NoteID, options: GlobalOptions) {
        self.note = note
        self.options = options
    }

    /// Ends when its task is cancelled.
    func run(_ live: LiveEdit) async throws {
        let client = try await options.connect(reconnecting: Backoff())
        let watch = try await client.watch(WatchParams(filter: Filter(ids: [note]), snapshot: false))
        for try await event in watch {
            switch event {
            // What was written before the watch began is not told.
            case .changed, .synced: await live.noteChanged()
            case .started, .bookmark, .reset, .presence, .interrupted: continue
            }
            guard await client.hello?.capabilities.contains("presence") == true else { continue }
            // Where it cannot be said now, the next change says it.
            try? await client.setPresence(PresenceParams.Position(note: note, version: await live.version))
        }
    }
}
