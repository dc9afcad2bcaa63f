import Causality
import Dependents
import NotesModel
import NotesStore
import TextMerge

/// The committed notes: from the cache if they are in use, otherwise from the journal.
///
/// The cache never contains anything that is not durable.
struct NoteCache {
    let journal: any Journal
    private var cache: GenerationCache<NoteID, Note>
    /// States that dependents are notified of, so that each is built and encoded once for all of
    /// them.
    private var states: GenerationCache<StateKey, NoteState>
    /// Earlier states that edits start from.
    private var bases: GenerationCache<StateKey, NoteState>

    /// The contents of conflicts' sides at a version. At another version the range of a conflict
    /// may contain more lines or fewer.
    var conflictSides: GenerationCache<SidesKey, ConflictSides>
    /// The writers of revisions that are sides of conflicts, for the next version: it has the same sides but
    /// a few, and a read of each from the journal takes longer than the write that makes the version.
    var sideWriters: GenerationCache<Dot, (author: Author, time: Timestamp)>

    /// The sides that walks have found for lines that wait, even if they do not fit into the cache.
    var sidesForLines: [ConflictedState: [ConflictDetail]] = [:]
    /// The states whose sides are kept for lines: those of one shared batch.
    static let statesForLinesMax = 256

    /// A load of more revisions is long: another thread replays them.
    let shortWalkRevisionsMax: Int
    /// The notes that wait for a long load. Their rows are not read meanwhile.
    var loading: Set<NoteID> = []
    /// A complete long load, for the request that needed it.
    private(set) var finished: NoteLoad?
    /// The finished load of a long command whose request has taken the note.
    private var taken: NoteLoad?
    /// The error of a long load, for the request that needed it.
    var failed: (id: NoteID, error: JournalError)?

    /// The revisions that reads of old versions have read so far. A read counts as at least 64.
    var revisionsRead = 0

    struct SidesKey: Hashable {
        let note: NoteID
        let conflict: ConflictID
        let version: Version
    }

    private struct StateKey: Hashable {
        let note: NoteID
        let sequence: UInt64
    }

    /// What a note or a state counts as besides its text, in bytes.
    private static let overheadBytes = 1_024
    /// Approximate memory of a cached writer, in bytes.
    private static let writerBytes = 256

    /// The result of a read that may need a long load.
    enum Loaded<Value> {
        case ready(Value)
        /// Another thread has to load the note first (`finish`). The load has no rows if another
        /// request waits for the note already.
        case long(NoteLoad)
    }

    init(journal: any Journal, cacheBytesMax: Int, shortWalkRevisionsMax: Int) {
        self.journal = journal
        self.shortWalkRevisionsMax = shortWalkRevisionsMax
        cache = GenerationCache(bytesMax: cacheBytesMax / 2) { $0.residentBytes + Self.overheadBytes }
        states = GenerationCache(bytesMax: cacheBytesMax / 8) { $0.residentBytes + Self.overheadBytes }
        bases = GenerationCache(bytesMax: cacheBytesMax / 8) { $0.residentBytes + Self.overheadBytes }
        conflictSides = GenerationCache(bytesMax: cacheBytesMax / 16 * 3) { $0.residentBytes + Self.overheadBytes }
        sideWriters = GenerationCache(bytesMax: cacheBytesMax / 16) { _ in Self.writerBytes }
    }

    /// The current state of a note; nil if it does not exist.
    ///
    /// - Parameter from: passed on to a long load.
    mutating func note(_ id: NoteID, from: [UInt8]? = nil) throws(JournalError) -> Loaded<Note?> {
        if let note = cache.value(id) { return .ready(note) }
        let loaded = try load(id, downTo: .newest, from: from)
        if case .ready(let note?) = loaded { cache.insert(note, for: note.id) }
        return loaded
    }

    /// The newest head of a note; nil if it does not exist.
    mutating func newestHead(of id: NoteID) throws(JournalError) -> Head? {
        if let note = cache.value(id) { return note.head }
        return try journal.head(of: id)?.head
    }

