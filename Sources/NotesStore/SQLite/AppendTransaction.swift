import Causality
import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// Writes one append to the tables, and collects the state that memory takes over once it is
/// durable.
struct AppendTransaction {
    let database: Database
    /// The tables after this append. The journal takes them over; until then, it keeps its own.
    private(set) var tables: JournalTables
    /// The notes that this append commits to, with their new entries.
    private(set) var fresh: [NoteID: NoteEntry] = [:]
    /// The hashes that erased revisions named, with the commit of the purge.
    private var erasedNames: [(purge: UInt64, hashes: Set<FileHash>)] = []
    /// What the purges did to the names of hashes, once the transaction is finished.
    private(set) var fileErasures: [FileErasure] = []

    /// - Parameter capacity: the expected number of notes.
    init(_ database: Database, _ tables: JournalTables, capacity: Int) {
        self.database = database
        self.tables = tables
        fresh.reserveCapacity(capacity)
    }

    /// Writes an entry. Throws `SQLITE_MISUSE` if it breaks the contract of `Journal.append`.
    mutating func add(_ entry: JournalEntry, over memtable: HeadMemtable) throws(SQLFault) {
        switch entry {
        case .operation(let record): try tables.operations.append(record, to: database)
        case .commit(let commit, let record):
            try add(commit, over: memtable)
            if let record { try tables.operations.append(record, to: database) }
        case .waiting(let revision):
            try demandWritable(revision)
            try demandUnused(revision.dot)
            try tables.waiting.insert(revision, into: database)
        case .quarantined(let quarantined):
            try demandWritable(quarantined.revision)
            try tables.quarantine.insert(quarantined, into: database)
            let dot = quarantined.revision.dot
            if tables.waiting.contains(dot), try WaitingTable.revision(dot, in: database) == quarantined.revision {
                try tables.waiting.remove(dot, from: database)
            }
        case .heard(let peer, let known): try tables.peers.record(peer, knows: known, in: database)
        case .dropped(let dot):
            try tables.quarantine.drop(dot, from: database)
            try tables.waiting.remove(dot, from: database)
        case .forgotten(let peer): try tables.peers.forget(peer, in: database)
        case .compacted(let compaction): try compact(compaction, over: memtable)
        case .reopened(let reopening): try reopen(reopening, over: memtable)
        case .began(let skeletons, let commit, let erased): try begin(skeletons, commit, erased, over: memtable)
        }
    }

    /// Writes the revisions below the floor of a note's beginning, then the floor.
    ///
    /// - Complexity: O(skeletons + text of the floor), and that of a purge.
    private mutating func begin(
        _ skeletons: [Skeleton], _ floor: Commit, _ erased: DotSet, over memtable: HeadMemtable
    ) throws(SQLFault) {
        let note = floor.revision.note
        let former = try entry(of: note, over: memtable)
        guard floor.parentHashes?.count == floor.revision.parents.dots.count else {
            throw .refused("\(floor.revision.dot) cannot begin note \(note)")
        }
        let number = former?.number ?? tables.lastNote + 1
        if let former, !erased.isEmpty { _ = try eraseRows(of: former, from: former.newest, by: floor.sequence) }
        var (previous, hash) = (former?.newest ?? 0, RevisionHash(bits: 0))
        for skeleton in skeletons {
            previous = try insert(skeleton, ofNote: number, after: previous)
            hash = skeleton.hash
        }
        if !skeletons.isEmpty {
            if former == nil { tables.counts.replace(nil, by: NoteCounts.Counted(floor.head)) }
            tables.lastNote = max(tables.lastNote, number)
            fresh[note] = NoteEntry(
                number: number, head: former?.head ?? floor.head, newest: previous,
                tip: NoteEntry.Tip(chain: 0, name: nil, nameCommit: 0, hash: hash, mergedTextChain: nil))
        }
        try add(floor, over: memtable)
        if !erased.isEmpty {
            try mark(floor, erased, ofNote: number)
        }
        if erased.isEmpty {
            // The text at the floor contains theirs.
            try tables.quarantine.removeLate(of: note, skeletons.map(\.revision.dot), from: database)
        } else if let entry = fresh[note], former != nil || floor.isPurge {
            // Held revisions that are not below the purge are based on it, or do not fit.
            try tables.quarantine.erase(note, below: erased, isOnlyBelow: true, in: database)
            for dot in tables.waiting.dots.filter(erased.contains) { try tables.waiting.remove(dot, from: database) }
            try eraseBesideRows(of: entry)
        }
        try raiseCompactedThrough(to: floor.sequence)
    }

