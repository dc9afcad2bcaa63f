package import Causality
import Glibc
package import NoteText
package import NotesModel
import NotesSQL

/// Reads, on the connection that cannot write. They see the newest durable commit and nothing
/// later.
extension SQLiteJournal {
    /// Reads rows from the newest back to the floor. See `RevisionChainReader.step`.
    package func read(_ reading: inout RecordRead, rowsMax: Int) throws(JournalError) {
        let isKnown: Void? = try readChain(reading.id) { reader throws(SQLFault) in
            try reader.step(&reading, rowsMax: rowsMax, compactedThrough: tables.compactedThrough)
        }
        if isKnown == nil { reading.complete(with: .record(nil)) }
    }

    /// Follows the note's links back to the commit, then reads its stored merged state or a record.
    package func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote? {
        try readChain(id) { chain throws(SQLFault) in try chain.past(asOf: sequence, withText: withText, jumps) } ?? nil
    }

    /// Follows the note's links, which are read without the rest of their rows.
    package func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int {
        try readChain(id) { chain throws(SQLFault) in try chain.countCommits(after: after, through: through, jumps) } ?? 0
    }

    /// Reads links from the newest back to the commit, and records jumps over them.
    package func descend(_ descent: inout CommitDescent, rowsMax: Int) throws(JournalError) {
        let isKnown: Void? = try readChain(descent.id) { reader throws(SQLFault) in
            try reader.step(&descent, rowsMax: rowsMax, &jumps)
        }
        if isKnown == nil { descent.complete() }
    }

    /// - Complexity: O(1) if the memtable has the note, otherwise O(log notes).
    package func head(of id: NoteID) throws(JournalError) -> StoredHead? {
        try query { queries throws(SQLFault) in try queries.entry(of: id)?.stored }
    }

    /// - Complexity: O(log notes + notes of that name).
    package func existingNotes(named name: NoteName) throws(JournalError) -> [NoteID] {
        try query { queries throws(SQLFault) in try queries.existingNotes(named: name) }
    }

    /// Merges the memtable with an index scan of `head` or `tag`.
    ///
    /// - Complexity: O(notes of the memtable + limit log notes), plus the notes that the filter
    ///   rejects.
    package func heads(
        matching filter: Filter, after position: ListPosition?, limit: Int
    ) throws(JournalError) -> [StoredHead] {
        try query { queries throws(SQLFault) in try queries.heads(matching: filter, after: position, limit: limit) }
    }

    /// Reads the memtable's log backwards, then an index of `head`.
    ///
    /// - Complexity: O(notes examined), at most `JournalLimits.headsExaminedMax`.
    package func newestHeads(
        matching filter: Filter, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> NewestHeads {
        try query { queries throws(SQLFault) in
            try queries.newestHeads(
                matching: filter, before: sequence ?? .max, limit: limit, examinedMax: limits.headsExaminedMax)
        }
    }

    /// Counts the rows of `tag`, and corrects the counts by the memtable.
    ///
    /// - Complexity: O(notes of the memtable · their tags + rows counted), at most
    ///   `JournalLimits.tagRowsCountedMax` rows and those of one tag.
    package func tags(startingWith prefix: ByteString, after tag: ByteString?, limit: Int) throws(JournalError) -> TagPage {
        try query { queries throws(SQLFault) in
            try queries.tags(startingWith: prefix, after: tag, limit: limit, rowsMax: limits.tagRowsCountedMax)
        }
    }

    /// Merges the memtable's log with an index scan of `head`.
    package func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead] {
        try query { queries throws(SQLFault) in try queries.changed(after: after, through: through, limit: limit) }
    }

