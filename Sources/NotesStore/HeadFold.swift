import GRDB
import NotesModel

/// Moves heads from `recent` into `head` and `tag`: the random pages that commits leave alone.
///
/// Takes the oldest rows of `recent`. One that is still its note's newest is written into the tables; one that is not has a
/// later row there, and is only dropped. So afterwards each note's newest head is in exactly one place, and what is left of
/// `recent` is the newest commits.
struct HeadFold {
    let database: Database
    var replicas: ReplicaTable

    /// Folds the rows, given with what their notes are now.
    ///
    /// - Complexity: O(rows log notes).
    mutating func fold(_ rows: some Collection<(sequence: UInt64, entry: NoteEntry?)>) throws(SQLFault) {
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
        let old = try HeadTable(database: database, replicas: replicas).entry(of: head.id)
        counts.replace(old?.head, by: head)
        let state = SQLValue.blob(try HeadCodec.bytes(of: head, at: entry.newest, &replicas, addingTo: database))
        let conflicted = SQLValue.flag(!head.conflicts.isEmpty)
        if old == nil {
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
        try writeTags(of: head, number: entry.number, instead: old?.head)
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
