package import Causality
import GRDB
import GRDBSQLite
package import Logging
package import NotesModel

/// The words of all living notes, in a file beside the store.
///
/// It is derived: it can be thrown away at any time and made anew from the store. So it has a file, a connection and a log of its own,
/// is not synced with the commits, and is never a reason not to serve. It says in the transaction of its rows which commit it has
/// come to and whose that was, so that one that is behind goes on from there, and one of another history, as after a store was
/// restored, is thrown away. See `docs/decisions/0031-search-index-in-a-separate-file.md`.
///
/// Used by one thread at a time. After an error of `damaged` only `reset` is any use.
package final class SearchIndex {
    /// A note at its newest commit, as it is to be found from then on.
    package struct Entry: Sendable {
        package let id: NoteID
        package let commit: UInt64
        /// Nil where it is not to be found: it is deleted, or cannot be read.
        package let contents: Contents?

        package struct Contents: Sendable {
            package let name: NoteName?
            package let text: [UInt8]
            package let tags: [ByteString]

            package init(name: NoteName?, text: [UInt8], tags: [ByteString]) {
                self.name = name
                self.text = text
                self.tags = tags
            }
        }

        package init(id: NoteID, commit: UInt64, contents: Contents?) {
            self.id = id
            self.commit = commit
            self.contents = contents
        }
    }

    /// All notes whose newest commits lie after one commit, up to another.
    package struct Batch: Sendable {
        package let after: UInt64
        package let through: NotesModel.Cursor
        package let entries: [Entry]

        package init(after: UInt64, through: NotesModel.Cursor, entries: [Entry]) {
            self.after = after
            self.through = through
            self.entries = entries
        }
    }

    private let path: String
    private let store: ReplicaID
    private var database: DatabaseQueue?
    var common = PostingSetCache()
    var thresholds = SelectivityThresholds()
    /// The last commit whose note it has, and how far the store had come; nil where it has nothing.
    package private(set) var position: NotesModel.Cursor?

    /// Opens the index of a store, or makes an empty one; one that is damaged, another program's or another store's is made anew.
    ///
    /// - Throws: where there can be none, such as for want of room.
    package convenience init(directory: String, store: ReplicaID, logger: Logger) throws(SearchFault) {
        self.init(closedIn: directory, of: store)
        do throws(SearchFault) {
            try open()
        } catch {
            logger.warning(
                "the search index cannot be used and is being rebuilt", metadata: ["event": "index-rebuilt", "error": "\(error)"])
            try reset()
        }
    }

    /// One that is not open: `reset` makes it.
    init(closedIn directory: String, of store: ReplicaID) {
        path = directory + "/search.sqlite3"
        self.store = store
    }

    /// Whether it can be used: not after a `reset` that failed, until one that does not.
    package var isOpen: Bool { database != nil }

    /// Throws everything away.
    ///
    /// - Throws: where there can be none, such as for want of room. It is closed then; another `reset` may pass.
    package func reset() throws(SearchFault) {
        closeQuietly()
        for ending in ["", "-wal", "-shm", "-journal"] { StoreDirectory.remove(path + ending) }
        try open()
    }

    /// Takes in what was committed.
    ///
    /// - Throws: `outOfStep` where it does not follow on what is there; nothing is changed by what throws.
    /// - Complexity: that of cutting the texts into words, the new ones and those that they replace.
    package func add(_ batch: Batch) throws(SearchFault) {
        let have = position?.commit.sequence ?? 0
        guard batch.after == have else { throw .outOfStep(have) }
        try perform { database throws(SQLFault) in
            try Self.inTransaction(database) { () throws(SQLFault) in
                let rows = SearchRows(database: database)
                for entry in batch.entries { try rows.replace(entry) }
                try database.run(
                    "UPDATE state SET sequence = ?, replica = ?, newest = ?, newest_replica = ?",
                    .number(batch.through.commit.sequence), .number(batch.through.commit.replica.bits),
                    .number(batch.through.newest.sequence), .number(batch.through.newest.replica.bits))
            }
        }
        position = batch.through
    }

    /// The notes that a query finds, best first, after a place.
    ///
    /// - Parameters:
    ///   - commit: what was committed up to here must be in it.
    ///   - isStopped: asked every few pages of the index.
    /// - Throws: `outOfStep` where it is not, `query` where the query cannot be looked for, `cancelled` where it was stopped.
    /// - Complexity: see `SearchQueries.find`.
    package func find(
        _ query: SearchQuery, limit: Int, after place: SearchPosition?, through commit: UInt64,
        until isStopped: @escaping () -> Bool = { false }
    ) throws(SearchFault) -> SearchFindings {
        let have = position?.commit.sequence ?? 0
        guard have >= commit else { throw .outOfStep(have) }
        var fault: SearchFault?
        let findings = try perform(until: isStopped) { database throws(SQLFault) -> SearchFindings? in
            let tokenizer = try SearchTokenizer(database)
            let expression: SearchExpression
            do throws(SearchFault) {
                expression = try SearchExpression(query, tokenizer)
            } catch {
                fault = error
                return nil
            }
            let queries = SearchQueries(database: database, newest: have, thresholds: thresholds)
            return try queries.find(
                expression, SearchExcerpting(query, tokenizer, until: isStopped), limit: limit, after: place, &common)
        }
        if let fault { throw fault }
        return findings ?? SearchFindings(hits: [], next: nil, isTruncated: false)
    }

    /// Whether `prepare` has something to do: searches like one that there was would take less time then.
    package var isUnprepared: Bool { isOpen && position != nil && common.isLacking }

    /// Does a bounded step of it, of a few milliseconds.
    package func prepare() throws(SearchFault) {
        guard let through = position?.commit.sequence else { return }
        try perform { database throws(SQLFault) in try common.prepare(through: through, database) }
    }

    /// Reads the whole index again and compares it with the texts that it was made of. Returns what is wrong.
    ///
    /// - Complexity: that of making it anew.
    package func check(until isStopped: @escaping () -> Bool = { false }) throws(SearchFault) -> [String] {
        do throws(SearchFault) {
            return try perform(until: isStopped) { database throws(SQLFault) in try SearchRows(database: database).check() }
        } catch {
            guard case .damaged(let message) = error else { throw error }
            return [message]
        }
    }

    package func close() {
        closeQuietly()
    }

    private func closeQuietly() {
        // What is not written back is in the log, and is found there.
        try? database?.close()
        database = nil
        position = nil
        common = PostingSetCache()
    }

    private func open() throws(SearchFault) {
        do throws(SearchFault) { try openFile() } catch {
            closeQuietly()
            throw error
        }
    }

    private func openFile() throws(SearchFault) {
        do {
            try StoreDirectory.makeFile(path)
        } catch { throw .failed("\(error)") }
        do {
            var configuration = Configuration()
            configuration.label = "notesd.search"
            database = try DatabaseQueue(path: path, configuration: configuration)
        } catch { throw SearchFault(SQLFault(error)) }
        let store = store
        position = try perform { database throws(SQLFault) in try SearchSchema.open(database, store: store) }
    }

    private func perform<T>(_ body: (Database) throws(SQLFault) -> T) throws(SearchFault) -> T {
        guard let database else { throw .failed("the search index is closed") }
        let result: Result<T, SQLFault> = database.unsafeReentrantWrite { database in
            do throws(SQLFault) { return .success(try body(database)) } catch { return .failure(error) }
        }
        do { return try result.get() } catch { throw SearchFault(error) }
    }

    private func perform<T>(
        until isStopped: @escaping () -> Bool, _ body: (Database) throws(SQLFault) -> T
    ) throws(SearchFault) -> T {
        let look = InterruptProbe(isStopped: isStopped)
        do throws(SearchFault) {
            return try perform { database throws(SQLFault) in
                let connection = database.sqliteConnection
                let context = Unmanaged.passUnretained(look).toOpaque()
                sqlite3_progress_handler(
                    connection, InterruptProbe.steps,
                    { context in context.map { Unmanaged<InterruptProbe>.fromOpaque($0).takeUnretainedValue().isStopped() } == true ? 1 : 0
                    },
                    context)
                defer { withExtendedLifetime(look) { sqlite3_progress_handler(connection, 0, nil, nil) } }
                return try body(database)
            }
        } catch {
            // What is cut short may look like anything.
            throw isStopped() ? .cancelled : error
        }
    }

    private final class InterruptProbe {
        /// Between two, of SQLite's machine. FTS5 takes some for each page that it reads.
        static let steps: Int32 = 200

        let isStopped: () -> Bool

        init(isStopped: @escaping () -> Bool) {
            self.isStopped = isStopped
        }
    }

    private static func inTransaction(_ database: Database, _ body: () throws(SQLFault) -> Void) throws(SQLFault) {
        try database.run("BEGIN IMMEDIATE")
        do throws(SQLFault) {
            try body()
            try database.run("COMMIT")
        } catch {
            // Where it has ended already, as on a full disk, there is nothing to take back.
            do throws(SQLFault) { try database.run("ROLLBACK") } catch {}
            throw error
        }
    }
}

/// A page of what a query found.
package struct SearchFindings: Sendable {
    package struct Hit: Sendable {
        package let id: NoteID
        /// The note's newest commit when it was taken in.
        package let commit: UInt64
        package let excerpt: SearchExcerpt
    }

    package let hits: [Hit]
    /// Where the next page starts; nil where there is none.
    package let next: SearchPosition?
    /// Whether more matched than were ranked.
    package let isTruncated: Bool
}
