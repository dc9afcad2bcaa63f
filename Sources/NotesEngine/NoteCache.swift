import Causality
import NotesModel
import NotesStore
import TextMerge

/// The committed notes as the engine reads them: from the cache where they are in use, from the journal otherwise.
///
/// Nothing in here is newer than what is durable.
struct NoteCache {
    let journal: any Journal
    private var cache: GenerationCache<NoteID, Note>
    /// States that dependents are being told of, so that a change is built and encoded once for all of them.
    private var states: GenerationCache<StateKey, NoteState>
    /// Earlier states that edits start from.
    private var bases: GenerationCache<StateKey, NoteState>

    /// What sides of conflicts say at a version: in another one the range may take in more lines, or fewer.
    private var conflictSides: GenerationCache<SidesKey, ConflictSides>

    private struct SidesKey: Hashable {
        let note: NoteID
        let conflict: ConflictID
        let version: Version
    }

    private struct StateKey: Hashable {
        let note: NoteID
        let sequence: UInt64
    }

    /// What a note or a state is counted as beside its text, in bytes.
    private static let overheadBytes = 1_024

    init(journal: any Journal, cacheBytesMax: Int) {
        self.journal = journal
        cache = GenerationCache(bytesMax: cacheBytesMax / 2) { $0.residentBytes + Self.overheadBytes }
        states = GenerationCache(bytesMax: cacheBytesMax / 8) { $0.residentBytes + Self.overheadBytes }
        bases = GenerationCache(bytesMax: cacheBytesMax / 8) { $0.residentBytes + Self.overheadBytes }
        conflictSides = GenerationCache(bytesMax: cacheBytesMax / 4) { $0.residentBytes + Self.overheadBytes }
    }

    /// What a note shows now; nil where there is none.
    mutating func note(_ id: NoteID) throws(JournalError) -> Note? {
        if let note = cache.value(id) { return note }
        guard let note = try load(id, downTo: .newest) else { return nil }
        cache.insert(note, for: note.id)
        return note
    }

    /// The note if it is at hand, for one who is going to change it and hands it back (`insert`, `handBack`). If it is never handed
    /// back, it is read from the journal again.
    mutating func take(_ id: NoteID) -> Note? {
        cache.take(id)
    }

    /// Takes notes back as they were.
    mutating func handBack(_ notes: [Note]) {
        for note in notes { cache.insert(note, for: note.id) }
    }

    /// Lets go of a note, since what is held of it may be older than a commit, or reach further down than its foot.
    mutating func forget(_ id: NoteID) {
        _ = cache.take(id)
    }

    func load(_ id: NoteID, downTo depth: LoadDepth) throws(JournalError) -> Note? {
        try journal.note(id, downTo: depth, asOf: nil).map { Note($0) }
    }

    /// Takes over what a commit made of a note.
    ///
    /// - Parameter isWatched: whether anybody may be told of it now; otherwise its state is made when somebody asks.
    mutating func insert(_ note: Note, isWatched: Bool) {
        cache.insert(note, for: note.id)
        guard isWatched else { return }
        // With conflicts the state is made when it is asked for: reading what the sides say may fail, and the commit stands.
        if note.head.conflicts.isEmpty { _ = remember(NoteState(sequence: note.sequence, head: note.head, text: note.text)) }
    }

    /// Takes over what the sides of conflicts said before a commit that has seen all: where it left one open, it wrote elsewhere.
    ///
    /// - Complexity: O(open conflicts).
    mutating func carryOver(_ commit: Commit) {
        guard commit.coversAll else { return }
        let head = commit.head
        for conflict in head.conflicts {
            let before = SidesKey(note: head.id, conflict: conflict.id, version: commit.revision.parents)
            guard let kept = conflictSides.value(before) else { continue }
            conflictSides.insert(kept, for: SidesKey(note: head.id, conflict: conflict.id, version: head.version))
        }
    }

    /// Conflicts that are open at a version of a note, with what their sides say.
    ///
    /// - Precondition: the version is known there, and reduced.
    /// - Complexity: O(conflicts) where they were asked for before, here or at a version that all since were written on;
    ///   otherwise that of the texts at the sides' versions, read from the store where the note does not reach down to them.
    mutating func details(
        of conflicts: [OpenConflict], in note: inout Note, at version: Version
    ) throws(JournalError) -> [ConflictDetail] {
        var details: [ConflictDetail] = []
        for conflict in conflicts {
            let key = SidesKey(note: note.id, conflict: conflict.id, version: version)
            let found: ConflictSides
            if let kept = conflictSides.value(key) {
                found = kept
            } else {
                found = try read(conflict, in: &note, at: version)
                conflictSides.insert(found, for: key)
            }
            details.append(ConflictDetail(conflict: conflict, base: found.base, sides: found.sides))
        }
        return details
    }

