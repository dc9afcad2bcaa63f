import Causality
import NotesModel
import TextMerge

@testable import NotesStore

/// What a journal must answer, from its contract alone: pasts as sets, everything looked for everywhere.
struct NaiveStore {
    private(set) var commits: [Commit] = []
    private var pasts: [Dot: Set<Dot>] = [:]
    /// Each note's foot, and the commits whose texts are gone.
    var feet: [NoteID: UInt64] = [:]
    var thinned: Set<UInt64> = []

    mutating func append(_ commit: Commit) {
        commits.append(commit)
        var past: Set<Dot> = []
        for parent in commit.revision.parents.dots { past.formUnion(pasts[parent, default: []].union([parent])) }
        pasts[commit.revision.dot] = past
    }

    func note(_ id: NoteID, reaching reach: Reach, asOf: UInt64?) -> ComparableRecord? {
        let all = commits.filter { $0.revision.note == id }
        let rows = all.filter { $0.sequence <= asOf ?? .max }
        guard let last = rows.last, let newest = all.last else { return nil }
        let foot = feet[id] ?? 0
        guard last.sequence >= foot else { return nil }
        let root =
            rows.indices.last { isRoot($0, rows, reach) && rows[$0].sequence >= foot }
            ?? rows.firstIndex { $0.sequence == foot }
        let endsAtFoot = root.map { rows[$0].sequence == foot } ?? false
        var gone: [Dot] = []
        if endsAtFoot, case .dots(let version) = reach {
            gone = all.filter { $0.sequence < foot && version.dots.contains($0.revision.dot) }.map(\.revision.dot)
        }
        return ComparableRecord(
            id: id, created: rows[0].head.created, vector: newest.head.vector, sequence: last.sequence,
            root: root.map { ComparableRecord.Root(rows[$0]) }, tail: rows.dropFirst(root.map { $0 + 1 } ?? 0).map(\.revision),
            endsAtFoot: endsAtFoot, gone: Version(gone))
    }

    func past(_ id: NoteID, asOf: UInt64, withText: Bool) -> ComparablePast? {
        guard let record = note(id, reaching: .newest, asOf: asOf) else { return nil }
        let commit = commits[Int(record.sequence) - 1]
        guard let shown = commit.shown else { return .record(record) }
        var head = commit.head
        head.vector = record.vector
        return .shown(commit.sequence, head, withText ? shown.text : nil)
    }

    private func isRoot(_ index: Int, _ rows: [Commit], _ reach: Reach) -> Bool {
        let dot = rows[index].revision.dot
        let coversAll = rows[..<index].allSatisfy { pasts[dot, default: []].contains($0.revision.dot) }
        let isCovered = rows[(index + 1)...].allSatisfy { pasts[$0.revision.dot, default: []].contains(dot) }
        let below = Set(rows[..<index].map(\.revision.dot))
        switch reach {
        case .start: return false
        case .newest: return coversAll && isCovered
        case .dots(let version): return coversAll && isCovered && below.isDisjoint(with: version.dots)
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
        return rows[..<end].reversed().prefix(limit).map { commit in
            RevisionSummary(
                dot: commit.revision.dot, parents: commit.revision.parents, author: commit.revision.author,
                time: commit.revision.time, bytes: commit.text.count, isDeleted: commit.revision.isTombstone, name: commit.name,
                isStated: commit.revision.origin == .stated, isThinned: thinned.contains(commit.sequence))
        }
    }
}

/// A `PastNote` that can be compared.
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

/// A `NoteRecord` that can be compared.
struct ComparableRecord: Equatable {
    struct Root: Equatable {
        let dot: Dot
        let text: [UInt8]
        let name: NoteName?
        let isDeleted: Bool
        let author: Author
        let time: Timestamp
        let conflicts: [Conflict]

        init(_ root: NoteRecord.Root) {
            (dot, text, name) = (root.dot, root.text, root.name)
            (isDeleted, author, time) = (root.isDeleted, root.author, root.time)
            conflicts = root.conflicts
        }

        init(_ commit: Commit) {
            (dot, text, name) = (commit.revision.dot, commit.text, commit.name)
            (isDeleted, author, time) = (commit.revision.isTombstone, commit.revision.author, commit.revision.time)
            conflicts = commit.conflicts
        }
    }

    let id: NoteID
    let created: Timestamp
    let vector: VersionVector
    let sequence: UInt64
    let root: Root?
    let tail: [Revision]
    let endsAtFoot: Bool
    let gone: Version

    init(
        id: NoteID, created: Timestamp, vector: VersionVector, sequence: UInt64, root: Root?, tail: [Revision],
        endsAtFoot: Bool, gone: Version
    ) {
        (self.id, self.created, self.vector) = (id, created, vector)
        (self.endsAtFoot, self.gone) = (endsAtFoot, gone)
        (self.sequence, self.root, self.tail) = (sequence, root, tail)
    }

    init(_ record: NoteRecord) {
        self.init(
            id: record.id, created: record.created, vector: record.vector, sequence: record.sequence,
            root: record.root.map(Root.init), tail: record.tail, endsAtFoot: record.endsAtFoot, gone: record.gone)
    }
}
