import NotesModel

/// A note at its newest commit, with what the next commit of it needs to know.
///
/// A class, since a list looks at thousands of them and copies of the head would cost more than looking.
final class NoteEntry {
    /// What the store's rows call the note.
    let number: UInt64
    let head: Head
    let newest: UInt64
    /// Nil where it has to be read from the newest commit's row.
    let tip: Tip?

    /// Of the newest commit's row, what the next row refers to.
    struct Tip {
        let chain: Int
        let name: NoteName?
        /// The commit whose row holds that name; nothing where there is none.
        let nameCommit: UInt64
        /// What it costs to read what the note shows, as `TextChain` counts; nil where that would have to be walked.
        let mergedTextChain: Int?
    }

    init(number: UInt64, head: Head, newest: UInt64, tip: Tip?) {
        self.number = number
        self.head = head
        self.newest = newest
        self.tip = tip
    }

    var stored: StoredHead { StoredHead(head: head, sequence: newest) }
}

/// The notes whose newest commit is not in the `head` table yet, in memory; their heads stand in the `recent` table, so that
/// nothing is lost with the memory.
///
/// `log` mirrors `recent` row by row. A row counts while it is its note's newest; older ones of the same note only wait to be
/// dropped as folding passes them.
///
/// Invariants: every note of `entries` has its newest commit in the log, and stands in `ids`; the log ascends.
struct HeadMemtable {
    struct LogRow {
        let sequence: UInt64
        let note: NoteID
    }

    private(set) var entries: [NoteID: NoteEntry] = [:]
    private(set) var log: ArraySlice<LogRow> = []
    private var livingNames: [NoteName: [NoteID]] = [:]
    /// The notes of `entries` by the numbers that rows call them by.
    private var ids: [UInt64: NoteID] = [:]

    subscript(id: NoteID) -> NoteEntry? { entries[id] }

    func id(ofNumber number: UInt64) -> NoteID? { ids[number] }

    mutating func set(_ entry: NoteEntry) {
        if let before = entries.updateValue(entry, forKey: entry.head.id) {
            removeName(of: before)
        } else {
            ids[entry.number] = entry.head.id
        }
        if let name = entry.head.name, !entry.head.isDeleted { livingNames[name, default: []].append(entry.head.id) }
    }

    /// Records a row of `recent`.
    ///
    /// - Precondition: it is the newest.
    mutating func log(_ sequence: UInt64, _ note: NoteID) {
        log.append(LogRow(sequence: sequence, note: note))
    }

    /// How many of the log's oldest rows one step of folding takes: those that are their notes' newest are written, which costs; the
    /// others are only dropped.
    ///
    /// - Complexity: O(rows).
    func oldestRows(writing heads: Int, rowsMax: Int) -> Int {
        var rows = 0
        var left = heads
        for row in log.prefix(rowsMax) {
            if entries[row.note]?.newest == row.sequence {
                guard left > 0 else { break }
                left -= 1
            }
            rows += 1
        }
        return rows
    }

    /// Forgets rows up to a commit, which the tables hold now, and the notes whose newest they were.
    mutating func drop(through sequence: UInt64) {
        while let row = log.first, row.sequence <= sequence {
            log.removeFirst()
            guard let entry = entries[row.note], entry.newest == row.sequence else { continue }
            removeName(of: entry)
            entries[row.note] = nil
            ids[entry.number] = nil
        }
        // A slice keeps what lies before it; give that back now and then.
        if log.startIndex > log.count + 1_024 { log = ArraySlice(Array(log)) }
    }

    func living(named name: NoteName) -> [NoteID] { livingNames[name] ?? [] }

    /// Entries whose newest commit lies in the range, in that order.
    ///
    /// - Complexity: O(log(rows) + rows in the range).
    func changed(after: UInt64, through: UInt64, limit: Int) -> [StoredHead] {
        var heads: [StoredHead] = []
        for row in log[firstIndex(past: after)...] {
            guard row.sequence <= through, heads.count < limit else { break }
            guard let entry = entries[row.note], entry.newest == row.sequence else { continue }
            heads.append(entry.stored)
        }
        return heads
    }

    /// The first entries that match, by place, from after a position.
    ///
    /// - Complexity: O(entries + matches log limit).
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) -> [NoteEntry] {
        var first: [NoteEntry] = []
        var last: ListPosition?
        for entry in entries.values where filter.matches(entry.head) {
            let place = entry.head.position
            if let last, last < place { continue }
            if let position, !(position < place) { continue }
            first.append(entry)
            // Now and then what cannot be among the first any more is dropped.
            guard first.count / 2 >= limit else { continue }
            first = Array(first.sorted { $0.head.position < $1.head.position }.prefix(limit))
            last = first.last?.head.position
        }
        return Array(first.sorted { $0.head.position < $1.head.position }.prefix(limit))
    }

    private func firstIndex(past sequence: UInt64) -> Int {
        var low = log.startIndex
        var high = log.endIndex
        while low < high {
            let middle = (low + high) / 2
            if log[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func removeName(of entry: NoteEntry) {
        guard let name = entry.head.name, !entry.head.isDeleted else { return }
        livingNames[name]?.removeAll { $0 == entry.head.id }
        if livingNames[name]?.isEmpty == true { livingNames[name] = nil }
    }
}
