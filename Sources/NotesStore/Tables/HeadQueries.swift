import NotesModel
import NotesSQL

/// Reads heads from the memtable and the tables as if they were one table.
///
/// The memtable wins: a note that it holds is newer there than in `head`, so the row in `head` is
/// skipped. `HeadMemtable` explains why there are two places.
///
/// **Example.** `head` has A named `a` and B named `b`; since then B was renamed to `z`, which only
/// the memtable knows. A list of the first two notes takes A from `head`, skips the stale row of B
/// by its number without decoding it, takes B from the memtable, and sorts: A, B. Because stale
/// rows are skipped inside the scan, the scan continues until it has `limit` valid notes, and the
/// merged prefix is correct whatever the memtable holds.
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

    /// The ids of the living notes with this name, in ascending order.
    func existingNotes(named name: NoteName) throws(SQLFault) -> [NoteID] {
        let folded = try table.existingNotes(named: name).filter { memtable[$0] == nil }
        return (folded + memtable.existingNotes(named: name)).sorted()
    }

    /// The first `limit` notes after a position that match the filter, by name and id.
    ///
    /// - Complexity: O(notes of the memtable + limit log notes). `JournalLimits` bounds the
    ///   memtable.
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

    /// The notes whose newest commit is in `after < sequence <= through`, in commit order.
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

    /// Whether the memtable has the note with this number, which makes its row in `head` stale.
    private func isNewer(_ number: UInt64) -> Bool { memtable.id(ofNumber: number) != nil }
}
