import Causality
import NoteText
import NotesModel
import TestKit
import Testing

/// A minimal store: every revision of every note. It loads whole histories or, to test notes that
/// start above a critical version, the newest part that is sufficient.
struct Shelf {
    private(set) var revisions: [NoteID: [Accepted]] = [:]
    private(set) var heads: [NoteID: Head] = [:]
    private var counter: UInt64 = 0
    var limits = ModelLimits()
    let handsOutTails: Bool
    /// Whether notes stay in memory between batches, as in a daemon.
    let keepsNotes: Bool
    private var kept: [NoteID: Note] = [:]

    init(handsOutTails: Bool = true, keepsNotes: Bool = false) {
        self.handsOutTails = handsOutTails
        self.keepsNotes = keepsNotes
    }

    /// Makes a store of one note, created by revision A1.
    init(of id: NoteID, _ text: String, name: ByteString? = nil) {
        self.init()
        _ = apply(.createNote(CreateNote(id: id, isIDChosen: true, name: name, text: bytes(text))))
    }

    /// Applies one command in its own batch.
    mutating func apply(_ command: Command) -> WorkingCopy.Step {
        apply([command])[0]
    }

    /// Applies commands in one batch and commits them together.
    mutating func apply(_ commands: [Command]) -> [WorkingCopy.Step] {
        var copy = WorkingCopy(limits: limits)
        for note in kept.values { copy.supply(cached: note) }
        defer { if keepsNotes { keep(copy) } }
        return commands.map { command in
            let write = WriteContext(
                dot: Dot(replica("A"), counter + 1), author: ada, time: Timestamp(milliseconds: Int64(counter)))
            let step = copy.apply(command, as: write, heads: heads) { note($0, downTo: $1) }
            if case .accepted(let accepted) = step {
                counter += 1
                pending.append(accepted)
            }
            return step
        } + commit()
    }

    /// Keeps the notes of a batch in memory.
    private mutating func keep(_ copy: WorkingCopy) {
        for note in copy.changed + copy.untouched { kept[note.id] = note }
        for id in copy.stale { kept[id] = nil }
    }

    /// The note as it is in memory, if notes are kept there; otherwise loaded.
    func current(_ id: NoteID) -> Note? { kept[id] ?? note(id) }

    /// The rows that a store would keep of the note.
    func rows(of id: NoteID) -> [StoredRevision] {
        (revisions[id] ?? []).enumerated().map { index, accepted in
            var head = accepted.after
            head.vector = VersionVector()
            let shown = accepted.shown.map { shown in
                StoredRevision.Merged(head: head, text: index % 3 == 0 ? .whole(shown.text) : .edits(shown.edits))
            }
            return StoredRevision(
                revision: accepted.revision, hash: RevisionHash(onAnyParents: accepted.revision),
                bytes: accepted.text.count, text: accepted.text, name: accepted.name, coversAll: accepted.coversAll,
                conflicts: accepted.conflicts, lastLine: accepted.lastLine, isDeleted: accepted.isDeleted, shown: shown)
        }
    }

    private var pending: [Accepted] = []

    private mutating func commit() -> [WorkingCopy.Step] {
        for accepted in pending {
            revisions[accepted.after.id, default: []].append(accepted)
            heads[accepted.after.id] = accepted.after
        }
        pending = []
        return []
    }

    func note(_ id: NoteID, downTo depth: LoadDepth = .newest) -> Note? {
        guard let all = revisions[id], let head = heads[id] else { return nil }
        return Note(NoteRecord(all, head: head, downTo: depth, isWhole: !handsOutTails))
    }
}

extension WorkingCopy.Step {
    var outcome: Outcome? {
        switch self {
        case .accepted(let accepted): accepted.outcome
        case .unchanged(let outcome): outcome
        case .needs, .refused: nil
        }
    }

    var rejection: Rejection? {
        if case .refused(let rejection) = self { rejection } else { nil }
    }
}

func save(_ id: NoteID, _ text: String?, on base: Version?, name: NameRequest = .leave) -> Command {
    .saveNote(SaveNote(id: id, base: base, text: text.map(bytes), name: name))
}
