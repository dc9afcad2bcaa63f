import NotesModel

/// States that dependents are being told of, bounded in bytes, so that a change is built and encoded once for all of them.
struct StateCache {
    private struct Key: Hashable {
        let note: NoteID
        let sequence: UInt64
    }

    private let bytesMax: Int
    private var young: [Key: NoteState] = [:]
    private var old: [Key: NoteState] = [:]
    private var youngBytes = 0

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    mutating func state(of note: NoteID, at sequence: UInt64) -> NoteState? {
        let key = Key(note: note, sequence: sequence)
        if let state = young[key] { return state }
        guard let state = old.removeValue(forKey: key) else { return nil }
        insert(state)
        return state
    }

    mutating func insert(_ state: NoteState) {
        let key = Key(note: state.head.id, sequence: state.sequence)
        if let replaced = young.updateValue(state, forKey: key) { youngBytes -= cost(replaced) }
        youngBytes += cost(state)
        if youngBytes > bytesMax / 2 {
            old = young
            young = [:]
            youngBytes = 0
        }
    }

    private func cost(_ state: NoteState) -> Int {
        (state.text?.count ?? 0) + NoteCache.noteBytes
    }
}
