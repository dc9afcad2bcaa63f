package import Causality
import GRDB
package import Logging
package import NotesModel

/// Opening a store: directory, lock, file, tables, what memory holds of them.
package enum Store {
    /// Opens the store in a directory, or makes one there.
    ///
    /// - Parameters:
    ///   - replica: drawn for this run, 64 random bits; never used again, not even on the same store.
    ///   - newStore: the store's own id, should it be made now; 64 random bits.
    package static func open(
        directory: String, replica: ReplicaID, newStore: ReplicaID, now: Timestamp, limits: JournalLimits = JournalLimits(),
        logger: Logger
    ) throws(StoreError) -> sending SQLiteJournal {
        let directory = try StoreDirectory(making: directory)
        let lock = try StoreLock(path: directory.lock)
        try directory.makeDatabase()
        try HotLogRecovery.makeDurable(in: directory)
        let journal = try SQLiteJournal(
            path: directory.database, replica: replica, newStore: newStore, now: now, limits: limits, logger: logger, lock: lock)
        // SQLite syncs the names of files that it makes, not those of files that it finds or removes. A file of its own that it removed
        // while it made the tables, and that came back, would take them away again; an earlier run may have made any of the others.
        try directory.sync()
        return journal
    }
}

extension Store {
    /// Opens the search index of a store that is open, or makes one. Where there can be none now, it is not open: why is logged, and
    /// everything but searching goes on.
    package static func openSearchIndex(
        directory: String, of store: StoreIdentity, logger: Logger
    ) -> sending SearchIndex {
        do throws(SearchFault) {
            return try SearchIndex(directory: directory, store: store.store, logger: logger)
        } catch {
            logger.error(
                "the search index cannot be opened; searches fail until a retry succeeds",
                metadata: ["event": "index-behind", "error": "\(error)"])
            return SearchIndex(closedIn: directory, of: store.store)
        }
    }
}

extension SQLiteJournal {
    /// Why the file is not one that this program may write; nil where it is.
    static func refusal(of database: Database, path: String) throws(SQLFault) -> StoreError? {
        switch try Schema.state(of: database) {
        case .foreign: .foreign(path: path)
        case .store(let version) where version > Schema.newest:
            .newer(path: path, version: version, known: Schema.newest)
        case .empty, .store: nil
        }
    }

    /// Brings the tables to the newest version, and gives a new store its id; all in one transaction.
    static func migrate(_ database: Database, newStore: ReplicaID, now: Timestamp) throws(SQLFault) {
        let state = try Schema.state(of: database)
        guard state != .store(version: Schema.newest) else { return }
        do {
            try database.inTransaction(.immediate) {
                if case .store(let version) = state {
                    try Schema.migrate(database, from: version)
                } else {
                    try Schema.migrate(database, from: 0)
                    try database.run(
                        "INSERT INTO store (one, id, created, notes, tombstones) VALUES (1, ?, ?, 0, 0)", .number(newStore.bits),
                        .integer(now.milliseconds))
                }
                return .commit
            }
        } catch let fault as SQLFault {
            throw fault
        } catch {
            throw SQLFault(error, on: database)
        }
    }
}
