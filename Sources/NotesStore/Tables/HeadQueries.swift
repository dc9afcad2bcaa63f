import NoteText
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
        let flushed = try table.existingNotes(named: name).filter { memtable[$0] == nil }
        return (flushed + memtable.existingNotes(named: name)).sorted()
    }

    /// The first `limit` notes after a position that match the filter, by name and id.
    ///
    /// - Complexity: O(notes of the memtable + limit log notes). `JournalLimits` bounds the
    ///   memtable.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0 else { return [] }
        let recent = memtable.heads(matching: filter, after: position, limit: limit)
        var flushed: [NoteEntry] = []
        var rest = filter
        rest.ids = filter.ids?.filter { memtable[$0] == nil }
        try table.candidates(for: rest, after: position, passing: isNewer) { entry in
            if filter.matches(entry.head) { flushed.append(entry) }
            return flushed.count < limit
        }
        return (flushed + recent).sorted { $0.head.position < $1.head.position }.prefix(limit).map(\.stored)
    }

    /// The notes that match the filter and whose newest commit is before `sequence`, newest first.
    ///
    /// A flush moves the oldest rows, so every note in the memtable has a newer commit than every
    /// valid row in `head`. The memtable therefore comes first.
    ///
    /// - Complexity: O(`examinedMax`) at most; O(ids of the filter · log) if it has any.
    func newestHeads(
        matching filter: Filter, before sequence: UInt64, limit: Int, examinedMax: Int
    ) throws(SQLFault) -> NewestHeads {
        var page = NewestScan(filter, limit: limit, examinedMax: examinedMax)
        if let ids = filter.ids {
            var entries: [NoteEntry] = []
            for id in ids {
                guard let entry = try entry(of: id), entry.newest < sequence else { continue }
                entries.append(entry)
            }
            for entry in entries.sorted(by: { $0.newest > $1.newest }) { guard page.take(entry) else { break } }
            return page.found
        }
        for entry in memtable.newest(before: sequence) { guard page.take(entry) else { return page.found } }
        func take(_ number: UInt64, _ newest: UInt64, _ entry: () throws(SQLFault) -> NoteEntry) throws(SQLFault) -> Bool {
            isNewer(number) ? page.pass(newest) : page.take(try entry())
        }
        // Among many living notes, a few deleted ones would take many pages to find.
        if filter.deleted, try table.hasDeleted(atMost: examinedMax) {
            try table.newestDeleted(before: sequence, visit: take)
        } else {
            try table.newest(before: sequence, visit: take)
        }
        return page.found
    }

    /// The tags that begin with `prefix` and come after `tag`, with the numbers of living notes.
    ///
    /// Rows of `tag` count notes as they were flushed. For each note in the memtable, the tags of its
    /// row in `head` are subtracted and its present tags are added.
    func tags(
        startingWith prefix: ByteString, after tag: ByteString?, limit: Int, rowsMax: Int
    ) throws(SQLFault) -> TagPage {
        var changes: [ByteString: Int] = [:]
        func add(_ count: Int, to tags: [ByteString]) {
            for name in tags where name.hasPrefix(prefix) && tag.map({ $0 < name }) ?? true { changes[name, default: 0] += count }
        }
        for (id, entry) in memtable.entries {
            if !entry.head.isDeleted { add(1, to: entry.head.tags) }
            if let flushed = try table.entry(of: id), !flushed.head.isDeleted { add(-1, to: flushed.head.tags) }
        }
        // One more than the page, to know whether it is the last.
        var counts: [TagCount] = []
        var (rows, reached) = (0, ByteString?.none)
        var added = changes.keys.sorted()[...]
        func append(_ tag: ByteString, _ notes: Int) { if notes > 0 { counts.append(TagCount(tag: tag, notes: notes)) } }
        try table.tags(startingWith: prefix, after: tag) { tag, notes in
            while let next = added.first, next < tag {
                append(next, changes[next] ?? 0)
                added.removeFirst()
            }
            if added.first == tag { added.removeFirst() }
            append(tag, notes + (changes[tag] ?? 0))
            rows += notes
            let isFull = rows >= rowsMax || counts.count > limit
            if isFull { reached = tag }
            return !isFull
        }
        if reached == nil { for next in added { append(next, changes[next] ?? 0) } }
        guard counts.count > limit else { return TagPage(tags: counts, next: reached) }
        counts.removeSubrange(limit...)
        return TagPage(tags: counts, next: counts.last?.tag)
    }

    /// The notes whose newest commit is in `after < sequence <= through`, in commit order.
    func changed(after: UInt64, through: UInt64, limit: Int) throws(SQLFault) -> [StoredHead] {
        guard limit > 0, after < through else { return [] }
        let recent = memtable.changed(after: after, through: through, limit: limit)
        var flushed: [StoredHead] = []
        try table.changed(after: after, through: through, passing: isNewer) { entry in
            flushed.append(entry.stored)
            return flushed.count < limit
        }
        return Array((flushed + recent).sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    /// Whether the memtable has the note with this number, which makes its row in `head` stale.
    private func isNewer(_ number: UInt64) -> Bool { memtable.id(ofNumber: number) != nil }
}

/// The state of a scan in the order of commits, newest first.
private struct NewestScan {
    private let filter: Filter
    private let limit: Int
    private let examinedMax: Int
    private var examined = 0
    /// The page so far.
    private(set) var found = NewestHeads(heads: [], next: nil)

    init(_ filter: Filter, limit: Int, examinedMax: Int) {
        self.filter = filter
        self.limit = limit
        self.examinedMax = examinedMax
    }

    /// Examines a note. Returns whether the scan goes on. The page ends at the first note that it has
    /// no room for, so that the last page is known as the last.
    mutating func take(_ entry: NoteEntry) -> Bool {
        if filter.matches(entry.head) {
            guard found.heads.count < limit else {
                found.next = found.heads.last?.sequence
                return false
            }
            found.heads.append(entry.stored)
        }
        return pass(entry.newest)
    }

    /// Counts a note as examined. Returns whether the scan goes on.
    mutating func pass(_ sequence: UInt64) -> Bool {
        examined += 1
        guard examined >= examinedMax else { return true }
        found.next = sequence
        return false
    }
}
