import Causality
import Logging
import NoteText
package import NotesModel
import NotesSQL
import TextMerge

/// The journal in SQLite: one row per revision, appended in commit order.
///
/// The state in memory mirrors the tables as of the newest commit, and changes only after a
/// transaction is durable:
///
///     append:    reserve space ─► BEGIN, rows of `revision` and `unflushed`, flush if past a bound,
///                COMMIT ─► memory
///     maintain:  BEGIN, flush some of `unflushed` to `head`, COMMIT ─► memory; checkpoint
///
/// Once the outcome of a commit is unknown, every call throws that error (`failure`).
package final class SQLiteJournal: Journal {
    /// Ids of the store and of this run.
    package let identity: StoreIdentity
    let limits: JournalLimits
    let connections: SQLiteConnections
    let logger: Logger
    /// Used by the engine's thread only, like everything below.
    var tables: JournalTables
    var memtable: HeadMemtable
    var jumps: CommitJumps
    /// The run that `replica(ofCommit:)` returned last. A client that catches up asks for
    /// consecutive commits, usually of one run.
    var lastRunRead: KnownIncarnation?
    package private(set) var fileErasures: [FileErasure] = []
    /// The error that every call throws from now on; nil while the journal is usable.
    private var failure: JournalError?
    /// Whether `maintain` has started to flush.
    private var isFlushing = false
    /// Whether corruption that is read is an error of the current call only.
    private var isInspecting = false
    /// Set if corruption was read while `isInspecting`.
    private var foundCorruption = false
    /// The lock of the store, held until the connections are closed.
    private var lock: StoreLock?

    /// Sequence of the newest durable commit; from memory.
    package var lastSequence: UInt64 { tables.dots.lastCommit }

    /// Opens an existing file, and creates the tables if it is empty.
    ///
    /// - Parameters:
    ///   - replica: Id of this run, drawn for it and never used before.
    ///   - newStore: Id of the store if it is created now.
    init(
        path: String, replica: ReplicaID, newStore: ReplicaID, now: Timestamp, limits: JournalLimits, logger: Logger,
        lock: StoreLock?
    ) throws(StoreError) {
        var refusal: StoreError?
        do throws(SQLFault) {
            connections = try SQLiteConnections(path: path, limits: limits) { database throws(SQLFault) in
                refusal = try Self.refusal(of: database, path: path)
                if refusal != nil { throw .refused("not a writable store") }
            } migrate: { database throws(SQLFault) in
                try Self.create(database, newStore: newStore, now: now)
            }
            (identity, tables, memtable) = try connections.reading { database throws(SQLFault) in
                let store = try database.first("SELECT id FROM store") { ReplicaID(bits: $0.number(0)) }
                var tables = try JournalTables(loadingFrom: database, replica: replica, limits: limits)
                let memtable = try tables.loadMemtable(from: database)
                guard let store else { throw .broken("the row that identifies the store is missing") }
                guard !tables.replicas.knows(replica) else { throw .refused("the replica id \(replica) has been used before") }
                return (StoreIdentity(store: store, replica: replica), tables, memtable)
            }
        } catch {
            throw refusal ?? .journal(error.journalError(at: .writing, path: path))
        }
        self.limits = limits
        jumps = CommitJumps(limits)
        self.logger = logger
        self.lock = lock
    }

    /// Reads a store of the newest version without writing to it.
    init(toleratingCorruption connections: SQLiteConnections, logger: Logger) throws(StoreError) {
        let limits = JournalLimits()
        do throws(SQLFault) {
            var random = SystemRandomNumberGenerator()
            let replica = ReplicaID(bits: random.next())
            (identity, tables, memtable) = try connections.reading { database throws(SQLFault) in
                guard let store = try database.first("SELECT id FROM store", read: { ReplicaID(bits: $0.number(0)) }) else {
                    throw .broken("the row that identifies the store is missing")
                }
                var tables = try JournalTables(loadingFrom: database, replica: replica, limits: limits)
                let memtable = try tables.loadMemtable(from: database)
                return (StoreIdentity(store: store, replica: replica), tables, memtable)
            }
        } catch {
            if error.isDamage { throw .backup("\(connections.path) is damaged: \(error.message)") }
            throw .journal(error.journalError(at: .reading, path: connections.path))
        }
        self.connections = connections
        self.limits = limits
        jumps = CommitJumps(limits)
        self.logger = logger
        lock = nil
    }

    /// Appends in one transaction with one sync. Past a bound of `JournalLimits`, the same
    /// transaction also flushes heads, and a checkpoint follows.
    ///
    /// - Complexity: O(bytes of the entries), plus O(log notes) for each head flushed.
    package func append(_ entries: [JournalEntry]) throws(JournalError) {
        try checkUsable()
        guard !entries.isEmpty else { return }
        // Nothing here may hold a copy of the memtable beyond its use, or the next change would
        // copy all of it.
        let pages = Self.pages(of: entries) + 8 * limits.flushRowsPerStep + (try pagesOfPurges(entries))
        let done = try transaction(pages: pages) { database throws(SQLFault) in
            var transaction = AppendTransaction(database, tables, capacity: entries.count)
            for entry in entries { try transaction.add(entry, over: memtable) }
            try transaction.finish()
            let rows = memtable.log.count + transaction.fresh.count - limits.unflushedRowsMax
            let notes = memtable.entries.count + transaction.fresh.count - limits.memtableNotesMax
            let flushed = max(rows, notes) > 0 ? max(limits.flushRowsPerStep, 2 * transaction.fresh.count) : 0
            let through = try Self.flush(flushed, of: memtable, under: transaction.fresh, database, transaction.tables.replicas)
            return (transaction: transaction, through: through)
        }
        apply(done.transaction, flushedThrough: done.through)
        for entry in entries { extendJumps(by: entry) }
        if connections.isCheckpointDue(pages: limits.logPagesMax) { try checkpoint(truncate: false) }
    }

    private func apply(_ transaction: AppendTransaction, flushedThrough: UInt64?) {
        tables = transaction.tables
        fileErasures = transaction.fileErasures
        for entry in transaction.fresh.values.sorted(by: { $0.newest < $1.newest }) {
            memtable.set(entry)
            memtable.log(entry.newest, entry.head.id)
        }
        if let flushedThrough { memtable.drop(through: flushedThrough) }
    }

    /// Keeps the jumps in step with an entry that is durable now.
    private func extendJumps(by entry: JournalEntry) {
        switch entry {
        case .commit(let commit, _) where !commit.isPurge && commit.parentHashes == nil:
            jumps.append(commit.sequence, after: commit.previous, of: commit.revision.note)
        case .commit(let commit, _), .began(_, let commit, _): jumps.forget(commit.revision.note)
        case .compacted(let compaction): jumps.forget(compaction.note)
        case .reopened(let reopening): jumps.forget(reopening.note)
        case .operation, .waiting, .quarantined, .heard, .forgotten, .dropped: break
        }
    }

    /// Whether no heads need flushing and no checkpoint is due.
    package var isMaintained: Bool { !isFlushingDue && !connections.isCheckpointDue(pages: limits.logPagesTidied) }

    /// Whether flushing is worth a transaction. Once started, it continues until few rows are left.
    private var isFlushingDue: Bool {
        let least = limits.unflushedRowsKept
        return memtable.log.count > (isFlushing ? least : 2 * least)
    }

    /// Flushes one step; checkpoints once nothing is left to flush.
    package func maintain() throws(JournalError) -> Bool {
        try checkUsable()
        isFlushing = isFlushingDue
        if isFlushing {
            let surplus = memtable.log.count - limits.unflushedRowsKept
            let count = memtable.oldestRows(writing: limits.flushRowsPerStep, rowsMax: surplus)
            let through = try transaction(pages: 16 * limits.flushRowsPerStep + count) { database throws(SQLFault) in
                try Self.flush(count, of: memtable, under: [:], database, tables.replicas)
            }
            if let through { memtable.drop(through: through) }
            isFlushing = surplus > count
            return isFlushing || connections.isCheckpointDue(pages: limits.logPagesTidied)
        }
        if connections.isCheckpointDue(pages: limits.logPagesTidied) { try checkpoint(truncate: false) }
        return false
    }

    /// The newest purge of which erased bytes may still be in the log or the search index; 0 if none.
    package var unscrubbed: UInt64 { tables.unscrubbed }

    /// Copies the log into the database, which gets no byte that its pages do not use, and empties its
    /// file. Returns whether it is empty: not while a backup reads it.
    package func scrubLog() throws(JournalError) -> Bool {
        try checkUsable()
        try checkpoint(truncate: true)
        guard Self.size(of: connections.path + "-wal") == 0 else { return false }
        connections.forgetPages()
        return true
    }

    /// Records that a purge and all earlier ones are scrubbed.
    package func scrubbed(through sequence: UInt64) throws(JournalError) {
        try checkUsable()
        guard sequence == tables.unscrubbed else { return }
        try transaction(pages: 8) { database throws(SQLFault) in
            try database.run("UPDATE store SET unscrubbed = 0")
        }
        tables.unscrubbed = 0
    }

    /// Copies the database, and cancels if the log grows by more than
    /// `JournalLimits.copiedLogBytesMax`.
    package var copy: StoreCopy? {
        let directory = connections.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(connections.path[..<$0]) }
        return StoreCopy(
            database: connections.path, directory: directory ?? ".", logBytesMax: limits.copiedLogBytesMax,
            namedFiles: FileNameTable.ofStore)
    }

    /// Lets the next checkpoint run at its usual bound again.
    package func copyEnded() {
        connections.readerEnded()
    }

    /// Prepares blocks for the log, if it has none from the last stop. Nothing may have been written in this run
    /// but the tables of a new store.
    func prepareLog() throws(JournalError) {
        guard Self.size(of: connections.path + "-wal") < limits.logBytesPrepared else { return }
        try checkpoint(truncate: true)
        guard Self.size(of: connections.path + "-wal") == 0 else { return }
        LogSpace.fill(log: connections.path + "-wal", bytes: limits.logBytesPrepared)
    }

    /// Checkpoints, empties the log, closes both connections, and prepares blocks for the log of the next run. After
    /// a fatal error, only closes them.
    package func close() throws(JournalError) {
        defer { lock = nil }
        let isSound = failure == nil
        if isSound { try checkpoint(truncate: true) }
        try mapped(.reading) { () throws(SQLFault) in try connections.close() }
        if isSound { LogSpace.leave(besideLog: connections.path + "-wal", bytes: limits.logBytesPrepared) }
        failure = .failed("the journal is closed")
    }

    /// Flushes the oldest rows of `unflushed`. Returns the last sequence flushed; nil if there was
    /// none.
    private static func flush(
        _ count: Int, of memtable: HeadMemtable, under fresh: [NoteID: NoteEntry], _ database: Database, _ replicas: ReplicaTable
    ) throws(SQLFault) -> UInt64? {
        let rows = memtable.log.prefix(count)
        guard let last = rows.last else { return nil }
        var flush = HeadFlush(database: database, replicas: replicas)
        try flush.flush(rows.lazy.map { ($0.sequence, fresh[$0.note] ?? memtable[$0.note]) })
        return last.sequence
    }

    /// An upper estimate of the pages that the entries add to the log.
    private static func pages(of entries: [JournalEntry]) -> Int {
        entries.reduce(64) { pages, entry in
            switch entry {
            case .operation: pages + 8
            case .commit(let commit, _):
                pages + 64 + (commit.text.count + (commit.shown?.text.count ?? 0) + bytes(of: commit.revision)) / 2_048
                    + pagesOfNames(commit)
            case .waiting(let revision): pages + 16 + bytes(of: revision.content) / 2_048
            case .heard(_, let known): pages + 8 + known.replicas.reduce(0) { $0 + known.ranges(of: $1).count } / 128
            case .forgotten, .dropped: pages + 8
            case .began(let skeletons, let commit, _):
                pages + 16 + skeletons.count / 8 + commit.text.count / 2_048 + pagesOfNames(commit)
            case .compacted(let compaction): pages + 16 + 4 * compaction.removed.count + compaction.floorBytes / 2_048
            case .reopened(let reopening): pages + 16 + 4 * reopening.texts.count + reopening.bytes / 2_048
            case .quarantined(let quarantined): pages + 16 + bytes(of: quarantined.revision.content) / 2_048
            }
        }
    }

    /// An upper estimate of the pages with the names of the files that a commit names.
    private static func pagesOfNames(_ commit: Commit) -> Int {
        FileContent.isFile(commit.text) ? 8 + 4 * (commit.text.count + bytes(of: commit.revision)) / FileHash.textBytes : 0
    }

    /// The number of pages of the whole file for each purge, which may touch any of them.
    private func pagesOfPurges(_ entries: [JournalEntry]) throws(JournalError) -> Int {
        let purges = entries.count { entry in
            switch entry {
            case .commit(let commit, _): commit.isPurge
            case .began(_, _, let erased): !erased.isEmpty
            default: false
            }
        }
        guard purges > 0 else { return 0 }
        return try reading { database throws(SQLFault) in
            purges * Int(try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0)
        }
    }

    private static func bytes(of revision: Revision) -> Int {
        revision.edits.reduce(revision.parents.dots.count * 32) { $0 + $1.replacement.count + 16 }
    }
}

