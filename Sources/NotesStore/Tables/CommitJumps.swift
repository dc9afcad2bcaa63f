import NotesModel
import NotesSQL

/// Jumps over the commits of notes with long histories. A search for an old commit, or a count of
/// commits, reads each link once, and jumps when it is repeated.
///
///     commits   9 ─► 8 ─► 6 ─► 5 ─► 4 ─► 2 ─► 1
///     jumps     9 ──────────► 5 ──────────► 1
///
/// No jump passes over a compaction floor or begins at one: the links show where it is. Links never
/// change, so a jump is valid until its note gets another floor.
struct CommitJumps {
    /// The number of commits that a jump passes at most, unless `insert` has merged jumps since.
    private(set) var length: Int
    private let jumpsMax: Int
    private var byNote: [NoteID: [UInt64: CommitJump]] = [:]
    /// The number of jumps, where each note counts as some.
    private var weight = 0

    /// The weight of a note, in jumps, in addition to that of its jumps.
    private static let noteWeight = 4

    init(_ limits: JournalLimits) {
        length = max(1, limits.jumpLength)
        jumpsMax = limits.jumpsMax
    }

    /// The jump that begins at a commit of a note.
    subscript(note: NoteID, commit: UInt64) -> CommitJump? { byNote[note]?[commit] }

    /// Records a jump. If there are too many, neighbours are merged, so that each is about twice as long.
    ///
    /// - Complexity: O(1), and O(jumps log jumps) if there are too many.
    mutating func insert(_ jump: CommitJump, from commit: UInt64, of note: NoteID) {
        if weight >= jumpsMax { merge() }
        if byNote[note] == nil { weight += Self.noteWeight }
        if byNote[note, default: [:]].updateValue(jump, forKey: commit) == nil { weight += 1 }
    }

    /// Extends the jumps of a note to a new commit.
    mutating func append(_ commit: UInt64, after previous: UInt64, of note: NoteID) {
        guard byNote[note] != nil else { return }
        if let last = byNote[note]?[previous], last.count < length {
            byNote[note]?[previous] = nil
            weight -= 1
            insert(CommitJump(to: last.to, count: last.count + 1), from: commit, of: note)
        } else {
            insert(CommitJump(to: previous, count: 1), from: commit, of: note)
        }
    }

    /// Drops the jumps of a note, which gets another floor.
    mutating func forget(_ note: NoteID) {
        guard let jumps = byNote.removeValue(forKey: note) else { return }
        weight -= jumps.count + Self.noteWeight
    }

    /// Merges every second jump with the next one, and drops those of notes with a single one.
    private mutating func merge() {
        length *= 2
        weight = 0
        for (note, jumps) in byNote {
            var merged: [UInt64: CommitJump] = [:]
            var upper: (from: UInt64, jump: CommitJump)?
            for (commit, jump) in jumps.sorted(by: { $0.key > $1.key }) {
                if let before = upper, before.jump.to == commit {
                    merged[before.from] = CommitJump(to: jump.to, count: before.jump.count + jump.count)
                    upper = nil
                } else {
                    if let before = upper { merged[before.from] = before.jump }
                    upper = (commit, jump)
                }
            }
            if let last = upper { merged[last.from] = last.jump }
            byNote[note] = merged.count > 1 ? merged : nil
            if merged.count > 1 { weight += merged.count + Self.noteWeight }
        }
    }
}

extension RevisionChainReader {
    /// Continues a search for an old commit. See `Journal.descend(_:rowsMax:)`.
    func step(_ descent: inout CommitDescent, rowsMax: Int, _ jumps: inout CommitJumps) throws(SQLFault) {
        let id = entry.head.id
        let isLong = descent.place != nil
        var commit = descent.place ?? entry.newest
        func record(_ descent: inout CommitDescent, _ jumps: inout CommitJumps) {
            if let (from, jump) = descent.takeJump(to: commit) { jumps.insert(jump, from: from, of: id) }
        }
        let rowsEnd = descent.rows + max(1, rowsMax)
        while commit > descent.target {
            if let jump = jumps[id, commit] {
                record(&descent, &jumps)
                guard jump.to >= descent.target else { return descent.complete() }
                commit = jump.to
                continue
            }
            guard descent.rows < rowsEnd else { return descent.pause(at: commit) }
            let link = try link(at: commit)
            descent.count(1)
            if link.flags.contains(.compactionFloor) {
                record(&descent, &jumps)
                commit = link.previous
            } else {
                let passed = descent.pass(commit)
                guard link.previous != 0 else { return descent.complete() }
                commit = link.previous
                if passed >= jumps.length { record(&descent, &jumps) }
            }
        }
        // The search for the same commit shall be short. A search that was short anyway needs no jump.
        if isLong { record(&descent, &jumps) }
        descent.complete()
    }
}
