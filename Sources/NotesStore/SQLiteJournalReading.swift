package import Causality
import GRDB
package import NotesModel

#if canImport(Glibc)
    import Glibc
#endif

/// Reading, on the connection that cannot write. It sees the newest commit that is durable, and nothing of one that is not.
extension SQLiteJournal {
    package func note(_ id: NoteID, downTo depth: LoadDepth, asOf sequence: UInt64?) throws(JournalError) -> NoteRecord? {
        try walk(id) { walk throws(SQLFault) in try walk.record(downTo: depth, asOf: sequence) } ?? nil
    }

    package func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote? {
        try walk(id) { walk throws(SQLFault) in try walk.past(asOf: sequence, withText: withText) } ?? nil
    }

    package func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int {
        try walk(id) { walk throws(SQLFault) in try walk.countCommits(after: after, through: through) } ?? 0
    }

    package func head(of id: NoteID) throws(JournalError) -> StoredHead? {
        try query { queries throws(SQLFault) in try queries.entry(of: id)?.stored }
    }

    package func living(named name: NoteName) throws(JournalError) -> [NoteID] {
        try query { queries throws(SQLFault) in try queries.living(named: name) }
    }

    package func heads(
        matching filter: Filter, after position: ListPosition?, limit: Int
    ) throws(JournalError) -> [StoredHead] {
        try query { queries throws(SQLFault) in try queries.heads(matching: filter, after: position, limit: limit) }
    }

    package func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead] {
        try query { queries throws(SQLFault) in try queries.changed(after: after, through: through, limit: limit) }
    }

    package func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]? {
        try walk(id) { walk throws(SQLFault) in try walk.history(before: dot, limit: limit) } ?? nil
    }

    package func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool {
        try walk(id) { walk throws(SQLFault) in try walk.commit(ofOwn: dot) != nil } ?? false
    }

    package func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision? {
        try walk(id) { walk throws(SQLFault) in try walk.revision(dot) } ?? nil
    }

    package func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage {
        try walk(id) { walk throws(SQLFault) in try walk.stored(before: sequence, limit: limit) }
            ?? StoredPage(revisions: [], commits: [], next: nil)
    }

    package func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord? {
        try reading { database throws(SQLFault) in try OperationTable.record(key, from: database) }
    }

    package func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID? {
        if let run = lastRunRead, run.commits.contains(sequence) { return run.replica }
        return try reading { database throws(SQLFault) in
            guard sequence >= 1, sequence <= lastSequence else { return nil }
            let run = try IncarnationTable.run(ofCommit: sequence, newest: lastSequence, in: database, tables.replicas)
            lastRunRead = run
            return run.replica
        }
    }

    package func statistics() throws(JournalError) -> StoreStatistics {
        try checkUsable()
        return StoreStatistics(
            notes: tables.counts.living, tombstones: tables.counts.tombstones, revisions: Int(clamping: lastSequence),
            commits: lastSequence, lastCommit: tables.lastTime, storeBytes: Self.size(of: connections.path),
            walBytes: Self.size(of: connections.path + "-wal"),
            conflicted: tables.counts.conflicted)
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

    /// Nil where there is no such note.
    func walk<T>(_ id: NoteID, _ body: (inout NoteWalk) throws(SQLFault) -> T) throws(JournalError) -> T? {
        try reading { database throws(SQLFault) in
            let queries = HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas))
            guard let entry = try queries.entry(of: id) else { return nil }
            let reader = RevisionReader(
                database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors,
                knownName: entry.head.name)
            var walk = NoteWalk(reader: reader, entry: entry)
            let value = try body(&walk)
            (tables.dots, tables.authors) = (walk.reader.dots, walk.reader.authors)
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

    /// 0 where there is no such file.
    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
