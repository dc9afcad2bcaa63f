import NotesModel
import NotesSQL

/// The rows of an index that are in an open transaction, which SQLite keeps in memory. Searches on the
/// same connection see them.
struct UnsavedRows {
    /// Maximum size of the texts, plus `entryBytes` for each note.
    static let bytesMax = 16 << 20
    /// Size that is counted for a note in addition to its text.
    static let entryBytes = 256
    /// Space that must be free for each byte of text before the rows are committed.
    private static let spaceFactor = 4

    /// The commit at which the index in the file ends; nil if it is empty.
    let saved: Cursor?
    /// The size of the rows, as `bytesMax` counts it.
    var bytes = 0

    /// Whether a file system with this room can probably hold the rows.
    func fit(in room: FileSystemRoom?) -> Bool {
        room.map { $0.bytes / Self.spaceFactor > bytes + 1 << 20 } ?? true
    }
}

/// Adding rows while the disk is full.
///
/// If COMMIT fails for lack of space, SQLite rolls the transaction back. So the batch is added again in
/// a transaction that stays open until space is free. Searches thus reflect every write although
/// nothing can be written. After a crash, the rows are added again, since the position in the file is
/// older.
extension SearchIndex {
    /// Adds a batch in a transaction that stays open.
    func keep(_ batch: Batch) throws(SearchFault) {
        var rows = unsaved ?? UnsavedRows(saved: position)
        rows.bytes += batch.entries.reduce(0) { $0 + ($1.contents?.text.count ?? 0) + UnsavedRows.entryBytes }
        guard rows.bytes <= UnsavedRows.bytesMax else {
            throw .full("the disk is full, and the search index cannot keep more changes in memory; free some space")
        }
        do throws(SearchFault) {
            try perform { database throws(SQLFault) in
                if unsaved == nil { try database.run("BEGIN IMMEDIATE") }
                unsaved = rows
                try SearchRows(database: database).add(batch)
            }
        } catch {
            rollBack()
            throw error
        }
        position = batch.through
    }

    /// Commits the rows that are only in memory, if the disk has room for them.
    ///
    /// - Throws: `outOfStep` if that fails. The index then ends where its file ends.
    func save() throws(SearchFault) {
        guard let unsaved, unsaved.fit(in: FileSystemRoom(at: path)) else { return }
        do throws(SearchFault) {
            try perform { database throws(SQLFault) in
                try database.run("COMMIT")
                self.unsaved = nil
            }
        } catch {
            rollBack()
            guard case .full = error else { throw error }
            throw .outOfStep(position?.commit.sequence ?? 0)
        }
    }

    private func rollBack() {
        do throws(SQLFault) { try database?.rollBack() } catch {}
        dropUnsavedIfRolledBack()
    }

    /// Goes back to the position in the file if SQLite rolled the open transaction back, as it does after
    /// some errors and when a write is interrupted.
    func dropUnsavedIfRolledBack() {
        guard let lost = unsaved, database?.isInTransaction != true else { return }
        position = lost.saved
        unsaved = nil
        // It may contain numbers of the lost rows.
        common = PostingSetCache()
    }
}
