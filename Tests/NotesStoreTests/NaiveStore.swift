import Causality
import NoteText
import NotesModel
import TextMerge

@testable import NotesStore

/// Computes a journal's results from the contract alone: pasts as sets, and linear searches
/// everywhere.
struct NaiveStore {
    private(set) var commits: [Commit] = []
    private var pasts: [Dot: Set<Dot>] = [:]
    /// Each note's compaction floor, and the commits whose texts were removed.
    var feet: [NoteID: UInt64] = [:]
    var compacted: Set<UInt64> = []

    mutating func append(_ commit: Commit) {
        commits.append(commit)
        var past: Set<Dot> = []
        for parent in commit.revision.parents.dots { past.formUnion(pasts[parent, default: []].union([parent])) }
        pasts[commit.revision.dot] = past
    }

    func note(_ id: NoteID, downTo depth: LoadDepth, asOf: UInt64?) -> ComparableRecord? {
        let all = commits.filter { $0.revision.note == id }
        let rows = all.filter { $0.sequence <= asOf ?? .max }
        guard let last = rows.last, let newest = all.last else { return nil }
        let compactionFloor = feet[id] ?? 0
        guard last.sequence >= compactionFloor else { return nil }
        let floor =
            rows.indices.last { isRoot($0, rows, depth) && rows[$0].sequence >= compactionFloor }
            ?? rows.firstIndex { $0.sequence == compactionFloor }
        let endsAtCompactionFloor = floor.map { rows[$0].sequence == compactionFloor } ?? false
        var gone: [Dot] = []
        if endsAtCompactionFloor, case .dots(let version) = depth {
            gone = all.filter { $0.sequence < compactionFloor && version.dots.contains($0.revision.dot) }.map(\.revision.dot)
        }
        return ComparableRecord(
            id: id, created: rows[0].head.created, vector: newest.head.vector, sequence: last.sequence,
            floor: floor.map { ComparableRecord.Floor(rows[$0]) },
            tail: rows.dropFirst(floor.map { $0 + 1 } ?? 0).map(\.revision),
            endsAtCompactionFloor: endsAtCompactionFloor, gone: Version(gone))
    }

    func past(_ id: NoteID, asOf: UInt64, withText: Bool) -> ComparablePast? {
        guard let record = note(id, downTo: .newest, asOf: asOf) else { return nil }
        let commit = commits[Int(record.sequence) - 1]
        guard let shown = commit.shown else { return .record(record) }
        var head = commit.head
        head.vector = record.vector
        return .shown(commit.sequence, head, withText ? shown.text : nil)
    }

    private func isRoot(_ index: Int, _ rows: [Commit], _ depth: LoadDepth) -> Bool {
        let dot = rows[index].revision.dot
        let coversAll =
            !rows[index].isDeleted && rows[..<index].allSatisfy { pasts[dot, default: []].contains($0.revision.dot) }
        // A note of which something is withdrawn starts without unresolved conflicts.
        let isResolved = rows[index].conflicts.isEmpty
        guard isResolved || !rows[(index + 1)...].contains(where: \.revision.isWithdrawal) else { return false }
        let below = Set(rows[..<index].map(\.revision.dot))
        let isCovered = rows[(index + 1)...].allSatisfy { later in
            pasts[later.revision.dot, default: []].contains(dot) && below.union([dot]).isDisjoint(with: later.revision.withdraws)
        }
        switch depth {
        case .start: return false
        case .newest: return coversAll && isCovered
        case .dots(let version): return coversAll && isCovered && below.isDisjoint(with: version.dots)
        case .below(let under, let version):
            return coversAll && isCovered && isResolved && below.isDisjoint(with: version.dots)
                && below.union([dot]).isDisjoint(with: under)
        }
    }

