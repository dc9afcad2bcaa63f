import Causality
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
    private let id: NoteID
    private let rows: [StoredRevision]
    private let head: Head
    /// For each row, whether the view may start at it: every later revision has it in its past and
    /// withdraws nothing at or below it; and no conflict is unsettled at it, or none of them is a
    /// withdrawal.
    private let isPassed: [Bool]
    private var next = 0
    private var view = View(naming: .sha256)
    /// The index of the row that is the compaction floor; -1 when there is none.
    private let compactionFloor: Int
    /// The revisions below the compaction floor, from their last critical version on.
    private var below = RevisionGraph(floor: .nothing)
    private var names = NameRegister(floor: nil)
    private var vector = VersionVector()
    /// The revisions since the last critical version, by dot.
    private var walked: [Dot: StoredRevision] = [:]
    /// The number of bytes that each of them inserted into the kept sequence.
    private var written: [Dot: Int] = [:]
    /// The problems found so far.
    package private(set) var findings: [AuditFinding] = []
    /// Whether the audit is complete.
    package private(set) var isDone = false

    /// Prepares an audit.
    ///
    /// - Parameters:
    ///   - revisions: all revisions of the note, in the store's commit order.
    ///   - head: the head that the store holds.
    /// - Complexity: O(revisions and their parents).
    package init(_ revisions: [StoredRevision], head: Head) {
        id = head.id
        rows = revisions
        self.head = head
        var indexes: [Dot: Int] = [:]
        for (index, row) in revisions.enumerated() { indexes[row.revision.dot] = index }
        var passed = [Bool](repeating: true, count: revisions.count)
        var oldest = Int.max
        var isFollowedByWithdrawal = false
        for index in revisions.indices.reversed() {
            let revision = revisions[index].revision
            passed[index] = oldest >= index && !(isFollowedByWithdrawal && !revisions[index].conflicts.isEmpty)
            if revision.isWithdrawal { isFollowedByWithdrawal = true }
            let parents = revision.parents.dots.map { indexes[$0] ?? -1 }
            let named = revision.withdraws.map { (indexes[$0] ?? 0) - 1 }
            oldest = min(oldest, parents.min() ?? -1, named.min() ?? .max)
        }
        isPassed = passed
        compactionFloor = revisions.lastIndex { $0.isCompactionFloor } ?? -1
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
        find(nil, "the \(later.count) later revisions of this note could not be checked")
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
            what: "its content has the hash \(found), but was stored with \(stored)")
    }

    private mutating func find(_ dot: Dot?, _ what: String) {
        findings.append(AuditFinding(note: id, dot: dot, what: what))
    }

    /// Audits a revision above the compaction floor; returns whether later rows can be audited.
    private mutating func check(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        let dot = revision.dot
        if let finding = Self.changedContent(row) { findings.append(finding) }
        guard fits(revision, into: view.graph) else { return false }
        guard !row.isCompacted else {
            find(dot, "its text was compacted, but later revisions depend on it")
            return false
        }
        guard !revision.isWithdrawal else { return checkNames(row) && append(row, own: nil) }
        guard let own = ownText(of: revision) else { return false }
        return append(row, own: own)
    }

    /// Whether a withdrawal names only revisions that can be withdrawn.
    private mutating func checkNames(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        for dot in revision.withdraws {
            guard view.graph.covers(revision.parents, dot), view.graph.ordinal(of: dot) != nil else {
                find(revision.dot, "it withdraws \(dot), which is not in its past")
                return false
            }
        }
        guard revision.edits.isEmpty, !revision.isTombstone else {
            find(revision.dot, "it withdraws revisions but also edits or deletes the note")
            return false
        }
        return true
    }

    /// Compares what the store holds of a revision's own version.
    private mutating func compareOwn(_ row: StoredRevision, _ own: [UInt8]) {
        let dot = row.revision.dot
        if own.count != row.bytes { find(dot, "its text has \(own.count) bytes, but the store records \(row.bytes)") }
        if let text = row.text, text != own { find(dot, "the stored text is not the one that its edits produce") }
    }

    /// Whether the revision can follow those of a graph.
    private mutating func fits(_ revision: Revision, into graph: RevisionGraph) -> Bool {
        let (dot, parents) = (revision.dot, revision.parents)
        guard revision.note == id else {
            find(dot, "it belongs to note \(revision.note)")
            return false
        }
        guard !graph.knows(dot) else {
            find(dot, "two revisions of this note have this dot")
            return false
        }
        guard parents.dots.allSatisfy(graph.knows), !parents.isNothing || graph.floor.isNothing else {
            find(dot, "not all of its parents (\(parents)) are earlier revisions")
            return false
        }
        guard graph.reduce(parents) == parents else {
            find(dot, "one of its parents (\(parents)) is in the past of another")
            return false
        }
        return true
    }

    /// Audits a revision below the compaction floor: its place in the graph, its marks and its
    /// name. Its text may be gone.
    private mutating func checkBelow(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        guard fits(revision, into: below) else { return false }
        if row.isCompacted, !revision.edits.isEmpty || row.text != nil {
            find(revision.dot, "its text was compacted, but a part of it remains")
        }
        if let finding = Self.changedContent(row) { findings.append(finding) }
        let version = Version(revision.dot)
        let coversAll = revision.parents == below.siblings
        compareMark(row, coversAll)
        names.record(revision.dot, revision.name)
        below.insert(revision.dot, parents: revision.parents)
        vector.record(revision.dot)
        let name = names.name(at: version, in: below, withdrawn: withdrawnBelow(at: version))
        compareName(row, name)
        if coversAll, isPassed[next] {
            names = NameRegister(floor: name)
            below = RevisionGraph(floor: version)
        }
        return true
    }

    /// The revisions below the compaction floor, since their last critical version, that are
    /// withdrawn at a version.
    private func withdrawnBelow(at version: Version) -> Set<Dot> {
        var withdrawn: Set<Dot> = []
        for row in rows[..<(next + 1)].reversed() where below.ordinal(of: row.revision.dot) != nil && row.revision.isWithdrawal {
            guard below.covers(version, row.revision.dot), !withdrawn.contains(row.revision.dot) else { continue }
            withdrawn.formUnion(row.revision.withdraws)
        }
        return withdrawn
    }

    /// Audits the compaction floor: a critical version with its text, from which all later texts
    /// are computed.
    private mutating func checkCompactionFloor(_ row: StoredRevision) -> Bool {
        let dot = row.revision.dot
        let text = row.isDeleted ? [] : row.text
        guard !row.isCompacted, let text else {
            find(dot, "it is the compaction floor, but it has no text")
            return false
        }
        guard checkBelow(row) else { return false }
        guard below.floor == Version(dot) else {
            find(dot, "it is the compaction floor, but does not separate all earlier revisions from all later ones")
            return false
        }
        if row.kept != RevisionHash(ofText: text) {
            find(dot, "its text, which later revisions depend on, does not match the stored hash")
        }
        if text.count != row.bytes { find(dot, "its text has \(text.count) bytes, but the store records \(row.bytes)") }
        if !row.conflicts.isEmpty { find(dot, "it is the compaction floor, but a conflict is open at it") }
        let state = ViewFloor(text: text, lastLine: row.lastLine, isDeleted: row.isDeleted, conflicts: [])
        view = View(floor: dot, state, naming: .sha256)
        return true
    }

    private mutating func compareMark(_ row: StoredRevision, _ coversAll: Bool) {
        guard coversAll != row.coversAll else { return }
        find(
            row.revision.dot,
            "its past \(coversAll ? "includes" : "does not include") all earlier revisions, but the stored mark differs")
    }

    /// - Parameter name: the name that the row's past sets, even if the note is deleted.
    private mutating func compareName(_ row: StoredRevision, _ name: NoteName?) {
        if (row.isDeleted ? nil : name) != row.name {
            find(row.revision.dot, "the stored name is not the one that its past sets")
        }
    }

    /// The text at the revision's own version; nil when the edits do not fit the text at its
    /// parents.
    private mutating func ownText(of revision: Revision) -> [UInt8]? {
        if revision.isTombstone {
            guard revision.edits.isEmpty else {
                find(revision.dot, "it deletes the note but has edits")
                return nil
            }
            return []
        }
        let shown = revision.parents.isNothing ? [] : view.text(at: revision.parents)
        guard revision.edits.fault(forLength: shown.count) == nil else {
            find(revision.dot, "its edits do not fit the text at its parents, which has \(shown.count) bytes")
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
        let shownBefore = row.shown == nil ? [] : view.text
        compareMark(row, coversAll)
        if coversAll, isPassed[next], revision.mayBeFloor {
            settleAccount()
            names = NameRegister(floor: nameAfter(revision, in: view.graph, withdrawn: withdrawn(at: revision.parents)))
            (walked, written) = ([:], [:])
            view.append(Event(revision))
        } else {
            names.record(revision.dot, revision.name)
            walked[revision.dot] = row
            written[revision.dot] = view.keptEdits(of: Event(revision)).reduce(0) { $0 + $1.replacement.count }
            view.append(contentsOf: [Event(revision)], holdsFloor: true)
            if let own, own != view.text(at: Version(revision.dot)) {
                find(revision.dot, "the text at its own version is not what it wrote")
                return false
            }
        }
        vector.record(revision.dot)
        let version = Version(revision.dot)
        compareOwn(row, own ?? view.text(at: version))
        if row.isDeleted != view.isDeleted(at: version) { find(revision.dot, "the stored deletion mark differs from its past's") }
        compareName(row, names.name(at: version, in: view.graph, withdrawn: withdrawn(at: version)))
        compareShown(row, after: shownBefore)
        if coversAll, row.coversAll, lasting(view.keptConflicts) != lasting(row.conflicts) {
            find(revision.dot, "the stored open conflicts are not those that its past produces")
        }
        if coversAll, row.coversAll, row.lastLine != view.lastLineFeed {
            find(revision.dot, "the stored mark of the last line feed is not the one that its past produces")
        }
        return true
    }

    private func withdrawn(at version: Version) -> Set<Dot> { version.isNothing ? [] : view.withdrawn(at: version) }

    /// Compares the stored merged state after a revision with the computed one.
    private mutating func compareShown(_ row: StoredRevision, after before: [UInt8]) {
        guard let shown = row.shown else { return }
        let text = view.text
        let kept: [UInt8]? =
            switch shown.text {
            case .whole(let text): text
            case .edits(let edits): edits.fault(forLength: before.count) == nil ? edits.applied(to: before) : nil
            }
        if case .edits = shown.text, next == 0 || !rows[next - 1].coversAll && rows[next - 1].shown == nil {
            find(row.revision.dot, "the store keeps the merged text after it as edits to a text that it does not keep")
        }
        if kept != text { find(row.revision.dot, "the stored merged text after it is not the computed one") }
        let expected = Head(
            id: id, name: view.isDeleted ? nil : names.name(at: view.version, in: view), version: view.version,
            vector: VersionVector(), title: Title.of(text), tags: Tags.of(text), created: head.created,
            modified: row.revision.time, author: row.revision.author, bytes: text.count, isDeleted: view.isDeleted,
            conflicts: OpenConflict.all(view.conflicts, in: text))
        if shown.head != expected { find(row.revision.dot, "the stored state of the note after it is not the computed one") }
    }

    /// The conflicts that matter. A write that restores a deleted note resolves all of them except
    /// name conflicts.
    private func lasting(_ conflicts: [Conflict]) -> [Conflict] {
        view.isDeleted ? conflicts.filter { $0.kind == .name } : conflicts
    }

    private func nameAfter(_ revision: Revision, in graph: RevisionGraph, withdrawn: Set<Dot>) -> NoteName? {
        switch revision.name {
        case .set(let name): name
        case .unchanged: names.name(at: revision.parents, in: graph, withdrawn: withdrawn)
        }
    }

    /// Verifies that every byte inserted since the last critical version is in the merged text
    /// once, or was removed by a revision that has the insertion in its past.
    private mutating func settleAccount() {
        guard !walked.isEmpty else { return }
        var putIn: [Dot: Int] = [:]
        var shown: [UInt8] = []
        let withdrawn = withdrawn(at: view.version)
        for part in view.provenance {
            for copy in part.copies {
                guard let inserter = copy.inserter else { continue }
                putIn[inserter, default: 0] += part.bytes.count
                for remover in copy.removers where !view.graph.covers(walked[remover]?.revision.parents ?? .nothing, inserter) {
                    find(inserter, "\(part.bytes.count) bytes of it were removed by \(remover), whose past does not include it")
                }
            }
            let isShown = part.copies.contains { copy in
                !(copy.inserter.map(withdrawn.contains) ?? false) && copy.removers.allSatisfy(withdrawn.contains)
            }
            if isShown { shown += part.bytes }
        }
        for (dot, wrote) in written {
            if putIn[dot] ?? 0 != wrote { find(dot, "it inserted \(wrote) bytes, but \(putIn[dot] ?? 0) are accounted for") }
        }
        if view.hidesLast { shown.removeLast() }
        guard !view.isDeleted, shown != view.text else { return }
        find(nil, "the text at \(view.version) is not the text that was inserted and not removed")
    }

    private mutating func finish() {
        isDone = true
        settleAccount()
        guard !rows.isEmpty else { return find(nil, "it has no revision") }
        let text = view.text
        func compare(_ what: String, _ isSame: Bool) {
            if !isSame { find(nil, "\(what) is not what its revisions produce") }
        }
        compare("the set of its siblings", head.version == view.version)
        compare("its version vector", head.vector == vector)
        compare("its deletion mark", head.isDeleted == view.isDeleted)
        compare("its size", head.bytes == text.count)
        compare("its title", head.title == Title.of(text))
        compare("the list of its tags", head.tags == Tags.of(text))
        compare("its name", head.name == (view.isDeleted ? nil : names.name(at: view.version, in: view)))
        compare("the list of its open conflicts", head.conflicts == OpenConflict.all(view.conflicts, in: text))
    }
}