    /// Removes and returns a note if it is cached, for a caller that changes it and hands it back
    /// (`insert`, `handBack`). A note that is not handed back is read from the journal when it is
    /// needed.
    mutating func take(_ id: NoteID) -> Note? {
        cache.take(id)
    }

    /// Returns unchanged notes to the cache.
    mutating func handBack(_ notes: [Note]) {
        for note in notes { cache.insert(note, for: note.id) }
    }

    /// Removes a note that may be older than a commit, or contain text below its compaction floor.
    mutating func forget(_ id: NoteID) {
        _ = cache.take(id)
    }

    /// Drops the texts that were prepared for watches and conflicts: those of the note, and what is only
    /// cached of others.
    mutating func dropTexts(of id: NoteID) {
        states.removeAll()
        bases.removeAll()
        conflictSides.removeAll()
        sideWriters.removeAll()
        sidesForLines = sidesForLines.filter { $0.key.note != id }
    }

    /// The cached note; nil if it is not cached.
    mutating func value(_ id: NoteID) -> Note? { cache.value(id) }

    /// The head of the state that a line shows with its text; nil if that state is kept, has no open
    /// conflict, or does not exist.
    mutating func headToShow(of id: NoteID, at sequence: UInt64) throws(JournalError) -> Head? {
        guard states.value(StateKey(note: id, sequence: sequence))?.text == nil else { return nil }
        if let note = held(id, asOf: sequence) { return note.head.conflicts.isEmpty ? nil : note.head }
        guard let read = try read(id, asOf: sequence, withText: true) else { return nil }
        guard read.head.conflicts.isEmpty else { return read.head }
        _ = remember(NoteState(sequence: read.sequence, head: read.head, text: read.text))
        return nil
    }

    /// Reads a note from the journal, whatever that takes; nil if it does not exist.
    func loadAtOnce(_ id: NoteID, downTo depth: LoadDepth) throws(JournalError) -> Note? {
        try journal.note(id, downTo: depth, asOf: nil).map { Note($0) }
    }

    /// Reads a note from the journal, or only its rows if the walk is long; nil if it does not
    /// exist.
    ///
    /// - Parameter from: passed on to a long load.
    mutating func load(
        _ id: NoteID, downTo depth: LoadDepth, from: [UInt8]? = nil
    ) throws(JournalError) -> Loaded<Note?> {
        if let load = finished, load.id == id, load.reaches(depth) {
            // A request with a second need asks for the first one again.
            if load.depth == depth { (taken, finished) = (depth.isBelow ? load : nil, nil) }
            return .ready(load.note)
        }
        if let failed, failed.id == id { throw failed.error }
        var load = NoteLoad(id, downTo: depth, from: from)
        guard !loading.contains(id) else { return .long(load) }
        try load.readRows(from: journal, rowsMax: shortRowsMax)
        if case .gone = load.rows { return .ready(nil) }
        guard load.hasRows, load.revisions <= shortWalkRevisionsMax else {
            loading.insert(id)
            return .long(load)
        }
        load.step()
        return .ready(load.note)
    }

    /// Reads a note for a long command, which another thread applies to it, unless the request has just loaded
    /// it. The load has no rows if another request waits for the note already.
    mutating func load(
        _ id: NoteID, downTo depth: LoadDepth, applying command: LongCommand
    ) throws(JournalError) -> NoteLoad {
        if let failed, failed.id == id { throw failed.error }
        if var loaded = taken, loaded.id == id, loaded.reaches(depth) {
            loaded.goOn(applying: command)
            return loaded
        }
        var load = NoteLoad(id, downTo: depth, applying: command)
        guard !loading.contains(id) else { return load }
        try load.readRows(from: journal, rowsMax: shortRowsMax)
        loading.insert(id)
        return load
    }

    /// Removes and returns the complete long load that has applied a command.
    mutating func takeFinished(_ command: Command) -> NoteLoad? {
        guard finished?.command?.command == command else { return nil }
        return finished.take()
    }

