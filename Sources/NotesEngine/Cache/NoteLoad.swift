import Causality
import NotesModel
import NotesStore

/// A load of a note from the journal whose walk is long. The engine reads the rows in steps, between
/// which it serves other requests. The computation needs nothing else, so any thread can execute it.
///
/// The note may change meanwhile. Then the engine reads the new rows, and a second computation adds
/// them, or the load begins again if the note does not go back far enough for them.
struct NoteLoad: Sendable {
    /// The note.
    let id: NoteID
    /// The part of the history that the request needs.
    let depth: LoadDepth
    /// The text of an earlier version that the response contains too (`GetNote.from`).
    let from: [UInt8]?
    /// A command that each step applies to a copy of the note; nil for none.
    var command: LongCommand?
    /// The note, as far as the steps have built it.
    private(set) var note: Note?
    /// How far the read of the rows for the next computation is.
    private(set) var rows = Rows.none
    /// The authors and times of the note's revisions.
    private var sources = ConflictSources()
    /// The conflicts of the note, after the command if there is one, with the contents of their sides,
    /// as far as its history goes back to these.
    private(set) var details: [ConflictDetail] = []

    /// How far the rows for a computation are read.
    enum Rows {
        case none
        case reading(RecordRead)
        /// The note has to be built from this record.
        case record(NoteRecord)
        /// The note lacks these revisions.
        case newer([Revision], sequence: UInt64)
        /// The note does not exist any more.
        case gone
    }

    init(_ id: NoteID, downTo depth: LoadDepth, from: [UInt8]? = nil, applying command: LongCommand? = nil) {
        self.id = id
        self.depth = depth
        self.from = from
        self.command = command
    }

    /// Whether the engine has begun to read rows.
    var hasBegun: Bool { if case .none = rows { false } else { true } }

    /// Whether the engine has read all rows.
    var hasRows: Bool { if case .reading = rows { false } else { hasBegun } }

    /// The number of revisions that the next computation replays, once the rows are read.
    var revisions: Int {
        switch rows {
        case .none, .reading, .gone: 0
        case .record(let record): record.tail.count
        case .newer(let revisions, _): revisions.count
        }
    }

    /// Reads some of the rows that the note lacks.
    ///
    /// - Parameter rowsMax: see `Journal.read(_:rowsMax:)`.
    mutating func readRows(from journal: any Journal, rowsMax: Int) throws(JournalError) {
        guard !hasRows else { return }
        var reading = RecordRead(id, downTo: depth, after: note?.sequence)
        if case .reading(let begun) = rows { reading = begun }
        try journal.read(&reading, rowsMax: rowsMax)
        rows =
            switch reading.result {
            case nil: .reading(reading)
            case .record(let record?): .record(record)
            case .record(nil): .gone
            case .newer(let revisions, let sequence): .newer(revisions, sequence: sequence)
            }
        if case .newer(let revisions, _) = rows, let note, !note.canGoOn(with: revisions) { startOver() }
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

    /// Drops the note and the rows, which may contain text that compaction has removed.
    mutating func startOver() {
        note = nil
        rows = .none
        sources = ConflictSources()
    }

    /// Makes a complete load take another step, since its command needs one.
    mutating func goOn(applying command: LongCommand? = nil) {
        guard let note else { return }
        if let command { self.command = command }
        rows = .newer([], sequence: note.sequence)
    }

    /// Builds the note, or adds what it lacks, and applies the command.
    ///
    /// - Complexity: that of a walk over `revisions`, and of the command.
    mutating func step() {
        let rows = self.rows
        self.rows = .none
        switch rows {
        case .none, .reading, .gone: return
        case .record(let record):
            note = Note(record)
            sources = ConflictSources(record)
        case .newer(let revisions, let sequence):
            for revision in revisions { note?.append(revision, holdsFloor: true) }
            note?.sequence = sequence
            sources.add(revisions)
        }
        guard var note = note.take() else { return }
        if command != nil {
            command?.apply(to: note, loadedDownTo: depth)
            self.note = note
            guard var after = command?.copy.note(id) else { return }
            details = after.head.conflicts.compactMap { try? sources.detail(of: $0, in: &after, at: after.version) }
            return
        }
        details = note.head.conflicts.compactMap { try? sources.detail(of: $0, in: &note, at: note.version) }
        self.note = note
    }
}

extension Note {
    /// Whether the note goes back far enough for newer revisions to be appended.
    fileprivate func canGoOn(with newer: [Revision]) -> Bool {
        var dots: Set<Dot> = []
        for revision in newer {
            let isKnown =
                revision.parents.isNothing
                ? isWhole : revision.parents.dots.allSatisfy { dots.contains($0) || knows(Version($0)) }
            guard isKnown, !revision.isWithdrawal || canWithdraw(revision.withdraws.filter { !dots.contains($0) }) else {
                return false
            }
            dots.insert(revision.dot)
        }
        return true
    }
}
