import NotesModel

/// The tables and the overlay as one: a note that the overlay has is read there, whatever the tables say of it.
struct HeadQueries {
    let overlay: HeadOverlay
    let table: HeadTable

    func entry(of id: NoteID) throws(SQLFault) -> NoteEntry? {
        if let entry = overlay[id] { return entry }
        return try table.entry(of: id)
    }

    func id(ofNumber number: UInt64) throws(SQLFault) -> NoteID? {
        if let id = overlay.id(ofNumber: number) { return id }
        return try table.id(ofNumber: number)
    }

    func living(named name: NoteName) throws(SQLFault) -> [NoteID] {
        let folded = try table.living(named: name).filter { overlay[$0] == nil }
        return (folded + overlay.living(named: name)).sorted()
    }

    /// - Complexity: O(notes of the overlay + limit log notes), with the overlay's size bounded.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0 else { return [] }
        let recent = overlay.heads(matching: filter, after: position, limit: limit)
        var folded: [NoteEntry] = []
        try table.candidates(for: filter, after: position) { entry in
            if overlay[entry.head.id] == nil, filter.matches(entry.head) { folded.append(entry) }
            return folded.count < limit
        }
        return (folded + recent).sorted { $0.head.position < $1.head.position }.prefix(limit).map(\.stored)
    }

    func changed(after: UInt64, through: UInt64, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0, after < through else { return [] }
        let recent = overlay.changed(after: after, through: through, limit: limit)
        var folded: [StoredHead] = []
        try table.changed(after: after, through: through) { entry in
            if overlay[entry.head.id] == nil { folded.append(entry.stored) }
            return folded.count < limit
        }
        return Array((folded + recent).sorted { $0.sequence < $1.sequence }.prefix(limit))
    }
}