    /// The same of a note's version that it showed a moment ago.
    mutating func details(
        of conflicts: [OpenConflict], inNote id: NoteID, at version: Version
    ) throws(JournalError) -> [ConflictDetail] {
        var found = cache.take(id)
        if found == nil { found = try load(id, downTo: .newest) }
        guard var note = found.take() else { return [] }
        defer { handBack([note]) }
        if !note.covers(version), var deep = try load(id, downTo: .dots(version)) {
            return try details(of: conflicts, in: &deep, at: deep.reduced(version))
        }
        return try details(of: conflicts, in: &note, at: note.reduced(version))
    }

    private func read(_ conflict: OpenConflict, in note: inout Note, at version: Version) throws(JournalError) -> ConflictSides {
        var contents = note.conflictSides(of: conflict, at: version)
        if contents == nil {
            let deeper = version.union(Version(conflict.sides))
            if let record = try journal.note(note.id, downTo: .dots(deeper), asOf: nil) {
                var deep = Note(record)
                contents = deep.conflictSides(of: conflict, at: deep.reduced(version))
            }
        }
        guard let contents else {
            throw .failed("the sides of conflict \(conflict.id) in note \(note.id) cannot be computed from its revisions")
        }
        var sides: [ConflictSide] = []
        for (dot, content) in zip(conflict.sides, contents.sides) {
            guard let revision = try journal.revision(dot, of: note.id) else {
                throw .failed("revision \(dot), a side of conflict \(conflict.id), is missing")
            }
            sides.append(ConflictSide(dot: dot, author: revision.author, modified: revision.time, content: content))
        }
        return ConflictSides(base: contents.base, sides: sides)
    }

    /// What a note showed after the newest of its commits up to `sequence`; nil where it was not there yet.
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
        let conflicts = withText ? try details(of: read.head.conflicts, inNote: id, at: read.head.version) : []
        return remember(
            NoteState(sequence: read.sequence, head: read.head, text: withText ? read.text : nil, conflicts: conflicts))
    }

    /// What a note shows at its newest commit. Where it is not at hand it is read, and not kept.
    mutating func text(of stored: StoredHead) throws(JournalError) -> [UInt8]? {
        if let note = held(stored.head.id, asOf: stored.sequence), note.sequence == stored.sequence { return note.text }
        return try read(stored.head.id, asOf: stored.sequence, withText: true)?.text
    }

    /// What stood in a list after the newest of a note's commits up to `sequence`; nil where it was not there yet.
    ///
    /// - Complexity: O(its commits after) rows, and the text where that commit covers all.
    mutating func past(of id: NoteID, asOf sequence: UInt64) throws(JournalError) -> Head? {
        if let note = held(id, asOf: sequence) { return note.head }
        return try read(id, asOf: sequence, withText: false)?.head
    }

    /// The same with the text, and without what the sides of conflicts say: what edits start from.
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

    /// What is at hand of a note, where nothing was committed of it since.
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

    /// Takes in what was read of a note that somebody is going to be told of.
    mutating func remember(_ stored: StoredHead) {
        let key = StateKey(note: stored.head.id, sequence: stored.sequence)
        guard states.value(key) == nil else { return }
        states.insert(NoteState(sequence: stored.sequence, head: stored.head, text: nil), for: key)
    }

    private mutating func remember(_ note: inout Note) throws(JournalError) -> NoteState {
        let conflicts = try details(of: note.head.conflicts, in: &note, at: note.version)
        return remember(NoteState(sequence: note.sequence, head: note.head, text: note.text, conflicts: conflicts))
    }

    private mutating func remember(_ state: NoteState) -> NoteState {
        states.insert(state, for: StateKey(note: state.head.id, sequence: state.sequence))
        return state
    }
}

/// What the sides of a conflict say, and who they are.
private struct ConflictSides {
    let base: ConflictContent?
    let sides: [ConflictSide]

    /// About what it takes in memory.
    var residentBytes: Int { sides.reduce(base?.residentBytes ?? 0) { $0 + $1.content.residentBytes } }
}

extension ConflictContent {
    fileprivate var residentBytes: Int {
        if case .text(let text) = self { text.count } else { 0 }
    }
}

extension NoteState {
    /// About what it takes in memory beside its head.
    fileprivate var residentBytes: Int {
        let sides = conflicts.flatMap(\.sides)
        return sides.reduce(text?.count ?? 0) { $0 + $1.content.residentBytes }
    }
}