    var heads: [StoredHead] {
        var newest: [NoteID: StoredHead] = [:]
        for commit in commits { newest[commit.head.id] = StoredHead(head: commit.head, sequence: commit.sequence) }
        return Array(newest.values)
    }

    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) -> [StoredHead] {
        let sorted = heads.filter { filter.matches($0.head) }.sorted { isListedBefore($0.head, $1.head) }
        let rest = sorted.drop { stored in
            guard let position else { return false }
            return !isListedBefore((position.name, position.id), (stored.head.name, stored.head.id))
        }
        return Array(rest.prefix(limit))
    }

    func newestHeads(matching filter: Filter, before sequence: UInt64) -> [StoredHead] {
        heads.filter { filter.matches($0.head) && $0.sequence < sequence }.sorted { $0.sequence > $1.sequence }
    }

    func tags(startingWith prefix: ByteString, after tag: ByteString?) -> [TagCount] {
        var counts: [ByteString: Int] = [:]
        for tag in heads.filter({ !$0.head.isDeleted }).flatMap(\.head.tags) { counts[tag, default: 0] += 1 }
        return counts.filter { $0.key.hasPrefix(prefix) && $0.key > tag ?? "" }.sorted { $0.key < $1.key }
            .map { TagCount(tag: $0.key, notes: $0.value) }
    }

    private func isListedBefore(_ left: Head, _ right: Head) -> Bool {
        isListedBefore((left.name, left.id), (right.name, right.id))
    }

    private func isListedBefore(_ left: (name: NoteName?, id: NoteID), _ right: (name: NoteName?, id: NoteID)) -> Bool {
        switch (left.name, right.name) {
        case (nil, nil): left.id < right.id
        case (nil, _): false
        case (_, nil): true
        case (let leftName?, let rightName?): leftName == rightName ? left.id < right.id : leftName < rightName
        }
    }

    func changed(after: UInt64, through: UInt64, limit: Int) -> [StoredHead] {
        Array(heads.filter { after < $0.sequence && $0.sequence <= through }.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }

    func history(of id: NoteID, before dot: Dot?, limit: Int) -> [RevisionSummary]? {
        let rows = commits.filter { $0.revision.note == id }
        guard !rows.isEmpty else { return nil }
        var end = rows.endIndex
        if let dot {
            guard let index = rows.firstIndex(where: { $0.revision.dot == dot }) else { return nil }
            end = index
        }
        func isWithdrawn(_ dot: Dot) -> Bool {
            rows.contains { $0.revision.withdraws.contains(dot) && !isWithdrawn($0.revision.dot) }
        }
        return rows[..<end].reversed().prefix(limit).map { summary($0, isWithdrawn: isWithdrawn($0.revision.dot)) }
    }

    func revisions(matching filter: RevisionFilter, before sequence: UInt64) -> [NoteRevision] {
        commits.filter { $0.sequence < sequence }.reversed().compactMap { commit in
            let id = commit.revision.note
            let summary = history(of: id, before: nil, limit: .max)?.first { $0.dot == commit.revision.dot }
            return summary.map { NoteRevision(note: id, revision: $0) }
        }.filter { entry in
            let author = entry.revision.author
            // The parts of a label, joined again one by one.
            let parts = (author.label?.description ?? "").split(separator: "/", omittingEmptySubsequences: false)
            let names = author.label == nil ? [] : parts.indices.map { parts[...$0].joined(separator: "/") }
            let isNamed = filter.author.map { ([author.user.description] + names).contains($0.description) } ?? true
            return isNamed && filter.since.map { $0.milliseconds <= entry.revision.time.milliseconds } ?? true
        }
    }

    private func summary(_ commit: Commit, isWithdrawn: Bool) -> RevisionSummary {
        RevisionSummary(
            dot: commit.revision.dot, parents: commit.revision.parents, author: commit.revision.author,
            time: commit.revision.time, bytes: commit.text.count, isDeleted: commit.isDeleted, name: commit.name,
            isStated: commit.revision.origin == .stated, isCompacted: compacted.contains(commit.sequence),
            withdraws: commit.revision.withdraws, isWithdrawn: isWithdrawn,
            resolves: commit.revision.resolves, times: commit.revision.fileTimes)
    }
}

/// A comparable `PastNote`.
enum ComparablePast: Equatable {
    case shown(UInt64, Head, [UInt8]?)
    case record(ComparableRecord)

    init(_ past: PastNote) {
        switch past {
        case .shown(let sequence, let head, let text): self = .shown(sequence, head, text)
        case .record(let record): self = .record(ComparableRecord(record))
        }
    }
}

/// A comparable `NoteRecord`.
struct ComparableRecord: Equatable {
    struct Floor: Equatable {
        let dot: Dot
        let text: [UInt8]
        let name: NoteName?
        let isDeleted: Bool
        let author: Author
        let time: Timestamp
        let modified: Timestamp
        let conflicts: [KeptConflict]
        let lastLine: LastLineFeed

        init(_ floor: NoteRecord.Floor) {
            (dot, text, name) = (floor.dot, floor.state.text, floor.name)
            (isDeleted, author, time) = (floor.state.isDeleted, floor.author, floor.time)
            (conflicts, lastLine, modified) = (floor.state.conflicts, floor.state.lastLine, floor.modified)
        }

        init(_ commit: Commit) {
            (dot, text, name) = (commit.revision.dot, commit.text, commit.name)
            (isDeleted, author, time) = (commit.isDeleted, commit.revision.author, commit.revision.time)
            (conflicts, lastLine, modified) = (commit.conflicts, commit.lastLine, commit.revision.modified)
        }
    }

    let id: NoteID
    let created: Timestamp
    let vector: VersionVector
    let sequence: UInt64
    let floor: Floor?
    let tail: [Revision]
    let endsAtCompactionFloor: Bool
    let gone: Version

    init(
        id: NoteID, created: Timestamp, vector: VersionVector, sequence: UInt64, floor: Floor?, tail: [Revision],
        endsAtCompactionFloor: Bool, gone: Version
    ) {
        (self.id, self.created, self.vector) = (id, created, vector)
        (self.endsAtCompactionFloor, self.gone) = (endsAtCompactionFloor, gone)
        (self.sequence, self.floor, self.tail) = (sequence, floor, tail)
    }

    init(_ record: NoteRecord) {
        self.init(
            id: record.id, created: record.created, vector: record.vector, sequence: record.sequence,
            floor: record.floor.map(Floor.init), tail: record.tail, endsAtCompactionFloor: record.endsAtCompactionFloor,
            gone: record.gone)
    }
}
