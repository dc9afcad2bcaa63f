import Causality
import NotesModel
import NotesStore

/// A load of a note from the journal whose walk is long. The engine reads the rows; a step needs
/// nothing else, so any thread can execute it.
///
/// The note may change meanwhile. Then the engine reads the rows again, and a second step adds the
/// revisions that are new, or begins again if the note does not go back far enough for them.
struct NoteLoad: Sendable {
    /// The note.
    let id: NoteID
    /// The part of the history that the request needs.
    let depth: LoadDepth
    /// The text of an earlier version that the response contains too (`GetNote.from`).
    let from: [UInt8]?
    /// The note, as far as the steps have built it.
    private(set) var note: Note?
    /// The rows for the next step.
    private var record: NoteRecord?
    /// The revisions that the next step replays.
    private(set) var revisions: Int
    /// The conflicts of the note with the contents of their sides, as far as its history goes back
    /// to these.
    private(set) var details: [ConflictDetail] = []

    /// - Parameter record: the note down to `depth`; nil if its rows are read later.
    init(_ id: NoteID, _ record: NoteRecord?, downTo depth: LoadDepth, from: [UInt8]?) {
        self.id = id
        self.depth = depth
        self.from = from
        self.record = record
        revisions = record?.tail.count ?? 0
    }

    /// Whether the load has rows for a step.
    var canStep: Bool { record != nil }

    /// Takes newer rows, also down to `depth`.
    ///
    /// - Complexity: O(tail).
    mutating func extend(with record: NoteRecord) {
        self.record = record
        guard let note, note.canGoOn(with: record) else {
            note = nil
            revisions = record.tail.count
            return
        }
        revisions = record.tail.count { !note.knows(Version($0.dot)) }
    }

    /// Whether the note, once complete, goes back as far as another depth requires.
    func reaches(_ other: LoadDepth) -> Bool {
        switch (depth, other) {
        case (_, .newest): true
        case (.dots(let version), .dots(let asked)), (.below(_, let version), .dots(let asked)):
            Set(version.dots).isSuperset(of: asked.dots)
        default: depth == other
        }
    }

    /// Drops the note, which may contain text that compaction has removed.
    mutating func startOver() {
        note = nil
    }

    /// Builds the note, or adds what it lacks.
    ///
    /// - Complexity: that of a walk over `revisions`.
    mutating func step() {
        guard let record = record.take() else { return }
        var note: Note
        if let known = self.note.take() {
            note = known
            for revision in record.tail where !note.knows(Version(revision.dot)) {
                note.append(revision, holdsFloor: true)
            }
            note.sequence = record.sequence
        } else {
            note = Note(record)
        }
        let sources = ConflictSources(record)
        details = note.head.conflicts.compactMap { try? sources.detail(of: $0, in: &note, at: note.version) }
        self.note = note
    }
}

extension Note {
    /// Whether the note goes back to the start of a newer record, so that the revisions of the
    /// record can be appended.
    fileprivate func canGoOn(with record: NoteRecord) -> Bool {
        record.floor.map { knows(Version($0.dot)) } ?? isWhole
    }
}
