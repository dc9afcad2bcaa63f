import Algorithms
import DequeModule
import NotesModel

/// The presence of all dependents: for each pair of note and dependent, its newest presence line,
/// in the order of publication.
///
/// Why one table: presence changes with every cursor movement, and only the newest position
/// matters. A queue for each receiver would copy each movement thousands of times and grow without
/// bound while a receiver is slow. Here each receiver only remembers a place in one shared order:
/// the stamp of the last line that it was sent (`PresenceCursor`). A new line of a pair replaces
/// the pair's earlier line, so a slow receiver has at most one line pending for each pair, however
/// often the dependent moved, and pending lines take no memory for each receiver.
///
/// Worked example, with (note, dependent)@stamp:
///
///     1 opens note a     lines: (a,1)@1
///     2 opens note a     lines: (a,1)@1 (a,2)@2
///     3 is sent both     cursor of 3: 2
///     1 moves in a       lines: (a,2)@2 (a,1)@3               pending for 3: (a,1)@3
///     1 opens note b     lines: (a,2)@2 (a,1 left)@4 (b,1)@5  pending for 3: both new lines
///
/// Dependent 3 never receives the position at stamp 3, which stamp 4 replaced.
///
/// A dependent that leaves a note keeps a line there (a departure), since receivers that show it
/// must remove it. Only the dependent's return to the note replaces a departure, so the table keeps
/// at most `departuresMax` of them. It drops the oldest and records its stamp in `forgotten`; a
/// receiver whose cursor is before that stamp may have missed a departure and gets a `watch.reset`.
///
/// Invariants: stamps rise strictly; each pair has at most one line; a dependent is present in at
/// most one note.
struct PresenceTable: Sendable {
    private struct Key: Hashable, Sendable {
        let note: NoteID
        let dependent: DependentID
    }

    /// A line, or a hole where a newer line of its pair replaced it.
    private struct Row: Sendable {
        let stamp: UInt64
        var line: PresenceLine?
    }

    /// A note that at least one line is about.
    private struct Subject: Sendable {
        /// The newest head of the note; the filters are matched with it to find the receivers.
        var head: Head
        /// The dependents that have a line in this note, departures included.
        var dependents: Set<DependentID>
    }

    /// Lines and holes, in ascending order of stamps. At most twice as many rows as lines, plus
    /// one.
    private var rows: [Row] = []
    /// The stamp of each pair's line.
    private var stamps: [Key: UInt64] = [:]
    private var subjects: [NoteID: Subject] = [:]
    /// The note in which each dependent is present.
    private var notes: [DependentID: NoteID] = [:]
    /// Stamps of the departures, oldest first. May contain stamps whose line was replaced since.
    private var departures: Deque<UInt64> = []
    /// The number of departures in `rows`.
    private var departureCount = 0
    private let departuresMax: Int

    /// The stamp of the newest line; 0 before the first.
    private(set) var newest: UInt64 = 0
    /// The stamp of the newest departure that was dropped; 0 for none. A receiver that had not been
    /// sent that departure can no longer be sent it.
    private(set) var forgotten: UInt64 = 0

    init(departuresMax: Int) {
        self.departuresMax = departuresMax
    }

    /// The current presence of a dependent; nil if it has none.
    func presence(of dependent: DependentID) -> Presence? {
        guard let note = notes[dependent], let stamp = stamps[Key(note: note, dependent: dependent)] else { return nil }
        return rows[index(of: stamp)].line?.presence
    }

    /// The newest head of a note that has lines; nil if it has none.
    func head(of note: NoteID) -> Head? {
        subjects[note]?.head
    }

    var isEmpty: Bool { subjects.isEmpty }

    /// The first line after a stamp.
    ///
    /// - Complexity: O(log lines) and the holes before that line.
    func first(after stamp: UInt64) -> PresenceLine? {
        rows[index(of: stamp + 1)...].lazy.compactMap(\.line).first
    }

    /// All lines after a stamp, in ascending order of stamps.
    func lines(after stamp: UInt64) -> some Sequence<PresenceLine> {
        rows[index(of: stamp + 1)...].lazy.compactMap(\.line)
    }

    /// An upper bound of the number of lines after a stamp. It counts holes too, of which there are
    /// at most as many as lines in the whole table, plus one.
    ///
    /// - Complexity: O(log lines).
    func countMax(after stamp: UInt64) -> Int {
        rows.count - index(of: stamp + 1)
    }

    /// The index of the first row whose stamp is at least `stamp`.
    private func index(of stamp: UInt64) -> Int {
        rows.indices.partitioningIndex { rows[$0].stamp >= stamp }
    }
}