// MARK: - Errors

extension SQLiteJournal {
    func checkUsable() throws(JournalError) {
        if let failure { throw failure }
    }

    /// Runs a body and translates its fault to a `JournalError`. A fatal one becomes `failure`.
    func mapped<T>(_ moment: SQLFault.Moment, _ body: () throws(SQLFault) -> T) throws(JournalError) -> T {
        do throws(SQLFault) { return try body() } catch { throw recordFault(error, at: moment) }
    }

    /// Makes corruption that the body reads an error of that call (`failed`) instead of a fatal
    /// one.
    package func toleratingCorruption<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value {
        isInspecting = true
        defer { isInspecting = false }
        return try body()
    }

    /// Returns nil if the body failed because of corruption; other errors pass.
    package func nilIfCorrupt<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value? {
        foundCorruption = false
        do throws(JournalError) { return try toleratingCorruption(body) } catch {
            if foundCorruption, case .failed = error { return nil }
            throw error
        }
    }

    /// Translates a fault and records it if it is fatal.
    private func recordFault(_ fault: SQLFault, at moment: SQLFault.Moment) -> JournalError {
        if isInspecting, moment == .reading, fault.isDamage {
            foundCorruption = true
            return .failed(fault.message)
        }
        let error = fault.journalError(at: moment, path: connections.path)
        if case .fatal = error {
            failure = error
            connections.abandon()
        }
        return error
    }

