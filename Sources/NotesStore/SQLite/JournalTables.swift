import Causality
import NotesModel
import NotesSQL

/// The parts of the journal's small tables that are kept in memory, as of the newest commit.
struct JournalTables {
    var replicas: ReplicaTable
    var authors: AuthorTable
    var dots: DotIndex
    var operations: OperationTable
    var waiting: WaitingTable
    var quarantine: QuarantineTable
    var peers: PeerTable
    var erasedFiles: FileEraseTable
    /// The greatest commit that was made a compaction floor.
    var compactedThrough: UInt64
    /// The newest purge that is not scrubbed yet; 0 if there is none.
    var unscrubbed: UInt64
    var runs: IncarnationTable
    var counts: NoteCounts
    /// The greatest number of a note.
    var lastNote: UInt64
    var lastTime: Timestamp?

    init(loadingFrom database: Database, replica: ReplicaID, limits: JournalLimits) throws(SQLFault) {
        replicas = try ReplicaTable(loadingFrom: database)
        authors = AuthorTable()
        dots = try DotIndex(loadingFrom: database, replicas: replicas)
        operations = OperationTable(keptMax: limits.operationsKeptMax)
        waiting = try WaitingTable(loadingFrom: database)
        quarantine = try QuarantineTable(loadingFrom: database)
        peers = try PeerTable(loadingFrom: database)
        erasedFiles = try FileEraseTable(loadingFrom: database)
        compactedThrough = try database.first("SELECT compacted_through FROM store") { $0.number(0) } ?? 0
        unscrubbed = try database.first("SELECT unscrubbed FROM store") { $0.number(0) } ?? 0
        runs = IncarnationTable(replica: replica)
        let counted = try database.first("SELECT notes, tombstones, conflicted FROM store") {
            NoteCounts(existingNotes: Int($0.integer(0)), tombstones: Int($0.integer(1)), conflicted: Int($0.integer(2)))
        }
        guard let counted else { throw .broken("the row that identifies the store is missing") }
        counts = counted
        lastNote = try database.first("SELECT max(note) FROM head") { $0.number(0) } ?? 0
        lastTime = try database.first("SELECT time FROM revision WHERE sequence = ?", .number(dots.lastCommit)) {
            Timestamp(milliseconds: $0.integer(0))
        }
    }

    /// Reads the heads in `unflushed` into a memtable, and adds their notes to the counts.
    ///
    /// - Complexity: O(rows of `unflushed`), which `JournalLimits` bounds.
    mutating func loadMemtable(from database: Database) throws(SQLFault) -> HeadMemtable {
        var memtable = HeadMemtable()
        let replicas = replicas
        var rows: [(sequence: UInt64, note: UInt64)] = []
        var entries: [UInt64: NoteEntry] = [:]
        // Newest first: a row that a later row of its note supersedes only waits to be deleted, so
        // its head is not decoded.
        try database.each("SELECT sequence, note, state FROM unflushed ORDER BY sequence DESC") { row throws(SQLFault) in
            let (sequence, note) = (row.number(0), row.number(1))
            rows.append((sequence, note))
            guard entries[note] == nil else { return true }
            let head = try HeadCodec.head(from: row.blob(2), at: sequence, note: note, replicas)
            entries[note] = NoteEntry(number: note, head: head, newest: sequence, tip: nil)
            return true
        }
        for row in rows.reversed() {
            if let entry = entries[row.note] { memtable.log(row.sequence, entry.head.id) }
        }
        let table = HeadTable(database: database, replicas: replicas)
        for entry in entries.values {
            guard entry.newest <= dots.lastCommit else {
                throw .malformed("the head of note \(entry.head.id) is newer than the newest commit")
            }
            memtable.set(entry)
            counts.replace(try table.counted(entry.head.id), by: NoteCounts.Counted(entry.head))
            lastNote = max(lastNote, entry.number)
        }
        return memtable
    }
}