    /// - Complexity: O(limit) rows, plus finding `dot`.
    package func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]? {
        try readChain(id) { chain throws(SQLFault) in try chain.history(before: dot, limit: limit) } ?? nil
    }

    /// - Complexity: O(rows examined), at most `JournalLimits.revisionsExaminedMax`, and the
    ///   withdrawals of one note.
    package func revisions(
        matching filter: RevisionFilter, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> NoteRevisionPage {
        try lending { reader, heads throws(SQLFault) in
            var scan = RevisionScan(reader: reader, heads: heads)
            let page = try scan.page(
                filter, before: sequence ?? .max, limit: limit, examinedMax: limits.revisionsExaminedMax)
            reader = scan.reader
            return page
        }
    }

    /// - Complexity: O(log ranges of dots) and one row.
    package func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool {
        try readChain(id) { chain throws(SQLFault) in try chain.commit(ofOwn: dot) != nil } ?? false
    }

    /// - Complexity: O(log ranges of dots) and one row.
    package func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision? {
        try readChain(id) { chain throws(SQLFault) in try chain.revision(dot) } ?? nil
    }

    /// Reads a page for an audit. An unreadable row is listed, and the page continues through its
    /// link if that can be read.
    package func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage {
        try readChain(id) { chain throws(SQLFault) in try chain.stored(before: sequence, limit: limit) }
            ?? StoredPage(revisions: [], commits: [], next: nil)
    }

    /// - Complexity: O(log operations).
    package func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord? {
        try reading { database throws(SQLFault) in try OperationTable.record(key, from: database) }
    }

    /// Reads `run`, or answers from the run that the previous call returned.
    package func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID? {
        if let run = lastRunRead, run.commits.contains(sequence) { return run.replica }
        return try reading { database throws(SQLFault) in
            guard sequence >= 1, sequence <= lastSequence else { return nil }
            let run = try IncarnationTable.run(ofCommit: sequence, newest: lastSequence, in: database, tables.replicas)
            lastRunRead = run
            return run.replica
        }
    }

    /// Returns counts from memory, and sizes of files from the file system.
    package func statistics() throws(JournalError) -> StoreStatistics {
        try checkUsable()
        return StoreStatistics(
            notes: tables.counts.existingNotes, tombstones: tables.counts.tombstones, revisions: Int(clamping: lastSequence),
            commits: lastSequence, lastCommit: tables.lastTime, storeBytes: Self.size(of: connections.path),
            walBytes: Self.size(of: connections.path + "-wal"),
            conflicted: tables.counts.conflicted, isScrubbed: tables.unscrubbed == 0)
    }

    func reading<T>(_ body: (Database) throws(SQLFault) -> T) throws(JournalError) -> T {
        try checkUsable()
        return try mapped(.reading) { () throws(SQLFault) in try connections.reading(body) }
    }

    private func query<T>(_ body: (HeadQueries) throws(SQLFault) -> T) throws(JournalError) -> T {
        try reading { database throws(SQLFault) in
            try body(HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas)))
        }
    }

    /// Runs a body that reads a note's commits; nil if the note does not exist.
    func readChain<T>(_ id: NoteID, _ body: (inout RevisionChainReader) throws(SQLFault) -> T) throws(JournalError) -> T? {
        try reading { database throws(SQLFault) in
            let queries = HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas))
            guard let entry = try queries.entry(of: id) else { return nil }
            let reader = RevisionReader(
                database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors,
                knownName: entry.head.name)
            var chain = RevisionChainReader(reader: reader, entry: entry)
            let value = try body(&chain)
            (tables.dots, tables.authors) = (chain.reader.dots, chain.reader.authors)
            return value
        }
    }

    /// Runs a body that reads revisions of any note.
    func lending<T>(_ body: (inout RevisionReader, HeadQueries) throws(SQLFault) -> T) throws(JournalError) -> T {
        try reading { database throws(SQLFault) in
            let queries = HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas))
            var reader = RevisionReader(
                database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
            let value = try body(&reader, queries)
            (tables.dots, tables.authors) = (reader.dots, reader.authors)
            return value
        }
    }

    /// Size of a file in bytes; 0 if it does not exist.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
