import Algorithms
import NoteText
import NotesModel

/// A note's newest head, with the values that the row of its next commit refers to.
///
/// A class rather than a struct: a list looks at thousands of entries, and copying each head would
/// cost more than examining it.
final class NoteEntry {
    /// Number that identifies the note in the rows of the store, from 1.
    let number: UInt64
    let head: Head
    /// Sequence of the note's newest commit, at which `head` was made.
    let newest: UInt64
    /// Values of the newest commit's row, or nil if they must be read from that row first.
    let tip: Tip?

    /// The columns of the newest commit's row that the next commit of the note refers to.
    struct Tip {
        /// Cost in bytes of reading the revision's own text, as `TextChain` counts it.
        let chain: Int
        /// Name of the revision's own version.
        let name: NoteName?
        /// Commit whose row holds `name`. Meaningless if `name` is nil.
        let nameCommit: UInt64
        /// Hash of the revision.
        let hash: RevisionHash
        /// Cost in bytes of reading the note's merged text, as `TextChain` counts it; nil if no
        /// stored merged text can be extended with edits.
        let mergedTextChain: Int?
    }

    init(number: UInt64, head: Head, newest: UInt64, tip: Tip?) {
        self.number = number
        self.head = head
        self.newest = newest
        self.tip = tip
    }

    /// The head as `Journal` returns it.
    var stored: StoredHead { StoredHead(head: head, sequence: newest) }
}

/// The heads of recently written notes in memory: a memtable over SQLite's tables, as in a
/// log-structured merge tree.
///
/// **Why it exists.** A commit appends its revision to the right edge of `revision`, so revisions
/// fill pages one after the other. Heads live in `head` and `tag`, which are ordered by name and by
/// tag, so updating them touches random pages, and SQLite writes whole pages to its log. Updating
/// them in every commit made appends more than three times slower
/// (`docs/decisions/storage.md#0003` has the measurement). Instead, a commit appends its
/// heads to `unflushed`, which also grows at its right edge only. `unflushed` is the durable log, and
/// this type is its index in memory. `HeadFlush` later moves the oldest rows into `head` and `tag`,
/// many at a time so that rows share pages. `HeadQueries` merges both for readers.
///
/// **What it costs.** Every reader must consult both places. Memory and the time to open a store
/// are bounded by `JournalLimits.memtableNotesMax` and `unflushedRowsMax`, since `unflushed` is read at
/// start.
///
/// **Example.** Note A is written by commits 1 and 3, note B by commit 2, note C by commit 4:
///
///     unflushed / log   (1, A) (2, B) (3, A) (4, C)
///     entries        A at 3, B at 2, C at 4
///
/// A flush of the two oldest rows drops (1, A), because commit 3 supersedes it, and writes B to
/// `head`. Afterwards the log is (3, A) (4, C), the entries are A and C, and B is found in `head`.
/// However often A is written while its row waits, only its last head is ever written to `head`.
///
/// `log` mirrors `unflushed` row by row. A row *counts* if it is the newest of its note. Superseded
/// rows stay until a flush passes them.
///
/// Invariants: the newest commit of every note in `entries` is in `log`; `ids` has exactly the
/// notes of `entries`; `log` ascends. Once a transaction is durable, each note's newest head is
/// either here or in `head`; a note that is here may have an older row there.
struct HeadMemtable {
    /// A row of `unflushed` without its head.
    struct LogRow {
        let sequence: UInt64
        let note: NoteID
    }

    /// The newest head of each note in the memtable.
    private(set) var entries: [NoteID: NoteEntry] = [:]
    /// The rows of `unflushed`, oldest first.
    private(set) var log: ArraySlice<LogRow> = []
    /// The living notes of `entries` by name.
    private var existingNames: [NoteName: [NoteID]] = [:]
    /// The notes of `entries` by the numbers that identify them in rows.
    private var ids: [UInt64: NoteID] = [:]

