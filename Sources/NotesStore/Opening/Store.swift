package import Causality
package import Logging
import NoteText
package import NotesModel
import NotesSQL

/// Opens stores: directory, lock, hot WAL, database file, schema and the state in memory.
package enum Store {
    /// Opens the store in a directory, or creates one there. Removes what an interrupted backup left in
    /// the store's folder for backups.
    ///
    /// - Parameters:
    ///   - replica: Id of this run, 64 random bits. It must never have been used, not even by this
    ///     store.
    ///   - newStore: Id of the store if it is created now, 64 random bits.
    ///   - now: Creation time of a new store.
    /// - Throws: `locked`, `directory`, `vanished`, `newer`, `older`, `foreign` or `journal`; see `StoreError`.
    /// - Complexity: O(rows of `replica`, `unflushed`, `waiting`, `quarantine` and `peer` + bytes of a
    ///   hot WAL).
    package static func open(
        directory: String, replica: ReplicaID, newStore: ReplicaID, now: Timestamp, limits: JournalLimits = JournalLimits(),
        logger: Logger
    ) throws(StoreError) -> sending SQLiteJournal {
        let directory = try StoreDirectory(making: directory)
        let lock = try StoreLock(directory)
        try directory.demandNotesBesideIndex()
        BackupTarget.removeLeftovers(in: directory.backups)
        try directory.makeDatabase()
        try HotLogRecovery.makeDurable(in: directory)
        LogSpace.install(in: directory)
        let journal = try SQLiteJournal(
            path: directory.database, replica: replica, newStore: newStore, now: now, limits: limits, logger: logger, lock: lock)
        do throws(JournalError) { try journal.prepareLog() } catch { throw .journal(error) }
        // SQLite syncs the directory after creating a file, but not after finding or removing one.
        // If a file that it removed while it created the tables came back, it would undo them, and
        // any of the other files may have been created by an earlier run that did not sync.
        try directory.sync()
        return journal
    }
}

extension Store {
    /// Opens the folder of files of a store, and removes from it what purges erased.
    ///
    /// - Parameters:
    ///   - journal: the opened store.
    ///   - directory: its directory.
    /// - Throws: `journal` and `directory`.
    /// - Complexity: O(files).
    package static func openFiles(
        of journal: borrowing SQLiteJournal, in directory: String
    ) throws(StoreError) -> sending FileFolder {
        try openFiles(of: journal, on: PosixFolderCalls(in: directory))
    }

    /// As the function above, with other system calls.
    static func openFiles(
        of journal: borrowing SQLiteJournal, on calls: sending any FolderCalls, syncedBytesMax: Int = FileFolder.syncedBytesMax
    ) throws(StoreError) -> sending FileFolder {
        let erased = journal.filesToErase
        let folder: FileFolder
        do throws(FileFault) {
            folder = try FileFolder(calls, erasing: erased, syncedBytesMax: syncedBytesMax)
        } catch {
            throw .directory("\(error)")
        }
        do throws(JournalError) { try journal.forgetErased(erased) } catch { throw .journal(error) }
        return folder
    }
}

extension SQLiteJournal {
    /// Why this program may not write the file; nil if it may.
    static func refusal(of database: Database, path: String) throws(SQLFault) -> StoreError? {
        switch try Schema.state(of: database) {
        case .foreign: .foreign(path: path)
        case .store(let version): StoreError.version(version, path: path)
        case .empty: nil
        }
    }

    /// Creates the tables of a new store and gives it its id, in one transaction.
    static func create(_ database: Database, newStore: ReplicaID, now: Timestamp) throws(SQLFault) {
        guard try Schema.state(of: database) == .empty else { return }
        try database.transaction { () throws(SQLFault) in
            try Schema.create(in: database)
            try database.run(
                "INSERT INTO store (one, id, created, notes, tombstones) VALUES (1, ?, ?, 0, 0)", .number(newStore.bits),
                .integer(now.milliseconds))
        }
    }
}
