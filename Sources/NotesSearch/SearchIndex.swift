import CSQLite
package import Causality
package import Logging
package import NoteText
package import NotesModel
import NotesSQL

/// The full-text index of all living notes, in a separate file next to the store.
///
/// The index is derived data: it can be deleted at any time and rebuilt from the store. So it has
/// its own file, connection and log, is not synced with commits, and never prevents the daemon from
/// serving. The transaction that writes its rows also records the commit at which it ends and the
/// run that made that commit. An index that is behind continues from there; one of another history,
/// for example after a restore, is rebuilt. See
/// `docs/decisions/search.md#0031`.
///
/// Used by one thread at a time. After `damaged` was thrown, only `reset` helps.
package final class SearchIndex {
    /// A note at its newest commit, as the index should hold it.
    package struct Entry: Sendable {
        /// The note's id.
        package let id: NoteID
        /// Sequence of the note's newest commit.
        package let commit: UInt64
        /// What to index; nil if the note is deleted or cannot be read.
        package let contents: Contents?

        /// The searchable parts of a note.
        package struct Contents: Sendable {
            /// The note's name; nil if it has none.
            package let name: NoteName?
            /// The merged text in UTF-8.
            package internal(set) var text: [UInt8]
            /// The note's tags.
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

    /// All notes whose newest commit is in a range of commits.
    package struct Batch: Sendable {
        /// The commit before the range, at which the index must end.
        package let after: UInt64
        /// The last commit of the range, and the store's newest commit then.
        package let through: Cursor
        /// The notes, each at its newest commit.
        package let entries: [Entry]

        package init(after: UInt64, through: Cursor, entries: [Entry]) {
            self.after = after
            self.through = through
            self.entries = entries
        }
    }

    let path: String
    private let store: ReplicaID
    private(set) var database: Database?
    /// The rows that are only in memory, because the disk is full; nil if there are none.
    var unsaved: UnsavedRows?
    var common = PostingSetCache()
    var thresholds = SelectivityThresholds()
    /// The size of the rows of links that one request reads, in bytes.
    var linkBytesMax = LinkReader.rowBytesMax
    /// The commit at which the index ends, and the store's newest commit then; nil if the index is
    /// empty.
    package internal(set) var position: Cursor?

    /// Opens the index of a store, or creates an empty one. Rebuilds a corrupt index and one of
    /// another program or store.
    ///
    /// - Throws: `full` or `failed` if the index cannot be created.
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

    /// Opens the index of a store, or creates one. If that fails, logs the reason and returns an
    /// index that is closed; everything except search works without it.
    package static func open(directory: String, of store: ReplicaID, logger: Logger) -> sending SearchIndex {
        do throws(SearchFault) {
            return try SearchIndex(directory: directory, store: store, logger: logger)
        } catch {
            logger.error(
                "the search index cannot be opened; searches fail until a retry succeeds",
                metadata: ["event": "index-behind", "error": "\(error)"])
            return SearchIndex(closedIn: directory, of: store)
        }
    }

    /// An index that is not open. `reset` creates it.
    init(closedIn directory: String, of store: ReplicaID) {
        path = directory + "/search.sqlite3"
        self.store = store
    }

    /// Whether the index is usable. False after a `reset` that failed, until one succeeds.
    package var isOpen: Bool { database != nil }

    /// Deletes the index and creates an empty one. Once this returns, the old file is gone for good.
    ///
    /// - Throws: `full` or `failed` if it cannot be deleted or created. The index is then closed; a later
    ///   `reset` may succeed.
    package func reset() throws(SearchFault) {
        closeQuietly()
        do { try DatabaseFile.remove(path) } catch { throw .failed(error.message) }
        try open()
    }

    /// Adds a batch of changed notes. Keeps them in memory while the disk is full.
    ///
    /// - Throws: `outOfStep` if the batch does not continue where the index ends; `full` if the disk is
    ///   full and the index keeps as much in memory as it may (`UnsavedRows.bytesMax`). Then nothing
    ///   changes. After another fault, the index may end at the commit at which its file ends.
    /// - Complexity: That of tokenizing the new texts and those that they replace.
    package func add(_ batch: Batch) throws(SearchFault) {
        if unsaved != nil { try save() }
        let have = position?.commit.sequence ?? 0
        guard batch.after == have else { throw .outOfStep(have) }
        guard unsaved == nil else { return try keep(batch) }
        do throws(SearchFault) {
            try perform { database throws(SQLFault) in
                try database.transaction { () throws(SQLFault) in try SearchRows(database: database).add(batch) }
            }
        } catch {
            guard case .full = error else { throw error }
            return try keep(batch)
        }
        position = batch.through
    }

    /// Executes a query. Returns a page of the notes it finds, best first, after a position.
    ///
    /// - Parameters:
    ///   - kind: The kind of the notes; nil for both.
    ///   - commit: The index must contain everything up to this commit.
    ///   - isStopped: Called every few pages of the index. If it returns true, the call throws
    ///     `cancelled`.
    /// - Throws: `outOfStep` if the index ends before `commit`, `query` if the query cannot be
    ///   executed, `cancelled`, `damaged` or `failed`.
    /// - Complexity: See `SearchQueries.find`.
    package func find(
        _ query: SearchQuery, _ kind: NoteKind? = .text, limit: Int, after place: SearchPosition?, through commit: UInt64,
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
            var reader = LinkReader(database, rowBytesMax: linkBytesMax)
            var links: [LinkedRows] = []
            for link in expression.links {
                let rows = try reader.notes(linkingTo: link)
                guard !rows.isCut || rows.isRequired else {
                    fault = .query(
                        SearchQueryFault(
                            offset: link.offset, reason: "is the target of too many links to exclude; remove this link:"))
                    return nil
                }
                links.append(rows)
            }
            return try queries.find(
                expression, kind, links: links, SearchExcerpting(query, tokenizer, until: isStopped), limit: limit, after: place,
                &common)
        }
        if let fault { throw fault }
        return findings ?? SearchFindings(hits: [], next: nil, isTruncated: false)
    }

    /// Answers a query about links.
    ///
    /// - Parameters:
    ///   - commit: the index must contain everything up to this commit.
    ///   - isStopped: as for `find`.
    /// - Throws: `outOfStep` if the index ends before `commit`, `cancelled`, `damaged` or `failed`.
    /// - Complexity: O(`LinkReader.linksMax` + `LinkReader.workMax`) rows, and once the notes that a
    ///   single target can mean.
    package func links(
        _ query: LinkQuery, through commit: UInt64, until isStopped: @escaping () -> Bool = { false }
    ) throws(SearchFault) -> LinkFindings {
        let have = position?.commit.sequence ?? 0
        guard have >= commit else { throw .outOfStep(have) }
        return try perform(until: isStopped) { database throws(SQLFault) in
            var reader = LinkReader(database, rowBytesMax: linkBytesMax)
            return try reader.answer(query)
        }
    }

    /// Whether `prepare` has work to do that would speed up queries like recent ones.
    package var isUnprepared: Bool { isOpen && position != nil && common.isIncomplete }

    /// Builds one more piece of a posting set. Takes a few milliseconds at most.
    package func prepare() throws(SearchFault) {
        guard let through = position?.commit.sequence else { return }
        try perform { database throws(SQLFault) in try common.prepare(through: through, database) }
    }

    /// Reads the whole index, compares it with its texts, and returns what is wrong; empty if it is
    /// intact.
    ///
    /// - Complexity: That of rebuilding the index.
    package func check(until isStopped: @escaping () -> Bool = { false }) throws(SearchFault) -> [String] {
        do throws(SearchFault) {
            return try perform(until: isStopped) { database throws(SQLFault) in try SearchRows(database: database).check() }
        } catch {
            guard case .damaged(let message) = error else { throw error }
            return [message]
        }
    }

    /// Closes the index. It stays on disk.
    package func close() {
        closeQuietly()
    }

    private func closeQuietly() {
        // Whatever was not checkpointed is in the log and will be found there.
        try? database?.close()
        database = nil
        position = nil
        unsaved = nil
        common = PostingSetCache()
    }

    private func open() throws(SearchFault) {
        do throws(SearchFault) { try openFile() } catch {
            closeQuietly()
            throw error
        }
    }

    private func openFile() throws(SearchFault) {
        do throws(DatabaseFile.Fault) { try DatabaseFile.make(path) } catch { throw .failed(error.message) }
        do throws(SQLFault) { database = try Database(path: path) } catch { throw SearchFault(error) }
        let store = store
        position = try perform { database throws(SQLFault) in try SearchSchema.open(database, store: store) }
    }

    func perform<T>(_ body: (Database) throws(SQLFault) -> T) throws(SearchFault) -> T {
        guard let database else { throw .failed("the search index is closed") }
        defer { dropUnsavedIfRolledBack() }
        do throws(SQLFault) { return try body(database) } catch { throw SearchFault(error) }
    }

    private func perform<T>(
        until isStopped: @escaping () -> Bool, _ body: (Database) throws(SQLFault) -> T
    ) throws(SearchFault) -> T {
        let look = InterruptProbe(isStopped: isStopped)
        do throws(SearchFault) {
            return try perform { database throws(SQLFault) in
                let connection = database.connection
                let context = Unmanaged.passUnretained(look).toOpaque()
                sqlite3_progress_handler(
                    connection, InterruptProbe.steps,
                    { context in
                        context.map { Unmanaged<InterruptProbe>.fromOpaque($0).takeUnretainedValue().isStopped() } == true ? 1 : 0
                    },
                    context)
                defer { withExtendedLifetime(look) { sqlite3_progress_handler(connection, 0, nil, nil) } }
                return try body(database)
            }
        } catch {
            // An interrupted statement may report any error.
            throw isStopped() ? .cancelled : error
        }
    }

    private final class InterruptProbe {
        /// Instructions of SQLite's virtual machine between two calls of `isStopped`. FTS5 executes
        /// some for each page that it reads.
        static let steps: Int32 = 200

        let isStopped: () -> Bool

        init(isStopped: @escaping () -> Bool) {
            self.isStopped = isStopped
        }
    }
}

/// A page of search results.
package struct SearchFindings: Sendable {
    /// A note that matches.
    package struct Hit: Sendable {
        /// The note's id.
        package let id: NoteID
        /// The note's newest commit when it was indexed.
        package let commit: UInt64
        /// The part of the text around the first match.
        package let excerpt: SearchExcerpt
    }

    /// The results, best first.
    package let hits: [Hit]
    /// Where the next page starts; nil if this is the last.
    package let next: SearchPosition?
    /// Whether more notes matched than were ranked.
    package let isTruncated: Bool
}
