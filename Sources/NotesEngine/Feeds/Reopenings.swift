import Causality
import Dependents
import NotesModel
import NotesStore

/// The notes whose compacted texts the store asks its peers for (`NoteReopening`).
struct Reopenings {
    /// The maximum number of commits below the floors of these notes together, and that of the bytes of
    /// texts that were collected for them. Both are memory.
    static let rowsMax = 200_000
    static let bytesMax = 64 << 20

    private(set) var byNote: [NoteID: NoteReopening] = [:]
    /// The dots of all revisions whose texts are needed.
    private(set) var lacks = DotSet()
    /// The notes whose texts did not fit, or were too large. They are tried again at the next start.
    private var givenUp: Set<NoteID> = []
    /// The notes that come later, when others are done.
    private(set) var postponed: Set<NoteID> = []
    /// The revisions that fit once the texts are back, for the next adoption.
    var revived: [LinkedRevision] = []
    /// Whether a note was added, or is done, since the last offer was answered.
    var isChanged = false

    /// Whether a note may be asked for.
    func mayAdd(_ id: NoteID) -> Bool { byNote[id] == nil && !givenUp.contains(id) }

    mutating func add(_ reopening: NoteReopening) {
        guard byNote.values.reduce(reopening.rowCount, { $0 + $1.rowCount }) <= Self.rowsMax else {
            postponed.insert(reopening.note)
            return
        }
        postponed.remove(reopening.note)
        byNote[reopening.note] = reopening
        lacks.formUnion(reopening.lacks)
        isChanged = true
    }

    /// Takes the revisions of an offer whose texts are needed. Returns the others.
    mutating func take(_ revisions: [LinkedRevision]) -> [LinkedRevision] {
        guard !byNote.isEmpty else { return revisions }
        let others = revisions.filter { byNote[$0.note]?.take($0) != true }
        limitBytes()
        return others
    }

    /// Takes a beginning.
    mutating func take(_ beginning: NoteBeginning) {
        byNote[beginning.note]?.take(beginning)
        limitBytes()
    }

    /// Leaves the largest note for later if all collected texts are too large.
    private mutating func limitBytes() {
        guard byNote.values.reduce(0, { $0 + $1.bytes }) > Self.bytesMax,
            let largest = byNote.values.max(by: { $0.bytes < $1.bytes })
        else { return }
        if byNote.count == 1 { giveUp(largest.note) } else { postponed.insert(largest.note) }
        remove(largest.note)
    }

    mutating func giveUp(_ id: NoteID) {
        givenUp.insert(id)
        remove(id)
    }

    mutating func remove(_ id: NoteID) {
        guard let reopening = byNote.removeValue(forKey: id) else { return }
        lacks = lacks.subtracting(reopening.lacks)
    }

    /// Removes the next note with work to do; the caller puts it back.
    mutating func takeNext() -> NoteReopening? {
        guard let id = byNote.first(where: { $0.value.isReady || $0.value.isDone || $0.value.hasFailed })?.key else { return nil }
        return byNote.removeValue(forKey: id)
    }

    mutating func putBack(_ reopening: NoteReopening) { byNote[reopening.note] = reopening }

    /// The newest texts of a note were written.
    mutating func wrote(_ count: Int, of id: NoteID) { byNote[id]?.removeNewestTexts(count) }
}