    /// Writes a revision of which only the dot is known. Returns its commit.
    private mutating func insert(
        _ skeleton: Skeleton, ofNote number: UInt64, after previous: UInt64
    ) throws(SQLFault) -> UInt64 {
        let revision = skeleton.revision
        try demandUnused(revision.dot)
        var parents: [UInt64] = []
        for parent in revision.parents.dots {
            guard let commit = try tables.dots.commit(of: parent, from: database, tables.replicas) else {
                throw .refused("the parent \(parent) of \(revision.dot) is not known")
            }
            parents.append(commit)
        }
        var flags: RevisionRow.Flags = [.compacted, .erased, .summed]
        if skeleton.coversAll { flags.insert(.coversAll) }
        var name = RevisionRow.OwnName.none
        if case .set(let own?) = revision.name {
            flags.insert(.setsOwnName)
            name = .here(own.bytes.utf8)
        }
        let sequence = tables.dots.lastCommit + 1
        let row = RevisionRow(
            sequence: sequence, note: number, previous: previous, flags: flags, time: revision.time,
            author: try tables.authors.number(of: revision.author, addingTo: database), bytes: 0, chain: 0, name: name,
            parents: parents == (previous == 0 ? [] : [previous]) ? .previous : .commits(parents.sorted()), extra: nil,
            hash: skeleton.hash, edits: [])
        try row.insert(into: database, text: nil)
        try tables.dots.append(revision.dot, to: database, &tables.replicas)
        try tables.runs.record(sequence, in: database, &tables.replicas)
        try tables.waiting.remove(revision.dot, from: database)
        return sequence
    }

