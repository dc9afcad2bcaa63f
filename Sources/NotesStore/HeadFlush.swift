import GRDB
import NotesModel

/// Moves heads from `recent` into `head` and `tag`: the random pages that commits leave alone.
///
/// Takes the oldest rows of `recent`. One that is still its note's newest is written into the tables; one that is not has a
/// later row there, and is only dropped. So afterwards each note's newest head is in exactly one place, and what is left of
/// `recent` is the newest commits.
struct HeadFlush {
    let database: Database
    var replicas: ReplicaTable

    /// Folds the rows, given with what their notes are now.
    ///
    /// - Complexity: O(rows log notes).
    mutating func flush(_ rows: some Collection<(sequence: UInt64, entry: NoteEntry?)>) throws(SQLFault) {
        var counts = NoteCounts()
        var last: UInt64?
        for (sequence, entry) in rows {
            last = sequence
            if let entry, entry.newest == sequence { try write(entry, &counts) }
        }
        guard let last else { return }
        try database.run("DELETE FROM recent WHERE sequence <= ?", .number(last))
        try database.run(
            "UPDATE store SET notes = notes + ?, tombstones = tombstones + ?, conflicted = conflicted + ?",
            .number(counts.living), .number(counts.tombstones), .number(counts.conflicted))
    }

    private mutating func write(_ entry: NoteEntry, _ counts: inout NoteCounts) throws(SQLFault) {
        let head = entry.head
        let table = HeadTable(database: database, replicas: replicas)
        let counted = try table.counted(head.id)
        counts.replace(counted, by: NoteCounts.Counted(head))
        let old = try replaced(head.id, number: entry.number, in: table)
        let state = SQLValue.blob(
            try HeadCodec.bytes(of: head, at: entry.newest, note: entry.number, &replicas, addingTo: database))
        let conflicted = SQLValue.flag(!head.conflicts.isEmpty)
        if counted == nil {
            try database.run(
                "INSERT INTO head (note, id, newest, deleted, name, state, conflicted) VALUES (?, ?, ?, ?, ?, ?, ?)",
                .number(entry.number), .blob(head.id.storedBytes), .number(entry.newest), .flag(head.isDeleted),
                .blob(head.name.storedBytes), state, conflicted)
        } else {
            try database.run(
                "UPDATE head SET newest = ?, deleted = ?, name = ?, state = ?, conflicted = ? WHERE note = ?",
                .number(entry.newest), .flag(head.isDeleted), .blob(head.name.storedBytes), state, conflicted,
                .number(entry.number))
        }
        try writeTags(of: head, number: entry.number, instead: old)
    }

    /// The head that is to be replaced; nil where there is none. Of one that is spoiled the tags cannot be told: the note's rows of
    /// `tag` are removed, and nil is returned.
    ///
    /// - Complexity: O(log notes); O(tags of all notes) where it is spoiled.
    private func replaced(_ id: NoteID, number: UInt64, in table: HeadTable) throws(SQLFault) -> Head? {
        do throws(SQLFault) { return try table.entry(of: id)?.head } catch {
            guard error.isOfContent else { throw error }
            try database.run("DELETE FROM tag WHERE note = ?", .number(number))
            return nil
        }
    }

    private func writeTags(of head: Head, number: UInt64, instead old: Head?) throws(SQLFault) {
        let stays = old.map { $0.name == head.name && $0.isDeleted == head.isDeleted } ?? false
        let before = Set(old?.tags ?? [])
        let after = Set(head.tags)
        if let old {
            for tag in stays ? before.subtracting(after) : before {
                try database.run(
                    "DELETE FROM tag WHERE tag = ? AND deleted = ? AND name = ? AND id = ?", .blob(tag.utf8),
                    .flag(old.isDeleted), .blob(old.name.storedBytes), .blob(old.id.storedBytes))
            }
        }
        for tag in stays ? after.subtracting(before) : after {
            try database.run(
                "INSERT INTO tag (tag, deleted, name, id, note) VALUES (?, ?, ?, ?, ?)", .blob(tag.utf8), .flag(head.isDeleted),
                .blob(head.name.storedBytes), .blob(head.id.storedBytes), .number(number))
        }
    }
}
