import NoteText
package import NotesModel
import NotesSQL

/// The `head` and `tag` tables: notes as they were when they were last flushed.
///
/// Lists are ordered by (name, id) in bytes. A note without a name has the byte 0xFF in the `name`
/// column. UTF-8 never contains that byte, so such a note sorts last and matches no prefix.
struct HeadTable {
    let database: Database
    let replicas: ReplicaTable

    private static let columns = "head.note, head.newest, head.state"

    /// Reads a note's flushed head, or nil if it has none.
    func entry(of id: NoteID) throws(SQLFault) -> NoteEntry? {
        try database.first("SELECT \(Self.columns) FROM head WHERE id = ?", .blob(id.bytes)) {
            row throws(SQLFault) in try entry(row)
        }
    }

    /// Returns how the counts in `store` include the note; nil if it has not been flushed yet.
    func counted(_ id: NoteID) throws(SQLFault) -> NoteCounts.Counted? {
        try database.first("SELECT deleted, conflicted FROM head WHERE id = ?", .blob(id.bytes)) {
            NoteCounts.Counted(isDeleted: $0.flag(0), isConflicted: $0.flag(1))
        }
    }

    /// Returns the id of the note with this number; nil if it has not been flushed yet.
    func id(ofNumber number: UInt64) throws(SQLFault) -> NoteID? {
        try database.first("SELECT id FROM head WHERE note = ?", .number(number)) { row throws(SQLFault) in
            try NoteID(storedBytes: row.blob(0))
        }
    }

    /// Returns the ids of the living notes with this name, in ascending order.
    func existingNotes(named name: NoteName) throws(SQLFault) -> [NoteID] {
        var ids: [NoteID] = []
        try database.each("SELECT id FROM head WHERE deleted = 0 AND name = ? ORDER BY id", .blob(name.bytes.utf8)) {
            row throws(SQLFault) in
            ids.append(try NoteID(storedBytes: row.blob(0)))
            return true
        }
        return ids
    }