    /// Applies a step of compaction: stores the full text of a new floor, then removes the edits
    /// and texts of the commits below it.
    ///
    /// - Complexity: O(text of the floor, if it is new + what is removed).
    private mutating func compact(_ compaction: Compaction, over memtable: HeadMemtable) throws(SQLFault) {
        var reader = RevisionReader(database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
        guard let compactionFloor = try reader.row(at: compaction.compactionFloor),
            let entry = try entry(of: compaction.note, over: memtable),
            compactionFloor.note == entry.number, compactionFloor.flags.contains(.coversAll),
            !compactionFloor.flags.contains(.compacted)
        else { throw .refused("commit \(compaction.compactionFloor) cannot be the compaction floor of note \(compaction.note)") }
        if !compactionFloor.flags.contains(.compactionFloor) {
            // Verify the row first, here and below: a corrupt row of an older store, which has no
            // checksum, must not get one.
            _ = try reader.fittingRevision(of: compactionFloor, note: compaction.note)
            let text = try reader.ownText(of: compactionFloor)
            var row = compactionFloor
            row.flags.formUnion([.compactionFloor, .summed])
            row.chain = 0
            try database.run(
                "UPDATE revision SET flags = ?, chain = 0, edits = ?, text = coalesce(?, text), kept = ? WHERE sequence = ?",
                .integer(row.flags.rawValue), .blob(row.summedEdits), compactionFloor.chain == 0 ? .null : .blob(text),
                .number(RevisionHash(ofText: text).bits), .number(compactionFloor.sequence))
            if row.flags.contains(.file) { try reader.rename(row) }
        }
        for commit in compaction.removed {
            guard var row = try reader.row(at: commit), row.note == entry.number, row.sequence < compactionFloor.sequence,
                !row.flags.contains(.compacted)
            else { throw .refused("the text of commit \(commit) cannot be compacted") }
            let compacted = try reader.linked(try reader.fittingRevision(of: row, note: compaction.note), of: row).compacted
            row.flags.formUnion([.compacted, .summed])
            row.edits = []
            try database.run(
                "UPDATE revision SET flags = ?, edits = ?, text = NULL, kept = ? WHERE sequence = ?",
                .integer(row.flags.rawValue), .blob(row.summedEdits), .number(RevisionHash(of: compacted).bits), .number(commit))
            try MergedTextTable(database: database).remove(commit)
            try FileNameTable(database: database).remove(commit)
        }
        try raiseCompactedThrough(to: compactionFloor.sequence)
    }

    private mutating func demandUnused(_ dot: Dot) throws(SQLFault) {
        guard try tables.dots.commit(of: dot, from: database, tables.replicas) == nil else {
            throw .refused("the dot \(dot) is already in use")
        }
    }

    private mutating func raiseCompactedThrough(to sequence: UInt64) throws(SQLFault) {
        guard sequence > tables.compactedThrough else { return }
        try database.run("UPDATE store SET compacted_through = ?", .number(sequence))
        tables.compactedThrough = sequence
    }

    /// Erases everything below a purge and writes its record.
    ///
    /// - Parameter entry: the note at the purge.
    /// - Complexity: O(commits of the note and the bytes of their rows + rows of `operation`,
    ///   `unflushed`, `waiting` and `quarantine`).
    private mutating func erase(below commit: Commit, _ entry: NoteEntry) throws(SQLFault) {
        var below = try eraseRows(of: entry, from: commit.previous, by: commit.sequence)
        try tables.quarantine.erase(entry.head.id, below: below, in: database)
        for dot in tables.waiting.dots.filter(below.contains) { try tables.waiting.remove(dot, from: database) }
        for dot in try tables.waiting.remove(all: entry.head.id, from: database) {
            try tables.quarantine.insertErased(dot, into: database)
        }
        try eraseBesideRows(of: entry)
        below.insert(commit.revision.dot)
        try mark(commit, below, ofNote: entry.number)
    }

    /// Returns the dots of the rows.
    private mutating func eraseRows(
        of entry: NoteEntry, from newest: UInt64, by purge: UInt64
    ) throws(SQLFault) -> DotSet {
        let reader = RevisionReader(database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
        var erasure = PurgeErasure(database: database, reader: reader, authors: tables.authors)
        try erasure.eraseRows(ofNote: entry.number, from: newest)
        tables.authors = erasure.authors
        erasedNames.append((purge, erasure.hashes))
        return erasure.below
    }

    /// Erases what other tables than `revision` and those of the holding areas have of a note.
    private mutating func eraseBesideRows(of entry: NoteEntry) throws(SQLFault) {
        try OperationTable.eraseFingerprints(of: entry.head.id, in: database)
        var flush = HeadFlush(database: database, replicas: tables.replicas)
        try flush.supersede(by: entry)
        tables.replicas = flush.replicas
        try database.run("UPDATE store SET unscrubbed = ?", .number(entry.newest))
        tables.unscrubbed = entry.newest
        try raiseCompactedThrough(to: entry.newest)
    }

    /// Records the files to erase, and writes the heads of the committed notes to `unflushed`. The last step of the
    /// transaction.
    mutating func finish() throws(SQLFault) {
        for erased in erasedNames {
            fileErasures.append(try settled(erased.hashes, by: erased.purge, in: &tables.erasedFiles))
        }
        for entry in fresh.values.sorted(by: { $0.newest < $1.newest }) {
            try database.run(
                "INSERT INTO unflushed (sequence, note, state) VALUES (?, ?, ?)", .number(entry.newest), .number(entry.number),
                .blob(
                    try HeadCodec.bytes(
                        of: entry.head, at: entry.newest, note: entry.number, &tables.replicas, addingTo: database)))
        }
    }

    private mutating func add(_ commit: Commit, over memtable: HeadMemtable) throws(SQLFault) {
        let revision = commit.revision
        guard commit.sequence == tables.dots.lastCommit + 1 else {
            throw .refused("commit \(commit.sequence) cannot follow commit \(tables.dots.lastCommit)")
        }
        guard commit.head.id == revision.note, revision.edits.fault(forLength: .max) == nil else {
            throw .refused("commit \(commit.sequence) is inconsistent")
        }
        let entry = try entry(of: revision.note, over: memtable)
        guard commit.previous == entry?.newest ?? 0 else {
            throw .refused(
                "commit \(commit.sequence) follows commit \(commit.previous), but its note's newest is \(entry?.newest ?? 0)")
        }
        try demandUnused(revision.dot)
        let number = entry?.number ?? tables.lastNote + 1
        let tip = try entry.map { entry throws(SQLFault) in try self.tip(of: entry) }
        let base = try base(of: commit, note: number, tip: tip)
        let (row, text) = try row(of: commit, note: number, tip: tip, base: base)
        try row.insert(into: database, text: text)
        try name(commit, isFloor: row.flags.contains(.compactionFloor))
        let mergedTextChain = commit.coversAll ? row.chain : try keepMergedText(commit, after: tip)
        try tables.dots.append(revision.dot, to: database, &tables.replicas)
        try tables.runs.record(commit.sequence, in: database, &tables.replicas)
        try tables.waiting.remove(revision.dot, from: database)
        try tables.quarantine.remove(LinkedRevision(revision, parentHashes: base.hashes), from: database)
        tables.counts.replace(entry.map { NoteCounts.Counted($0.head) }, by: NoteCounts.Counted(commit.head))
        tables.lastNote = max(tables.lastNote, number)
        tables.lastTime = revision.time
        let keepsName = tip?.name == commit.name && !commit.isPurge
        let nameCommit = keepsName ? tip?.nameCommit ?? 0 : commit.sequence
        let newEntry = NoteEntry(
            number: number, head: commit.head, newest: commit.sequence,
            tip: NoteEntry.Tip(
                chain: row.chain, name: commit.name, nameCommit: nameCommit, hash: row.hash, mergedTextChain: mergedTextChain))
        fresh[revision.note] = newEntry
        if commit.isPurge, commit.parentHashes == nil { try erase(below: commit, newEntry) }
    }

    /// Stores the merged text after a commit that does not cover all. Returns the cost of reading
    /// it, or nil if it was not stored.
    private mutating func keepMergedText(_ commit: Commit, after tip: NoteEntry.Tip?) throws(SQLFault) -> Int? {
        guard let shown = commit.shown else { return nil }
        return try MergedTextTable(database: database).insert(
            shown, as: commit.head, at: commit.sequence, after: tip?.mergedTextChain, &tables.replicas)
    }

    /// What the row of a commit refers to.
    private struct Base {
        /// The commits of the parents, ascending.
        var commits: [UInt64] = []
        /// The hashes of the parents, in the order of their dots.
        var hashes: [RevisionHash] = []
        /// The cost of reading the parents' text; nil if there are several parents, whose text would
        /// have to be merged.
        var chain: Int? = 0
    }

    private mutating func base(of commit: Commit, note: UInt64, tip: NoteEntry.Tip?) throws(SQLFault) -> Base {
        let reader = RevisionReader(database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
        var base = Base()
        for dot in commit.revision.parents.dots {
            guard let parent = try tables.dots.commit(of: dot, from: database, tables.replicas) else {
                throw .refused("the parent \(dot) of \(commit.revision.dot) is not known")
            }
            base.commits.append(parent)
            if parent == commit.previous, let tip {
                base.chain = tip.chain
                base.hashes.append(tip.hash)
            } else {
                let row = try reader.row(required: parent)
                guard row.note == note, commit.parentHashes != nil || !row.flags.contains(.compacted) else {
                    throw .refused("the parent \(dot) of \(commit.revision.dot) belongs to another note or was compacted")
                }
                base.chain = row.chain
                base.hashes.append(row.hash)
            }
        }
        if let hashes = commit.parentHashes { base.hashes = hashes }
        // They are erased, so the purge does not depend on them.
        if commit.isPurge { base.hashes = base.hashes.map { _ in RevisionHash(bits: 0) } }
        base.commits.sort()
        if base.commits.count > 1 { base.chain = nil }
        return base
    }

    /// Returns the row, and the full text if `TextChain` gives it one.
    private mutating func row(
        of commit: Commit, note: UInt64, tip: NoteEntry.Tip?, base: Base
    ) throws(SQLFault) -> (RevisionRow, text: [UInt8]?) {
        let revision = commit.revision
        let edits = EditCodec.bytes(of: commit.textEdits)
        var flags: RevisionRow.Flags = .summed
        if revision.isWithdrawal { flags.insert(.withdrawal) }
        if commit.isDeleted, !revision.isTombstone { flags.insert(.deletedByUndo) }
        flags.formUnion(RevisionRow.Flags(lastLine: commit.lastLine))
        if revision.origin == .found { flags.insert(.found) }
        if revision.isTombstone { flags.insert(.tombstone) }
        if commit.coversAll { flags.insert(.coversAll) }
        if FileContent.isFile(commit.text) { flags.insert(.file) }
        var extra = RevisionExtra(
            resolves: revision.resolves, withdraws: revision.withdraws, reserved: revision.reserved,
            conflicts: commit.coversAll ? commit.conflicts : [])
        if case .set(let name) = revision.name {
            flags.insert(name == commit.name ? .setsOwnName : .setsOtherName)
            if name != commit.name { extra.otherName = name }
        }
        var chain = 0
        var text: [UInt8]?
        if commit.isPurge {
            guard revision.mark?.kind == .purge, commit.coversAll else { throw .refused("\(revision.dot) is no purge") }
            flags.formUnion([.purge, .compactionFloor])
            text = commit.text
        } else if commit.parentHashes != nil {
            guard commit.coversAll else { throw .refused("\(revision.dot) is no floor") }
            flags.insert(.compactionFloor)
            text = commit.text
        } else if revision.isTombstone {
            guard commit.text.isEmpty else { throw .refused("the tombstone \(revision.dot) has a text") }
        } else if commit.textEdits.count == 1, commit.textEdits[0].replacement.count == commit.text.count {
            flags.insert(.wholeInEdits)
        } else {
            chain = (base.chain ?? 0) + TextChain.cost(edits: edits)
            if base.chain == nil || TextChain.isTooLong(chain, forTextOf: commit.text.count) {
                chain = 0
                text = commit.text
            }
        }
        var ownName = RevisionRow.OwnName.none
        if let name = commit.name {
            ownName = tip?.name == name && !commit.isPurge ? .inCommit(tip?.nameCommit ?? 0) : .here(name.bytes.utf8)
        }
        let isPlain = base.commits == (commit.previous == 0 ? [] : [commit.previous])
        let row = RevisionRow(
            sequence: commit.sequence, note: note, previous: commit.previous, flags: flags, time: revision.time,
            author: try tables.authors.number(of: revision.author, addingTo: database), bytes: commit.text.count, chain: chain,
            name: ownName, parents: isPlain ? .previous : .commits(base.commits),
            extra: try extra.bytes(&tables.replicas, addingTo: database),
            hash: RevisionHash(of: LinkedRevision(revision, parentHashes: base.hashes)), edits: edits)
        return (row, text)
    }
}
