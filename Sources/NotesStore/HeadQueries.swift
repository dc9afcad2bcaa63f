import NotesModel

/// The tables and the overlay as one: a note that the overlay has is read there, whatever the tables say of it.
struct HeadQueries {
    let memtable: HeadMemtable
    let table: HeadTable

    func entry(of id: NoteID) throws(SQLFault) -> NoteEntry? {
        if let entry = memtable[id] { return entry }
        return try table.entry(of: id)
    }

    func id(ofNumber number: UInt64) throws(SQLFault) -> NoteID? {
        if let id = memtable.id(ofNumber: number) { return id }
        return try table.id(ofNumber: number)
    }

    func living(named name: NoteName) throws(SQLFault) -> [NoteID] {
        let folded = try table.living(named: name).filter { memtable[$0] == nil }
        return (folded + memtable.living(named: name)).sorted()
    }

    /// - Complexity: O(notes of the overlay + limit log notes), with the overlay's size bounded.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0 else { return [] }
        let recent = memtable.heads(matching: filter, after: position, limit: limit)
        var folded: [NoteEntry] = []
        var rest = filter
        rest.ids = filter.ids?.filter { memtable[$0] == nil }
        try table.candidates(for: rest, after: position, passing: isNewer) { entry in
            if filter.matches(entry.head) { folded.append(entry) }
            return folded.count < limit
        }
        return (folded + recent).sorted { $0.head.position < $1.head.position }.prefix(limit).map(\.stored)
    }

    func changed(after: UInt64, through: UInt64, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0, after < through else { return [] }
        let recent = memtable.changed(after: after, through: through, limit: limit)
        var folded: [StoredHead] = []
        try table.changed(after: after, through: through, passing: isNewer) { entry in
            folded.append(entry.stored)
            return folded.count < limit
        }
        return Array((folded + recent).sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    /// Whether the overlay has the note of a number, so that what the tables say of it counts no more.
    private func isNewer(_ number: UInt64) -> Bool { memtable.id(ofNumber: number) != nil }
}