// MARK: - Events

extension PresenceTable {
    /// Sets where a dependent is present; nil removes it. Does nothing if that is its current
    /// presence. Moving to another note appends a departure from the earlier note.
    ///
    /// - Parameter head: the head of the note of `presence`.
    /// - Complexity: O(log lines) amortised.
    mutating func put(_ presence: Presence?, head: Head?, of dependent: DependentID, _ registration: Registration) {
        guard presence != self.presence(of: dependent) else { return }
        func line(_ note: NoteID, _ presence: Presence?) -> PresenceLine {
            PresenceLine(
                stamp: newest + 1, note: note, dependent: dependent, label: registration.label, userID: registration.userID,
                userName: registration.userName, person: registration.person, presence: presence)
        }
        if let left = notes[dependent], left != presence?.note, let head = subjects[left]?.head {
            append(line(left, nil), head)
        }
        notes[dependent] = presence?.note
        if let presence, let head { append(line(presence.note, presence), head) }
    }

    /// Records the new head of a note.
    ///
    /// - Returns: the dependents that have a line in it; nil if there are none.
    mutating func changed(to head: Head) -> Set<DependentID>? {
        subjects[head.id]?.head = head
        return subjects[head.id]?.dependents
    }

    /// Gives the note's lines of these dependents new stamps, so that every receiver is offered
    /// them again.
    ///
    /// Why: a receiver passes over a line of a note that none of its watches covers. When a change
    /// moves the note into a filter, the receivers of that filter need the lines that they passed
    /// over. When a change moves the note out of a filter, or deletes it, clients forget the
    /// presence in it (P15), and those that still cover it by another watch need it again.
    /// Departures are included, since they were passed over in the same way.
    ///
    /// Example: 1 is in note a, (a,1)@7, and receiver 2, whose filter does not match a, has cursor
    /// 7. A change adds the tag that the filter names. The line becomes (a,1)@8, after the cursor
    /// of 2.
    ///
    /// - Complexity: O(dependents × log lines).
    mutating func republish(_ head: Head, of dependents: Set<DependentID>) {
        for dependent in dependents.sorted() {
            guard let stamp = stamps[Key(note: head.id, dependent: dependent)], let line = rows[index(of: stamp)].line else {
                continue
            }
            let renewed = PresenceLine(
                stamp: newest + 1, note: head.id, dependent: dependent, label: line.label, userID: line.userID,
                userName: line.userName, person: line.person, presence: line.presence)
            append(renewed, head)
        }
    }

    /// Appends a line in place of the earlier line of its pair, and drops the oldest departure if
    /// there are more than `departuresMax`.
    private mutating func append(_ line: PresenceLine, _ head: Head) {
        remove(Key(note: line.note, dependent: line.dependent))
        newest = line.stamp
        stamps[Key(note: line.note, dependent: line.dependent)] = line.stamp
        subjects[line.note, default: Subject(head: head, dependents: [])].head = head
        subjects[line.note]?.dependents.insert(line.dependent)
        rows.append(Row(stamp: line.stamp, line: line))
        guard line.presence == nil else { return }
        departures.append(line.stamp)
        departureCount += 1
        if departureCount > departuresMax { forgetDeparture() }
        if departures.count > 2 * departureCount + 1 { departures = departures.filter { departure(at: $0) != nil } }
    }

    /// The line with exactly this stamp; nil if it was replaced.
    private func departure(at stamp: UInt64) -> PresenceLine? {
        let row = index(of: stamp)
        return row < rows.count && rows[row].stamp == stamp ? rows[row].line : nil
    }

    /// Removes the line of a pair, and sweeps out holes when they outnumber lines.
    private mutating func remove(_ key: Key) {
        guard let stamp = stamps.removeValue(forKey: key) else { return }
        let row = index(of: stamp)
        if rows[row].line?.presence == nil { departureCount -= 1 }
        if row == rows.count - 1 { rows.removeLast() } else { rows[row].line = nil }
        subjects[key.note]?.dependents.remove(key.dependent)
        if subjects[key.note]?.dependents.isEmpty == true { subjects[key.note] = nil }
        if rows.count > 2 * stamps.count + 1 { rows.removeAll { $0.line == nil } }
    }

    /// Drops the oldest departure that was not replaced, and records its stamp.
    private mutating func forgetDeparture() {
        while let oldest = departures.popFirst() {
            guard let line = departure(at: oldest) else { continue }
            forgotten = oldest
            remove(Key(note: line.note, dependent: line.dependent))
            break
        }
    }
}