    /// Rows that are read at once. They suffice for a short walk.
    var shortRowsMax: Int { min(max(shortWalkRevisionsMax, 0), .max - 1) + 1 }

    /// Takes in a long load after a step. The request that needed it has to be executed next.
    ///
    /// - Returns: the load if many revisions were committed meanwhile, which need another step.
    mutating func finish(_ load: NoteLoad) throws(JournalError) -> NoteLoad? {
        var load = load
        while true {
            let newest = try journal.head(of: load.id)?.sequence
            if let note = load.note, note.sequence == newest { break }
            try load.readRows(from: journal, rowsMax: shortRowsMax)
            if case .gone = load.rows { return nil }
            let isShort = load.hasRows && load.revisions <= max(0, shortWalkRevisionsMax) && load.command == nil
            guard isShort else { return load }
            load.step()
        }
        finished = load
        if load.command == nil, let note = load.note {
            for detail in load.details {
                let key = SidesKey(note: note.id, conflict: detail.conflict.id, version: note.version)
                conflictSides.insert(ConflictSides(base: detail.base, sides: detail.sides), for: key)
            }
        }
        return nil
    }

    /// Drops the result or the error of a long load, whether or not the request needed it.
    mutating func dropFinished() {
        (finished, taken) = (nil, nil)
        failed = nil
    }

    /// Caches the note that a commit produced.
    ///
    /// - Parameter isWatched: whether a dependent may be notified of it; otherwise its state is
    ///   built on demand.
    mutating func insert(_ note: Note, isWatched: Bool) {
        cache.insert(note, for: note.id)
        guard isWatched else { return }
        // A state with conflicts is built on demand: reading the sides may fail, and the commit is
        // durable.
        if note.head.conflicts.isEmpty { _ = remember(NoteState(sequence: note.sequence, head: note.head, text: note.text)) }
    }

    /// Keeps the contents of conflicts' sides across a write that was based on everything: if it left
    /// a conflict open, it changed other text, or typed in its lines. A withdrawal may replace the sides
    /// of a conflict that stays open, and text that is appended to the note terminates the last line of
    /// its sides.
    ///
    /// - Complexity: O(open conflicts).
    mutating func carryOver(_ commit: Commit) {
        guard commit.coversAll, !commit.revision.isWithdrawal else { return }
        let head = commit.head
        for conflict in head.conflicts {
            let before = SidesKey(note: head.id, conflict: conflict.id, version: commit.revision.parents)
            guard let kept = conflictSides.value(before), !kept.endsWithinALine else { continue }
            if commit.revision.edits.changeLines(of: conflict.start.utf8..<conflict.end.utf8) { continue }
            conflictSides.insert(kept, for: SidesKey(note: head.id, conflict: conflict.id, version: head.version))
        }
    }

    /// The state of a note after its newest commit up to `sequence`; nil if it did not exist yet.
    mutating func state(of id: NoteID, at sequence: UInt64, withText: Bool) throws(JournalError) -> NoteState? {
        if let state = states.value(StateKey(note: id, sequence: sequence)), state.text != nil || !withText { return state }
        if !withText, let note = held(id, asOf: sequence) {
            return remember(NoteState(sequence: note.sequence, head: note.head, text: nil))
        }
        if withText, var note = cache.take(id) {
            defer { handBack([note]) }
            if note.sequence <= sequence { return try remember(&note) }
        }
        if !withText, let stored = try journal.head(of: id), stored.sequence <= sequence {
            return remember(NoteState(sequence: stored.sequence, head: stored.head, text: nil))
        }
        guard let read = try read(id, asOf: sequence, withText: withText) else { return nil }
        let conflicts = withText ? try detailsAtOnce(of: read.head.conflicts, inNote: id, at: read.head.version) : []
        return remember(
            NoteState(sequence: read.sequence, head: read.head, text: withText ? read.text : nil, conflicts: conflicts))
    }

