import DequeModule
import NotesModel

/// Who is where, and who left which note: for each note and dependent the newest of it, in the order in which it was said.
///
/// One for all who are told. How far somebody has been told is one place in this order, so that what waits for a slow dependent is
/// one line a note and dependent, and takes no room of its own.
///
///     1 says note a     lines: (a,1)@1
///     2 says note a     lines: (a,1)@1 (a,2)@2
///     1 moves in a      lines: (a,2)@2 (a,1)@3       told up to 2: (a,1) is still to come
///     1 says note b     lines: (a,2)@2 (a,1 left)@4 (b,1)@5
///
/// Invariants: stamps rise strictly; a note and dependent have one line; a dependent is in one note at most.
struct PresenceTable: Sendable {
    private struct Key: Hashable, Sendable {
        let note: NoteID
        let dependent: DependentID
    }

    /// A line, or what is left where one was replaced.
    private struct Row: Sendable {
        let stamp: UInt64
        var line: PresenceLine?
    }

    private struct Subject: Sendable {
        /// What the note is now: who covers it is found from that.
        var head: Head
        /// Whose lines are about it.
        var dependents: Set<DependentID>
    }

    private var rows: [Row] = []
    private var stamps: [Key: UInt64] = [:]
    private var subjects: [NoteID: Subject] = [:]
    private var notes: [DependentID: NoteID] = [:]
    /// Of the lines that say that somebody left, oldest first, with some that were replaced since.
    private var departures: Deque<UInt64> = []
    private var departureCount = 0
    private let departuresMax: Int

    /// The stamp of the newest line; 0 before the first.
    private(set) var newest: UInt64 = 0
    /// The stamp of the newest departure that is no longer here: who was not told of it cannot be any more.
    private(set) var forgotten: UInt64 = 0

    init(departuresMax: Int) {
        self.departuresMax = departuresMax
    }

    /// Where a dependent is.
    func presence(of dependent: DependentID) -> Presence? {
        guard let note = notes[dependent], let stamp = stamps[Key(note: note, dependent: dependent)] else { return nil }
        return rows[index(of: stamp)].line?.presence
    }

    func head(of note: NoteID) -> Head? {
        subjects[note]?.head
    }

    var isEmpty: Bool { subjects.isEmpty }

    /// The first line behind a stamp.
    ///
    /// - Complexity: O(log lines), and what replaced lines left there.
    func first(after stamp: UInt64) -> PresenceLine? {
        rows[index(of: stamp + 1)...].lazy.compactMap(\.line).first
    }

    /// All lines behind a stamp, in order.
    func lines(after stamp: UInt64) -> some Sequence<PresenceLine> {
        rows[index(of: stamp + 1)...].lazy.compactMap(\.line)
    }

    /// No fewer than there are lines behind a stamp: what replaced lines left there is counted too, which may be as much as there are lines
    /// in all.
    ///
    /// - Complexity: O(log lines).
    func countMax(after stamp: UInt64) -> Int {
        rows.count - index(of: stamp + 1)
    }

    /// Where the stamp stands, or would.
    private func index(of stamp: UInt64) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].stamp < stamp { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: - What happens

extension PresenceTable {
    /// A dependent is somewhere; nil: nowhere any more. Where it is said to be already, nothing happens.
    ///
    /// - Parameter head: of that note.
    /// - Complexity: O(log lines) amortised.
    mutating func put(_ presence: Presence?, head: Head?, of dependent: DependentID, _ registration: Registration) {
        guard presence != self.presence(of: dependent) else { return }
        func line(_ note: NoteID, _ presence: Presence?) -> PresenceLine {
            PresenceLine(
                stamp: newest + 1, note: note, dependent: dependent, label: registration.label, userID: registration.userID,
                userName: registration.userName, presence: presence)
        }
        if let left = notes[dependent], left != presence?.note, let head = subjects[left]?.head {
            append(line(left, nil), head)
        }
        notes[dependent] = presence?.note
        if let presence, let head { append(line(presence.note, presence), head) }
    }

    /// A note is something else now.
    ///
    /// - Returns: whose lines are about it; nil where there are none.
    mutating func changed(to head: Head) -> Set<DependentID>? {
        subjects[head.id]?.head = head
        return subjects[head.id]?.dependents
    }

    /// Who is in a note is told anew, since others cover it now; and who left it, since that was passed over where nobody covered it.
    ///
    /// - Complexity: O(its lines × log lines).
    mutating func republish(_ head: Head, of dependents: Set<DependentID>) {
        for dependent in dependents.sorted() {
            guard let stamp = stamps[Key(note: head.id, dependent: dependent)], let line = rows[index(of: stamp)].line else {
                continue
            }
            let renewed = PresenceLine(
                stamp: newest + 1, note: head.id, dependent: dependent, label: line.label, userID: line.userID,
                userName: line.userName, presence: line.presence)
            append(renewed, head)
        }
    }

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

    /// What a stamp says of somebody who left; nil where that was replaced.
    private func departure(at stamp: UInt64) -> PresenceLine? {
        let row = index(of: stamp)
        return row < rows.count && rows[row].stamp == stamp ? rows[row].line : nil
    }

    private mutating func remove(_ key: Key) {
        guard let stamp = stamps.removeValue(forKey: key) else { return }
        let row = index(of: stamp)
        if rows[row].line?.presence == nil { departureCount -= 1 }
        if row == rows.count - 1 { rows.removeLast() } else { rows[row].line = nil }
        subjects[key.note]?.dependents.remove(key.dependent)
        if subjects[key.note]?.dependents.isEmpty == true { subjects[key.note] = nil }
        if rows.count > 2 * stamps.count + 1 { rows.removeAll { $0.line == nil } }
    }

    private mutating func forgetDeparture() {
        while let oldest = departures.popFirst() {
            guard let line = departure(at: oldest) else { continue }
            forgotten = oldest
            remove(Key(note: line.note, dependent: line.dependent))
            break
        }
    }
}