    /// Visits the notes whose newest commit is in `after < sequence <= through`, in commit order,
    /// until the visitor returns false. Skips a note without decoding it if `isPassed` returns true
    /// for its number.
    func changed(
        after: UInt64, through: UInt64, passing isPassed: (UInt64) -> Bool, visit: (NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        let bound = UInt64(Int64.max)
        try database.each(
            "SELECT \(Self.columns) FROM head WHERE newest > ? AND newest <= ? ORDER BY newest", .number(min(after, bound)),
            .number(min(through, bound))
        ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
    }

    /// Visits the rows of deleted notes whose newest commit is before `sequence`, newest first, as
    /// `newest` does.
    ///
    /// - Complexity: O(d log d) in the number of deleted notes, to sort them.
    func newestDeleted(
        before sequence: UInt64, visit: (UInt64, UInt64, () throws(SQLFault) -> NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        try database.each(
            """
            SELECT \(Self.columns) FROM head INDEXED BY head_place
            WHERE deleted = 1 AND newest < ? ORDER BY newest DESC
            """, .number(min(sequence, UInt64(Int64.max)))
        ) { row throws(SQLFault) in
            try visit(row.number(0), row.number(1)) { () throws(SQLFault) in try entry(row) }
        }
    }

    /// Whether there are at most `count` deleted notes.
    func hasDeleted(atMost count: Int) throws(SQLFault) -> Bool {
        try database.first("SELECT 1 FROM head WHERE deleted = 1 LIMIT 1 OFFSET ?", .number(count)) { _ in true } == nil
    }

    /// Visits the rows whose newest commit is before `sequence`, newest first, until the visitor
    /// returns false. The visitor gets the note's number, its newest commit, and a function that
    /// decodes the row.
    func newest(
        before sequence: UInt64, visit: (UInt64, UInt64, () throws(SQLFault) -> NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        try database.each(
            "SELECT \(Self.columns) FROM head WHERE newest < ? ORDER BY newest DESC", .number(min(sequence, UInt64(Int64.max)))
        ) { row throws(SQLFault) in
            try visit(row.number(0), row.number(1)) { () throws(SQLFault) in try entry(row) }
        }
    }

    /// Visits the tags of living notes that begin with `prefix` and come after `tag`, by bytes, with
    /// the number of notes, until the visitor returns false.
    ///
    /// - Complexity: O(log rows + rows of the tags visited).
    func tags(
        startingWith prefix: ByteString, after tag: ByteString?, visit: (ByteString, Int) -> Bool
    ) throws(SQLFault) {
        let low = max(prefix, tag ?? prefix)
        // UTF-8 never contains 0xFF, so this is after all tags with the prefix.
        try database.each(
            """
            SELECT tag, count(*) FROM tag WHERE deleted = 0 AND tag >= ? AND tag < ? AND tag IS NOT ?
            GROUP BY tag ORDER BY tag
            """, .blob(low.utf8), .blob(prefix.utf8 + [0xFF]), .blob(tag?.utf8 ?? [0xFF])
        ) { row throws(SQLFault) in visit(ByteString(validUTF8: row.blob(0)), Int(row.number(1))) }
    }

    /// Visits the notes that may match a filter, by name and id after a position, until the visitor
    /// returns false. The caller still has to test each with the filter. Unless the filter has ids,
    /// skips a note without decoding it if `isPassed` returns true for its number.
    ///
    /// - Complexity: O(log notes) to start, then O(1) per note; visits only notes in conflict if
    ///   the filter asks for those. O(ids log ids) if the filter has ids.
    func candidates(
        for filter: Filter, after position: ListPosition?, passing isPassed: (UInt64) -> Bool,
        visit: (NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        if let ids = filter.ids { return try candidates(ids, after: position, visit: visit) }
        let low = Self.lowBound(filter.prefix, position)
        let high = (filter.prefix?.utf8 ?? [0xFF]) + [0xFF]
        let deleted = SQLValue.flag(filter.deleted)
        if filter.conflicted == true {
            // Notes in conflict are few, so their tags are tested after decoding and not through
            // `tag`.
            try database.each(
                """
                SELECT \(Self.columns) FROM head INDEXED BY head_conflicted
                WHERE conflicted = 1 AND deleted = ? AND (name, id) > (?, ?) AND name < ? ORDER BY name, id
                """, deleted, .blob(low.name), .blob(low.id), .blob(high)
            ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
        } else if let tag = filter.tag {
            try database.each(
                """
                SELECT \(Self.columns) FROM tag JOIN head ON head.note = tag.note
                WHERE tag.tag = ? AND tag.deleted = ? AND (tag.name, tag.id) > (?, ?) AND tag.name < ?
                ORDER BY tag.name, tag.id
                """, .blob(tag.utf8), deleted, .blob(low.name), .blob(low.id), .blob(high)
            ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
        } else if filter.kind == .file, !filter.deleted {
            try database.each(
                """
                SELECT \(Self.columns) FROM head INDEXED BY head_file
                WHERE file = 1 AND deleted = ? AND (name, id) > (?, ?) AND name < ? ORDER BY name, id
                """, deleted, .blob(low.name), .blob(low.id), .blob(high)
            ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
        } else {
            // A list of texts skips files in the index.
            let file = SQLValue.flag(filter.kind != .text)
            try database.each(
                """
                SELECT \(Self.columns) FROM head INDEXED BY head_place
                WHERE deleted = ? AND (name, id) > (?, ?) AND name < ? AND file <= ? ORDER BY name, id
                """, deleted, .blob(low.name), .blob(low.id), .blob(high), file
            ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
        }
    }

    private func candidates(
        _ ids: Set<NoteID>, after position: ListPosition?, visit: (NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        var found: [NoteEntry] = []
        for id in ids {
            guard let entry = try entry(of: id), entry.head.isPlaced(after: position) else { continue }
            found.append(entry)
        }
        for entry in found.sorted(by: { $0.head.position < $1.head.position }) {
            guard try visit(entry) else { return }
        }
    }

    /// Returns the greater of the position and the first position with the prefix. An empty id
    /// sorts before all notes of its name, since no id is empty.
    private static func lowBound(_ prefix: ByteString?, _ position: ListPosition?) -> (name: [UInt8], id: [UInt8]) {
        let start: (name: [UInt8], id: [UInt8]) = (prefix?.utf8 ?? [], [])
        guard let position else { return start }
        let name = position.name.storedBytes
        return name.lexicographicallyPrecedes(start.name) ? start : (name, position.id.bytes)
    }

    private func entry(_ row: SQLRow) throws(SQLFault) -> NoteEntry {
        let (number, newest) = (row.number(0), row.number(1))
        let head = try HeadCodec.head(from: row.blob(2), at: newest, note: number, replicas)
        return NoteEntry(number: number, head: head, newest: newest, tip: nil)
    }
}

extension Optional where Wrapped == NoteName {
    /// The value of the `name` column: the bytes of the name, or 0xFF for none.
    var storedBytes: [UInt8] { self?.bytes.utf8 ?? [0xFF] }
}

extension Head {
    /// The note's position in lists.
    package var position: ListPosition { ListPosition(name: name, id: id) }

    /// Whether the note comes after a position in lists; true if there is no position.
    package func isPlaced(after position: ListPosition?) -> Bool {
        position.map { $0 < self.position } ?? true
    }
}

extension ListPosition {
    /// Compares by the bytes of the name, with no name last, then by id.
    package static func < (left: ListPosition, right: ListPosition) -> Bool {
        guard left.name != right.name else { return left.id < right.id }
        guard let leftName = left.name else { return false }
        guard let rightName = right.name else { return true }
        return leftName < rightName
    }
}
