import NotesModel

/// The rows of a list of notes, with a cursor that stays on its note.
struct NoteRows {
    struct Row: Hashable {
        var head: Head
        /// Whether the note is deleted or has left the list. Such a row stays only while the cursor is
        /// on it.
        var isGone = false
    }

    private(set) var rows: [Row] = []
    /// The index of the chosen row; 0 if there is none.
    private(set) var cursor = 0
    /// The index of the first row on the screen.
    private(set) var top = 0

    /// Most rows kept; the search finds other notes.
    static let rowsMax = 10_000

    /// The chosen row; nil if there is none.
    var chosen: Row? { rows.isEmpty ? nil : rows[cursor] }

    private func index(of id: NoteID) -> Int? { rows.firstIndex { $0.head.id == id } }

    // MARK: Contents

    /// Replaces all rows.
    ///
    /// - Parameters:
    ///   - keepsCursor: whether the cursor stays on its note, even if that is not among the new ones;
    ///     otherwise the first row is chosen.
    ///   - isWhole: whether no page follows, so that a note that is missing has left the list.
    mutating func replace(with heads: [Head], keepsCursor: Bool, isWhole: Bool) {
        let (before, place) = (chosen, cursor)
        rows = heads.prefix(Self.rowsMax).map { Row(head: $0) }
        (cursor, top) = keepsCursor ? (0, top) : (0, 0)
        guard keepsCursor, var row = before else { return }
        if let index = index(of: row.head.id) {
            cursor = index
        } else {
            row.isGone = row.isGone || isWhole
            cursor = min(place, rows.count)
            rows.insert(row, at: cursor)
        }
    }

    /// Appends a page; notes that have a row keep it.
    mutating func append(_ heads: [Head]) {
        let known = Set(rows.map(\.head.id))
        rows += heads.filter { !known.contains($0.id) }.prefix(max(0, Self.rowsMax - rows.count)).map { Row(head: $0) }
    }

    /// Takes the new state of a note that others, or the user, changed.
    ///
    /// - Parameter isNewestFirst: whether the list is sorted by the newest change, so that the note's
    ///   row moves to the front, and is made if there is none.
    mutating func changed(_ head: Head, isNewestFirst: Bool) {
        guard !head.isDeleted else { return left(head.id, head) }
        guard let place = index(of: head.id) else {
            if isNewestFirst { insertFirst(Row(head: head)) }
            return
        }
        guard isNewestFirst else {
            rows[place].head = head
            return
        }
        let wasChosen = place == cursor
        if place == 0 {
            rows[place] = Row(head: head)
            return
        }
        remove(at: place)
        insertFirst(Row(head: head))
        if wasChosen { (cursor, top) = (0, 0) }
    }

    /// Removes a note that left the list, or marks it if it is chosen.
    ///
    /// - Parameter head: the last state of the note, if known.
    mutating func left(_ id: NoteID, _ head: Head? = nil) {
        guard let place = index(of: id) else { return }
        guard place == cursor else { return remove(at: place) }
        rows[place].isGone = true
        // A deleted note has no name; the row keeps the last one.
        if let head { rows[place].head.version = head.version }
    }

    /// Moves the cursor to a note. Makes a row for it below the cursor if there is none, and returns
    /// false then.
    mutating func visit(_ head: Head) -> Bool {
        if let index = index(of: head.id) {
            move(to: index)
            return true
        }
        let place = min(cursor + 1, rows.count)
        if rows.count >= Self.rowsMax { rows.removeLast() }
        rows.insert(Row(head: head), at: min(place, rows.count))
        move(to: min(place, rows.count - 1))
        return false
    }

    private mutating func insertFirst(_ row: Row) {
        let wasEmpty = rows.isEmpty
        rows.insert(row, at: 0)
        if !wasEmpty { cursor += 1 }
        if top > 0 { top += 1 }
        if rows.count > Self.rowsMax, cursor < rows.count - 1 { rows.removeLast() }
    }

    private mutating func remove(at place: Int) {
        rows.remove(at: place)
        if place < cursor { cursor -= 1 }
        if place < top { top -= 1 }
        cursor = min(cursor, max(0, rows.count - 1))
    }

    // MARK: The cursor

    /// Moves the cursor by some rows, as far as there are rows. A row that is gone goes when the
    /// cursor leaves it.
    mutating func move(by count: Int) {
        // The sum of an index and a screen's rows cannot overflow; `Int.max` can.
        move(to: count > 0 ? cursor + min(count, rows.count) : cursor - min(-max(count, -rows.count), cursor))
    }

    mutating func move(to index: Int) {
        var target = min(max(0, index), max(0, rows.count - 1))
        guard target != cursor else { return }
        if rows[cursor].isGone {
            let place = cursor
            rows.remove(at: place)
            if target > place { target -= 1 }
            if place < top { top -= 1 }
        }
        cursor = target
    }

    /// Scrolls as little as necessary to show the chosen row on a screen of some rows.
    mutating func scroll(height: Int) {
        let height = max(1, height)
        top = min(max(top, cursor - height + 1), cursor)
        top = max(0, min(top, rows.count - height))
    }
}
