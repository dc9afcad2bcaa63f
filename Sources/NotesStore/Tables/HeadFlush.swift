import NoteText
import NotesModel
import NotesSQL

/// Moves the oldest rows of `unflushed` into `head` and `tag`, whose random pages commits leave alone.
/// `HeadMemtable` explains why heads are written in two steps.
///
/// A row that is still the newest of its note is written to the tables. A superseded row has a
/// later row of its note in `unflushed`, so it is only deleted. Hence no "flushed up to" mark is
/// needed: what remains in `unflushed` is exactly the heads of the newest commits, and reading
/// `unflushed` at start restores the memtable.
///
/// **Example.** `unflushed` has (1, A) (2, B) (3, A), and `head` has an old row of B with the tag `x`.
/// A flush of the first two rows
///
/// 1. skips A, since commit 3 is newer and still in `unflushed`;
/// 2. updates B's row in `head`, and replaces the rows of its old tags by those of its new ones;
/// 3. deletes rows 1 and 2 from `unflushed`;
/// 4. adds the changes in the numbers of living, deleted and conflicted notes to `store`.
///
/// All of it happens in one transaction, either an append's or one of `maintain`. The memtable
/// drops the rows after that transaction is durable, so a crash at any moment leaves both in step.
struct HeadFlush {
    let database: Database
    var replicas: ReplicaTable

    /// Flushes rows, each given with its note's current entry.
    ///
    /// An append passes entries that it is about to commit, so that a row which the same
    /// transaction supersedes is not written in vain.
    mutating func flush(_ rows: some Collection<(sequence: UInt64, entry: NoteEntry?)>) throws(SQLFault) {
        var counts = NoteCounts()
        var last: UInt64?
        for (sequence, entry) in rows {
            last = sequence
            guard let entry, entry.newest == sequence else { continue }
            let table = HeadTable(database: database, replicas: replicas)
            let counted = try table.counted(entry.head.id)
            counts.replace(counted, by: NoteCounts.Counted(entry.head))
            let old = try replaced(entry.head.id, number: entry.number, in: table)
            try write(entry, instead: old, isNew: counted == nil)
        }
        guard let last else { return }
        try database.run("DELETE FROM unflushed WHERE sequence <= ?", .number(last))
        try add(counts)
    }

    /// Replaces what the tables have of a note ahead of the flush of its newest row, and deletes its
    /// older rows of `unflushed`, which may contain titles, names and tags of before.
    mutating func supersede(by entry: NoteEntry) throws(SQLFault) {
        try database.run(
            "DELETE FROM unflushed WHERE note = ? AND sequence < ?", .number(entry.number), .number(entry.newest))
        let table = HeadTable(database: database, replicas: replicas)
        guard let counted = try table.counted(entry.head.id) else { return }
        try database.run("DELETE FROM tag WHERE note = ?", .number(entry.number))
        try write(entry, instead: nil, isNew: false)
        var counts = NoteCounts()
        counts.replace(counted, by: NoteCounts.Counted(entry.head))
        try add(counts)
    }

    private func add(_ counts: NoteCounts) throws(SQLFault) {
        try database.run(
            "UPDATE store SET notes = notes + ?, tombstones = tombstones + ?, conflicted = conflicted + ?",
            .number(counts.existingNotes), .number(counts.tombstones), .number(counts.conflicted))
    }

    /// Replaces a note's row of `head` and its rows of `tag`, which may not match the old head. Leaves
    /// the counts in `store` as they are.
    mutating func rewrite(_ entry: NoteEntry, instead old: Head) throws(SQLFault) {
        for tag in Set(old.tags).union(entry.head.tags) {
            try database.run("DELETE FROM tag WHERE tag = ? AND note = ?", .blob(tag.utf8), .number(entry.number))
        }
        try write(entry, instead: nil, isNew: false)
    }

    private mutating func write(_ entry: NoteEntry, instead old: Head?, isNew: Bool) throws(SQLFault) {
        let head = entry.head
        let state = SQLValue.blob(
            try HeadCodec.bytes(of: head, at: entry.newest, note: entry.number, &replicas, addingTo: database))
        let (conflicted, file) = (SQLValue.flag(!head.conflicts.isEmpty), SQLValue.flag(head.file != nil))
        if isNew {
            try database.run(
                "INSERT INTO head (note, id, newest, deleted, name, state, conflicted, file) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                .number(entry.number), .blob(head.id.bytes), .number(entry.newest), .flag(head.isDeleted),
                .blob(head.name.storedBytes), state, conflicted, file)
        } else {
            try database.run(
                "UPDATE head SET newest = ?, deleted = ?, name = ?, state = ?, conflicted = ?, file = ? WHERE note = ?",
                .number(entry.newest), .flag(head.isDeleted), .blob(head.name.storedBytes), state, conflicted, file,
                .number(entry.number))
        }
        try writeTags(of: head, number: entry.number, instead: old)
    }

    /// Returns the head that is about to be replaced, or nil if the note has no row in `head`.
    ///
    /// If that head is corrupt, its tags are unknown. The note's rows of `tag` are then found by
    /// number and deleted, and the result is nil.
    ///
    /// - Complexity: O(log notes); O(tags of all notes) if the head is corrupt.
    private func replaced(_ id: NoteID, number: UInt64, in table: HeadTable) throws(SQLFault) -> Head? {
        do throws(SQLFault) { return try table.entry(of: id)?.head } catch {
            guard error.isOfContent else { throw error }
            try database.run("DELETE FROM tag WHERE note = ?", .number(number))
            return nil
        }
    }

    /// Brings the note's rows of `tag` up to date. A row repeats the name and the deletion of its
    /// note, so if either changes, all its rows are replaced; otherwise only the tags that differ.
    private func writeTags(of head: Head, number: UInt64, instead old: Head?) throws(SQLFault) {
        let stays = old.map { $0.name == head.name && $0.isDeleted == head.isDeleted } ?? false
        let before = Set(old?.tags ?? [])
        let after = Set(head.tags)
        if let old {
            for tag in stays ? before.subtracting(after) : before {
                try database.run(
                    "DELETE FROM tag WHERE tag = ? AND deleted = ? AND name = ? AND id = ?", .blob(tag.utf8),
                    .flag(old.isDeleted), .blob(old.name.storedBytes), .blob(old.id.bytes))
            }
        }
        for tag in stays ? after.subtracting(before) : after {
            try database.run(
                "INSERT INTO tag (tag, deleted, name, id, note) VALUES (?, ?, ?, ?, ?)", .blob(tag.utf8), .flag(head.isDeleted),
                .blob(head.name.storedBytes), .blob(head.id.bytes), .number(number))
        }
    }
}