    /// The text of a note at its newest commit. A note that is not cached is read and not kept.
    mutating func text(of stored: StoredHead) throws(JournalError) -> [UInt8]? {
        if let note = held(stored.head.id, asOf: stored.sequence), note.sequence == stored.sequence { return note.text }
        return try read(stored.head.id, asOf: stored.sequence, withText: true)?.text
    }

    /// The head of a note after its newest commit up to `sequence`; nil if it did not exist yet.
    ///
    /// - Complexity: O(later commits of the note) rows, and its text if that commit was based on
    ///   everything.
    mutating func past(of id: NoteID, asOf sequence: UInt64) throws(JournalError) -> Head? {
        if let note = held(id, asOf: sequence) { return note.head }
        return try read(id, asOf: sequence, withText: false)?.head
    }

    /// The state from which edits start: that of `past` with the text, without the contents of
    /// conflicts' sides.
    mutating func base(of id: NoteID, at sequence: UInt64) throws(JournalError) -> NoteState? {
        let key = StateKey(note: id, sequence: sequence)
        if let state = states.value(key), state.text != nil { return state }
        if let base = bases.value(key) { return base }
        var base: NoteState?
        if let note = held(id, asOf: sequence) {
            base = NoteState(sequence: note.sequence, head: note.head, text: note.text)
        } else if let read = try read(id, asOf: sequence, withText: true) {
            base = NoteState(sequence: read.sequence, head: read.head, text: read.text)
        }
        if let base { bases.insert(base, for: key) }
        return base
    }

    /// The commit down to which a line's reads follow the note's commits, besides a count; nil if what
    /// they read is cached.
    mutating func commitToReach(of line: ChangedLine) -> UInt64? {
        var commits: [UInt64] = []
        let showsText = line.include != .meta && line.kind != .left
        let state = states.value(StateKey(note: line.note, sequence: line.to))
        if state.map({ showsText && $0.text == nil }) ?? true, held(line.note, asOf: line.to) == nil {
            commits.append(line.to)
        }
        if line.include == .edits, line.from > 0 {
            let key = StateKey(note: line.note, sequence: line.from)
            let isKept = states.value(key)?.text != nil || bases.value(key) != nil
            if !isKept, held(line.note, asOf: line.from) == nil { commits.append(line.from) }
        }
        return commits.min()
    }

    /// The cached note, if no commit after `sequence` changed it.
    private mutating func held(_ id: NoteID, asOf sequence: UInt64) -> Note? {
        guard let note = cache.value(id), note.sequence <= sequence else { return nil }
        return note
    }

    private func read(
        _ id: NoteID, asOf sequence: UInt64, withText: Bool
    ) throws(JournalError) -> (sequence: UInt64, head: Head, text: [UInt8]?)? {
        switch try journal.past(id, asOf: sequence, withText: withText) {
        case .shown(let sequence, let head, let text): return (sequence, head, text)
        case .record(let record):
            let note = Note(record)
            return (note.sequence, note.head, note.text)
        case nil: return nil
        }
    }

    /// Caches the state of a note that a dependent will be notified of.
    mutating func remember(_ stored: StoredHead) {
        let key = StateKey(note: stored.head.id, sequence: stored.sequence)
        guard states.value(key) == nil else { return }
        states.insert(NoteState(sequence: stored.sequence, head: stored.head, text: nil), for: key)
    }

    private mutating func remember(_ note: inout Note) throws(JournalError) -> NoteState {
        let conflicts = try detailsAtOnce(of: note.head.conflicts, in: &note, at: note.version)
        return remember(NoteState(sequence: note.sequence, head: note.head, text: note.text, conflicts: conflicts))
    }

    private mutating func remember(_ state: NoteState) -> NoteState {
        states.insert(state, for: StateKey(note: state.head.id, sequence: state.sequence))
        return state
    }
}

extension NoteState {
    /// The approximate memory besides the head, in bytes.
    fileprivate var residentBytes: Int {
        let sides = conflicts.flatMap(\.sides)
        return sides.reduce(text?.count ?? 0) { $0 + $1.content.residentBytes }
    }
}
