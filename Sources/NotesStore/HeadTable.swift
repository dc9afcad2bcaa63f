import GRDB
import NotesModel

/// The `head` and `tag` tables: notes as they were when they were folded in.
///
/// A list's place is (name, id) in bytes; a note without a name has the byte 0xFF for one, which no UTF-8 has, so that it
/// sorts last and never stands below a prefix.
struct HeadTable {
    let database: Database
    let replicas: ReplicaTable

    private static let columns = "head.note, head.newest, head.state"

    func entry(of id: NoteID) throws(SQLFault) -> NoteEntry? {
        try database.first("SELECT \(Self.columns) FROM head WHERE id = ?", .blob(id.storedBytes)) {
            row throws(SQLFault) in try entry(row)
        }
    }

    /// As what a note was counted when it was folded in; nil where it was not yet.
    func counted(_ id: NoteID) throws(SQLFault) -> NoteCounts.Counted? {
        try database.first("SELECT deleted, conflicted FROM head WHERE id = ?", .blob(id.storedBytes)) {
            NoteCounts.Counted(isDeleted: $0.flag(0), isConflicted: $0.flag(1))
        }
    }

    /// The note that rows call by this number.
    func id(ofNumber number: UInt64) throws(SQLFault) -> NoteID? {
        try database.first("SELECT id FROM head WHERE note = ?", .number(number)) { row throws(SQLFault) in
            try NoteID(storedBytes: row.blob(0))
        }
    }

    /// Ids of living notes of the name, least first.
    func living(named name: NoteName) throws(SQLFault) -> [NoteID] {
        var ids: [NoteID] = []
        try database.each("SELECT id FROM head WHERE deleted = 0 AND name = ? ORDER BY id", .blob(name.bytes.utf8)) {
            row throws(SQLFault) in
            ids.append(try NoteID(storedBytes: row.blob(0)))
            return true
        }
        return ids
    }

    /// Notes by newest commit, from after one to another, until the visitor answers false. Of those whose numbers are passed nothing
    /// is read.
    func changed(
        after: UInt64, through: UInt64, passing isPassed: (UInt64) -> Bool, visit: (NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        let bound = UInt64(Int64.max)
        try database.each(
            "SELECT \(Self.columns) FROM head WHERE newest > ? AND newest <= ? ORDER BY newest", .number(min(after, bound)),
            .number(min(through, bound))
        ) { row throws(SQLFault) in isPassed(row.number(0)) ? true : try visit(try entry(row)) }
    }

    /// Notes that may match a filter, by place, from after a position, until the visitor answers false. Of those whose numbers
    /// are passed nothing is read, but where the filter has ids.
    ///
    /// - Complexity: O(log notes) to start, then O(1) a note, of those in conflict only where the filter asks for them; with
    ///   `ids`, O(ids log ids).
    func candidates(
        for filter: Filter, after position: ListPosition?, passing isPassed: (UInt64) -> Bool,
        visit: (NoteEntry) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        if let ids = filter.ids { return try candidates(ids, after: position, visit: visit) }
        let low = Self.lowBound(filter.prefix, position)
        let high = (filter.prefix?.utf8 ?? [0xFF]) + [0xFF]
        let deleted = SQLValue.flag(filter.deleted)
        if filter.conflicted == true {
            // These are few, and read whole whatever their tags are.
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
        } else {
            try database.each(
                """
                SELECT \(Self.columns) FROM head
                WHERE deleted = ? AND (name, id) > (?, ?) AND name < ? ORDER BY name, id
                """, deleted, .blob(low.name), .blob(low.id), .blob(high)
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

    /// The greater of the position and the prefix's first place. No id is empty, so an empty one is below all of its name.
    private static func lowBound(_ prefix: ByteString?, _ position: ListPosition?) -> (name: [UInt8], id: [UInt8]) {
        let start: (name: [UInt8], id: [UInt8]) = (prefix?.utf8 ?? [], [])
        guard let position else { return start }
        let name = position.name.storedBytes
        return name.lexicographicallyPrecedes(start.name) ? start : (name, position.id.storedBytes)
    }

    private func entry(_ row: SQLRow) throws(SQLFault) -> NoteEntry {
        let (number, newest) = (row.number(0), row.number(1))
        let head = try HeadCodec.head(from: row.blob(2), at: newest, note: number, replicas)
        return NoteEntry(number: number, head: head, newest: newest, tip: nil)
    }
}

extension Optional where Wrapped == NoteName {
    /// The `name` column.
    var storedBytes: [UInt8] { self?.bytes.utf8 ?? [0xFF] }
}

extension Head {
    var position: ListPosition { ListPosition(name: name, id: id) }

    func isPlaced(after position: ListPosition?) -> Bool {
        position.map { $0 < self.position } ?? true
    }
}

extension ListPosition {
    /// By name in bytes, no name last, then by id.
    static func < (left: ListPosition, right: ListPosition) -> Bool {
        guard left.name != right.name else { return left.id < right.id }
        guard let leftName = left.name else { return false }
        guard let rightName = right.name else { return true }
        return leftName < rightName
    }
}