    /// The note's newest head, or nil if the memtable does not hold the note.
    subscript(id: NoteID) -> NoteEntry? { entries[id] }

    /// The id of the note with this number, or nil if the memtable does not hold the note.
    func id(ofNumber number: UInt64) -> NoteID? { ids[number] }

    /// Stores a note's newest head in place of the one before. `log(_:_:)` must record its commit
    /// too.
    mutating func set(_ entry: NoteEntry) {
        if let before = entries.updateValue(entry, forKey: entry.head.id) {
            removeName(of: before)
        } else {
            ids[entry.number] = entry.head.id
        }
        if let name = entry.head.name, !entry.head.isDeleted { existingNames[name, default: []].append(entry.head.id) }
    }

    /// Records that a row was appended to `unflushed`.
    ///
    /// - Precondition: `sequence` exceeds all sequences in `log`.
    mutating func log(_ sequence: UInt64, _ note: NoteID) {
        log.append(LogRow(sequence: sequence, note: note))
    }

    /// Returns how many of the oldest rows one step of a flush takes.
    ///
    /// A row that counts costs a write to `head` and `tag`; a superseded row costs only its
    /// deletion. So the step takes rows until `heads` of them count, and at most `rowsMax` in all.
    /// In the example above, with `heads` = 1, the step takes two rows: (1, A) is superseded, and
    /// (2, B) is the one write.
    ///
    /// - Complexity: O(rows).
    func oldestRows(writing heads: Int, rowsMax: Int) -> Int {
        var rows = 0
        var remaining = heads
        for row in log.prefix(rowsMax) {
            if entries[row.note]?.newest == row.sequence {
                guard remaining > 0 else { break }
                remaining -= 1
            }
            rows += 1
        }
        return rows
    }

    /// Removes the rows up to a commit, which a flush has moved to the tables, and the entries of
    /// the rows that counted. Called after that transaction is durable, never before.
    mutating func drop(through sequence: UInt64) {
        while let row = log.first, row.sequence <= sequence {
            log.removeFirst()
            guard let entry = entries[row.note], entry.newest == row.sequence else { continue }
            removeName(of: entry)
            entries[row.note] = nil
            ids[entry.number] = nil
        }
        // A slice keeps the storage of removed elements. Copying it now and then frees that memory.
        if log.startIndex > log.count + 1_024 { log = ArraySlice(Array(log)) }
    }

    /// The living notes of this name, in no order.
    func existingNotes(named name: NoteName) -> [NoteID] { existingNames[name] ?? [] }

    /// Returns the entries whose newest commit is in `after < sequence <= through`, in commit
    /// order.
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

    /// The entries whose newest commit is before `sequence`, newest first, computed as they are
    /// needed.
    func newest(before sequence: UInt64) -> some Sequence<NoteEntry> {
        log[..<firstIndex(past: sequence == 0 ? 0 : sequence - 1)].lazy.reversed().compactMap { row in
            entries[row.note].flatMap { $0.newest == row.sequence ? $0 : nil }
        }
    }

    /// Returns the first `limit` entries after a position that match the filter, by name and id.
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
            // Once twice the limit has accumulated, drop the half that cannot be among the first
            // `limit`. The last one kept then bounds what is still worth collecting.
            guard first.count / 2 >= limit else { continue }
            first = Array(first.sorted { $0.head.position < $1.head.position }.prefix(limit))
            last = first.last?.head.position
        }
        return Array(first.sorted { $0.head.position < $1.head.position }.prefix(limit))
    }

    /// The index of the first row after a commit.
    private func firstIndex(past sequence: UInt64) -> Int {
        log.indices.partitioningIndex { log[$0].sequence > sequence }
    }

    private mutating func removeName(of entry: NoteEntry) {
        guard let name = entry.head.name, !entry.head.isDeleted else { return }
        existingNames[name]?.removeAll { $0 == entry.head.id }
        if existingNames[name]?.isEmpty == true { existingNames[name] = nil }
    }
}
