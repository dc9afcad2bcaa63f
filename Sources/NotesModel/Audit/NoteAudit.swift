import Causality
import NoteText
import TextMerge

/// An audit of one note. It recomputes the note from its revisions and compares every derived value
/// that the store holds, which verifies that no text was lost.
///
/// - For each revision: the hash; the parents, which must be known and must not lie in each other's
///   past; the edits, which must fit the text at the parents; the text at its own version.
/// - At each critical version: every byte that a revision inserted is in the merged text once, or
///   was removed by a named revision that has the insertion in its past. The pasts come from the
///   parents alone, not from the walk.
/// - At the end: every member of the head.
///
/// Below the compaction floor, the audit checks parents, marks and names only.
///
///     var audit = NoteAudit(revisions, head: head)
///     while !audit.isDone { audit.step(bytes: 4 << 20) }
package struct NoteAudit: Sendable {
    let id: NoteID
    let rows: [StoredRevision]
    let head: Head
    /// For each row, whether every later revision has it in its past and withdraws nothing at or below
    /// it.
    let isPassed: [Bool]
    var next = 0
    var view = View(naming: .sha256)
    /// The index of the row that is the compaction floor; -1 when there is none.
    let compactionFloor: Int
    /// The revisions below the compaction floor, from their last critical version on.
    var below = RevisionGraph(floor: .nothing)
    var names = NameRegister(floor: nil)
    var vector = VersionVector()
    /// The revisions since the last critical version, by dot.
    private var walked: [Dot: StoredRevision] = [:]
    /// The number of bytes that each of them inserted into the kept sequence.
    private var written: [Dot: Int] = [:]
    /// The problems found so far.
    package internal(set) var findings: [AuditFinding] = []
    /// Whether the audit is complete.
    package internal(set) var isDone = false
    /// The index of the first row after the last critical version that was passed below the compaction floor.
    var belowFrom = 0
    /// Whether to collect the derived values, for a caller that stores them.
    let keepsDerived: Bool
    /// The derived values of the rows checked so far that the caller has not taken.
    var derived: [DerivedRow] = []
    /// The head that the revisions produce; nil unless the audit is complete and keeps derived values.
    package internal(set) var derivedHead: Head?
    /// The index of the newest withdrawal; -1 when there is none. Up to it, the view starts only where no
    /// conflict is unresolved (`View.canWithdraw`).
    private let lastWithdrawal: Int

    /// Prepares an audit.
    ///
    /// - Parameters:
    ///   - revisions: all revisions of the note, in the store's commit order.
    ///   - head: the head that the store holds.
    ///   - keepsDerived: whether to collect the derived values (`takeDerived`).
    /// - Complexity: O(revisions and their parents).
    package init(_ revisions: [StoredRevision], head: Head, keepsDerived: Bool = false) {
        self.keepsDerived = keepsDerived
        lastWithdrawal = revisions.lastIndex { $0.revision.isWithdrawal } ?? -1
        compactionFloor = revisions.lastIndex { $0.isCompactionFloor } ?? -1
        id = head.id
        rows = revisions
        self.head = head
        var indexes: [Dot: Int] = [:]
        for (index, row) in revisions.enumerated() { indexes[row.revision.dot] = index }
        var passed = [Bool](repeating: true, count: revisions.count)
        var oldest = Int.max
        for index in revisions.indices.reversed() {
            let revision = revisions[index].revision
            passed[index] = oldest >= index
            let parents = revision.parents.dots.map { indexes[$0] ?? -1 }
            let named = revision.withdraws.map { (indexes[$0] ?? 0) - 1 }
            oldest = min(oldest, parents.min() ?? -1, named.min() ?? .max)
        }
        isPassed = passed
    }

    /// Whether the whole audit replays more revisions than `revisionsMax`, or about more bytes of text
    /// than `bytesMax`.
    package func isLong(revisionsMax: Int, bytesMax: Int) -> Bool {
        rows.count > revisionsMax || rows.count * (head.bytes + 256) > bytesMax
    }

    /// Continues the audit for about the given number of bytes of text, so that the caller can
    /// yield between steps. Sets `isDone` after the last row.
    package mutating func step(bytes: Int) {
        var spent = 0
        while !isDone, spent < bytes {
            guard next < rows.count else { return finish() }
            let row = rows[next]
            guard next > compactionFloor ? check(row) : next == compactionFloor ? checkCompactionFloor(row) : checkBelow(row)
            else { return giveUp() }
            spent += view.text.count + 256
            next += 1
        }
    }

    /// Ends the audit after a problem that later revisions depend on. Only their hashes can still
    /// be checked.
    private mutating func giveUp() {
        isDone = true
        let later = rows.dropFirst(next + 1)
        guard !later.isEmpty else { return }
        findings += later.compactMap(Self.changedContent)
        find(.texts, nil, "the \(later.count) later revisions of this note could not be checked")
    }

    /// The finding that a revision's content differs from the stored hash; nil when it matches, or when
    /// the hash of a parent cannot be read.
    package static func changedContent(_ row: StoredRevision) -> AuditFinding? {
        let stored = row.isCompacted ? row.kept : row.hash
        guard let stored, let parentHashes = row.parentHashes else { return nil }
        let found = RevisionHash(of: LinkedRevision(row.revision, parentHashes: parentHashes))
        guard stored != found else { return nil }
        return AuditFinding(
            note: row.revision.note, dot: row.revision.dot,
            what: "its content has the hash \(found), but was stored with \(stored)", affects: .texts)
    }

    mutating func find(_ affects: AuditFinding.Affected, _ dot: Dot?, _ what: String) {
        findings.append(AuditFinding(note: id, dot: dot, what: what, affects: affects))
    }

    /// Audits a revision above the compaction floor; returns whether later rows can be audited.
    private mutating func check(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        let dot = revision.dot
        if let finding = Self.changedContent(row) { findings.append(finding) }
        guard fits(revision, into: view.graph) else { return false }
        guard !row.isCompacted else {
            find(.texts, dot, "its text was compacted, but later revisions depend on it")
            return false
        }
        guard !revision.isWithdrawal else { return checkNames(row) && append(row, own: nil) }
        guard let own = ownText(of: revision) else { return false }
        return append(row, own: own)
    }

    /// Whether a withdrawal names only revisions that can be withdrawn.
    private mutating func checkNames(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        let covered = view.graph.covered(revision.withdraws, by: revision.parents)
        for dot in revision.withdraws {
            guard covered.contains(dot), view.graph.ordinal(of: dot) != nil else {
                find(.texts, revision.dot, "it withdraws \(dot), which is not in its past")
                return false
            }
        }
        guard revision.edits.isEmpty, !revision.isTombstone else {
            find(.texts, revision.dot, "it withdraws revisions but also edits or deletes the note")
            return false
        }
        return true
    }

    /// Compares what the store holds of a revision's own version.
    private mutating func compareOwn(_ row: StoredRevision, _ own: [UInt8]) {
        let dot = row.revision.dot
        if own.count != row.bytes { find(.texts, dot, "its text has \(own.count) bytes, but the store records \(row.bytes)") }
        if let text = row.text, text != own { find(.texts, dot, "the stored text is not the one that its edits produce") }
    }

    /// Whether the revision can follow those of a graph.
    mutating func fits(_ revision: Revision, into graph: RevisionGraph) -> Bool {
        let (dot, parents) = (revision.dot, revision.parents)
        guard revision.note == id else {
            find(.texts, dot, "it belongs to note \(revision.note)")
            return false
        }
        guard !graph.knows(dot) else {
            find(.texts, dot, "two revisions of this note have this dot")
            return false
        }
        guard parents.dots.allSatisfy(graph.knows), !parents.isNothing || graph.floor.isNothing else {
            find(.texts, dot, "not all of its parents (\(parents)) are earlier revisions")
            return false
        }
        guard graph.reduce(parents) == parents else {
            find(.texts, dot, "one of its parents (\(parents)) is in the past of another")
            return false
        }
        return true
    }

    /// The text at the revision's own version; nil when the edits do not fit the text at its
    /// parents.
    private mutating func ownText(of revision: Revision) -> [UInt8]? {
        if revision.isTombstone {
            guard revision.edits.isEmpty else {
                find(.texts, revision.dot, "it deletes the note but has edits")
                return nil
            }
            return []
        }
        let shown = revision.parents.isNothing ? [] : view.text(at: revision.parents)
        guard revision.edits.fault(forLength: shown.count) == nil else {
            find(.texts, revision.dot, "its edits do not fit the text at its parents, which has \(shown.count) bytes")
            return nil
        }
        return revision.edits.applied(to: shown)
    }

    /// Appends a revision to the view and compares what the store derived from it.
    ///
    /// - Parameter own: the text that the revision's edits produce; nil for a withdrawal.
    private mutating func append(_ row: StoredRevision, own: [UInt8]?) -> Bool {
        let revision = row.revision
        let coversAll = revision.parents == view.version
        let shownBefore = row.shown != nil || keepsDerived && !coversAll ? view.text : []
        let mayRise = next > lastWithdrawal || !view.hasUnresolved
        if coversAll, isPassed[next], revision.mayBeFloor, mayRise {
            checkProvenance()
            names = NameRegister(floor: nameAfter(revision, in: view.graph, withdrawn: withdrawn(at: revision.parents)))
            (walked, written) = ([:], [:])
            view.append(Event(revision))
        } else {
            names.record(revision.dot, revision.name)
            walked[revision.dot] = row
            written[revision.dot] = view.keptEdits(of: Event(revision)).reduce(0) { $0 + $1.replacement.count }
            view.append(contentsOf: [Event(revision)], holdsFloor: true)
            if let own, own != view.text(at: Version(revision.dot)) {
                find(.texts, revision.dot, "the text at its own version is not what it wrote")
                return false
            }
        }
        vector.record(revision.dot)
        let version = Version(revision.dot)
        compareOwn(row, own ?? view.text(at: version))
        compareDerived(row, derivedState(of: row, coversAll: coversAll, after: shownBefore), after: shownBefore)
        return true
    }

    func withdrawn(at version: Version) -> Set<Dot> { version.isNothing ? [] : view.withdrawn(at: version) }

    private func nameAfter(_ revision: Revision, in graph: RevisionGraph, withdrawn: Set<Dot>) -> NoteName? {
        switch revision.name {
        case .set(let name): name
        case .unchanged: names.name(at: revision.parents, in: graph, withdrawn: withdrawn)
        }
    }

    /// Verifies that every byte inserted since the last critical version is in the merged text
    /// once, or was removed by a revision that has the insertion in its past.
    mutating func checkProvenance() {
        guard !walked.isEmpty else { return }
        var putIn: [Dot: Int] = [:]
        var shown: [UInt8] = []
        let withdrawn = withdrawn(at: view.version)
        for part in view.provenance {
            for copy in part.copies {
                guard let inserter = copy.inserter else { continue }
                putIn[inserter, default: 0] += part.bytes.count
                for (remover, _) in copy.removals {
                    guard !view.graph.covers(walked[remover]?.revision.parents ?? .nothing, inserter) else { continue }
                    find(
                        .texts, inserter,
                        "\(part.bytes.count) bytes of it were removed by \(remover), whose past does not include it")
                }
            }
            if part.copies.contains(where: { $0.isShown(withdrawn: withdrawn) }) { shown += part.bytes }
        }
        for (dot, wrote) in written {
            if putIn[dot] ?? 0 != wrote {
                find(.texts, dot, "it inserted \(wrote) bytes, but \(putIn[dot] ?? 0) are accounted for")
            }
        }
        if view.hidesLast { shown.removeLast() }
        guard !view.isDeleted, shown != view.text else { return }
        find(.texts, nil, "the text at \(view.version) is not the text that was inserted and not removed")
    }
}
