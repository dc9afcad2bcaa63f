import Causality
import NotesModel
import NotesSQL

/// Makes a copy of a store a store of its own, for another machine: it gets a new id, and forgets what the
/// peers of the first one hold.
///
/// Two stores with one id would share the record that their peers keep of them, so compaction could remove
/// a text that one of the two lacks. And a record of a peer that never meets the copy would keep its old
/// texts for ever.
enum NewStoreIdentity {
    /// Changes a store that no daemon has open, and syncs the file.
    ///
    /// The file is changed without a log, so it is lost if the process ends in between. Use it on a copy.
    ///
    /// - Throws: `journal` if the file cannot be written.
    static func give(to path: String) throws(StoreError) {
        do throws(SQLFault) {
            let database = try SQLiteConnections.open(path, isReadOnly: false)
            try database.run("PRAGMA trusted_schema = OFF")
            try database.run("PRAGMA journal_mode = MEMORY")
            try database.run("PRAGMA synchronous = OFF")
            var random = SystemRandomNumberGenerator()
            try database.transaction { () throws(SQLFault) in
                try database.run("UPDATE store SET id = ?", .number(ReplicaID(bits: random.next()).bits))
                try database.run("DELETE FROM peer")
            }
            try database.close()
        } catch {
            throw .journal(error.journalError(at: .writing, path: path))
        }
        try DerivedDataRebuild.sync(path)
    }
}
