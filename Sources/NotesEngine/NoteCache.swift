import NotesModel

/// The notes in use, bounded in bytes: what was not asked for since the younger generation last filled up is let go.
///
/// Invariant: each generation counts at most `bytesMax / 2`, or holds one note that is larger.
struct NoteCache {
    /// What a note is counted as beside its text, in bytes.
    static let noteBytes = 1_024

    private let bytesMax: Int
    private var young: [NoteID: Note] = [:]
    private var old: [NoteID: Note] = [:]
    private var youngBytes = 0

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// - Complexity: O(1), but for the moment when a generation ends.
    mutating func note(_ id: NoteID) -> Note? {
        if let note = young[id] { return note }
        guard let note = old.removeValue(forKey: id) else { return nil }
        insert(note)
        return note
    }

    mutating func insert(_ note: Note) {
        old[note.id] = nil
        if let replaced = young.updateValue(note, forKey: note.id) { youngBytes -= cost(replaced) }
        youngBytes += cost(note)
        if youngBytes > bytesMax / 2 {
            old = young
            young = [:]
            youngBytes = 0
        }
    }

    private func cost(_ note: Note) -> Int {
        note.residentBytes + Self.noteBytes
    }
}
