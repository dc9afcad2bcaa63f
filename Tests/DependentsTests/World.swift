import Causality
import Dependents
import NoteText
import NotesModel
import TestKit
import TextMerge

/// A store in its simplest form, as the machine sees it: every change ever made, in order.
struct World {
    private(set) var log: [Change] = []
    private var commits: [NoteID: [UInt64]] = [:]
    /// The last commit of each transaction, where a copy of the store may end.
    private(set) var ends: [UInt64] = []
    /// The notes that may exist, by number.
    let ids: [NoteID]

    init(notes: Int = 8) {
        ids = (1...UInt64(notes)).map { NoteID(at: Timestamp(milliseconds: 0), random: ($0, $0)) }
    }

    var newest: UInt64 { UInt64(log.count) }

    /// Ends a transaction.
    mutating func seal() { ends.append(newest) }

    /// The commits of a note in `after < sequence <= through`.
    func commits(of note: NoteID, after: UInt64 = 0, through: UInt64 = .max) -> [UInt64] {
        (commits[note] ?? []).filter { $0 > after && $0 <= through }
    }

    func newestCommit(of note: NoteID, through: UInt64 = .max) -> UInt64 {
        commits[note]?.last { $0 <= through } ?? 0
    }

    func head(_ note: NoteID, asOf sequence: UInt64) -> Head? {
        let commit = newestCommit(of: note, through: sequence)
        return commit == 0 ? nil : log[Int(commit) - 1].after
    }

    /// The result of `Journal.changed`.
    func changed(after: UInt64, through: UInt64, limit: Int) -> [StoredHead] {
        ids.map { newestCommit(of: $0) }.filter { $0 > after && $0 <= through }.sorted().prefix(limit).map { sequence in
            StoredHead(head: log[Int(sequence) - 1].after, sequence: sequence)
        }
    }

    func answer(_ read: PageRead) -> [PageNote] {
        changed(after: read.after, through: read.through, limit: read.limit).map { stored in
            let past = read.needsPast(of: stored.head) ? read.asOf.flatMap { head(stored.head.id, asOf: $0) } : nil
            return PageNote(stored: stored, past: past)
        }
    }
}

// MARK: - Commits

extension World {
    /// Writes a note, whatever its state.
    @discardableResult
    mutating func commit(
        _ note: Int, name: String? = nil, tags: [String] = [], conflicts: [UInt64] = [], isDeleted: Bool = false, bytes: Int = 0,
        by dependent: UInt64? = nil
    ) -> Change {
        let id = ids[note]
        let sequence = newest + 1
        let dot = Dot(ReplicaID(bits: 1), sequence)
        let time = Timestamp(milliseconds: Int64(sequence))
        let head = Head(
            id: id, name: isDeleted ? nil : name.flatMap { try? NoteName(ByteString($0)) }, version: Version(dot),
            vector: VersionVector(), title: "", tags: isDeleted ? [] : tags.map { ByteString($0) }, created: time, modified: time,
            author: Author(user: "ada", label: nil), bytes: bytes, isDeleted: isDeleted,
            conflicts: isDeleted ? [] : conflicts.map(Self.conflict))
        let change = Change(
            sequence: sequence, previous: newestCommit(of: id), before: self.head(id, asOf: newest), after: head,
            origin: dependent.map { Origin(dependent: DependentID($0), label: ByteString("label \($0)")) })
        log.append(change)
        commits[id, default: []].append(sequence)
        return change
    }

    private static func conflict(_ number: UInt64) -> OpenConflict {
        let start = TextPosition(utf8: 0, utf16: 0, utf32: 0)
        return OpenConflict(id: ConflictID(high: 0, low: number), kind: .text, sides: [], start: start, end: start)
    }

    /// Creates, edits, renames, tags, deletes or restores a random note, or opens or resolves a
    /// conflict in it.
    mutating func commitAnything(by dependent: UInt64?, _ generator: inout SeededGenerator) -> Change {
        let note = generator.below(ids.count)
        let isLiving = head(ids[note], asOf: newest)?.isDeleted == false
        let name = generator.pick([nil, "work/a", "work/b", "home/a"])
        let tags = generator.pick([[], ["todo"], ["done", "todo"]])
        let conflicts: [UInt64] = generator.pick([[], [], [1], [2], [1, 2]])
        let isDeleted = generator.chance(isLiving ? 0.3 : 0.2)
        return commit(note, name: name, tags: tags, conflicts: conflicts, isDeleted: isDeleted, by: dependent)
    }
}

extension Filter {
    static let all = Filter()

    static func anything(of world: World, _ generator: inout SeededGenerator) -> Filter {
        switch generator.below(8) {
        case 0: Filter(ids: Set(world.ids.prefix(3)))
        case 1: Filter(prefix: "work/")
        case 2: Filter(tag: "todo")
        case 3: Filter(prefix: "work/", tag: "todo")
        case 4: Filter(deleted: true)
        case 5: Filter(conflicted: generator.chance(0.5))
        default: .all
        }
    }
}

extension Registration {
    static func named(_ label: String) -> Registration {
        Registration(
            clientName: "notesctl", clientVersion: "0.1.0", label: ByteString(label), userID: 1_000, userName: "ada",
            encoding: .utf8)
    }
}