    /// Runs a body in a transaction that is all or nothing, and durable when this returns.
    ///
    /// - Parameter pages: An upper estimate of the pages that it adds to the log.
    func transaction<T>(
        pages: Int, _ body: (Database) throws(SQLFault) -> T
    ) throws(JournalError) -> T {
        try mapped(.writing) { () throws(SQLFault) in try connections.reserve(pages: pages) }
        var moment = SQLFault.Moment.writing
        do throws(SQLFault) {
            return try connections.writing { database throws(SQLFault) in
                try Self.inTransaction(database, &moment, body)
            }
        } catch {
            let error = recordFault(error, at: moment)
            if case .full = error { makeRoom() }
            throw error
        }
    }

    /// Runs a body between BEGIN and COMMIT, and rolls back if it throws. `moment` records how far
    /// the transaction got, which decides what an error means.
    private static func inTransaction<T>(
        _ database: Database, _ moment: inout SQLFault.Moment, _ body: (Database) throws(SQLFault) -> T
    ) throws(SQLFault) -> T {
        try database.run("BEGIN IMMEDIATE")
        do throws(SQLFault) {
            let value = try body(database)
            moment = .committing
            try database.run("COMMIT")
            return value
        } catch {
            do throws(SQLFault) { try database.rollBack() } catch let second {
                moment = .committing
                throw second
            }
            throw error
        }
    }

    /// Checkpoints on a full disk, so that the next transaction overwrites the log from its start,
    /// in space that the file already has.
    private func makeRoom() {
        guard connections.logPages > 0 else { return }
        do throws(JournalError) { try checkpoint(truncate: false) } catch {
            logger.warning("a checkpoint failed too", metadata: ["event": "checkpoint-failed", "error": "\(error)"])
        }
    }

    /// Checkpoints. Pages that cannot be copied stay in the log for a later checkpoint; only a
    /// failed sync is an error.
    func checkpoint(truncate: Bool) throws(JournalError) {
        do throws(SQLFault) {
            try connections.checkpoint(truncate: truncate)
        } catch {
            let error = recordFault(error, at: .checkpointing)
            if case .fatal = error { throw error }
            logger.warning(
                "the checkpoint failed and will be retried", metadata: ["event": "checkpoint-failed", "error": "\(error)"])
        }
    }
}
