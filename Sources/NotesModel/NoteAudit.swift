import Causality
import TextMerge

/// Works out a note anew from its revisions and compares with what its store says of them: the proof that nothing was lost.
///
/// For each revision: its hash, parents that are known and an antichain, edits that fit the text at its parents, its own text. At each
/// critical version: every byte that a revision put in is shown once, or was removed by a named revision that had seen it;
/// who had seen what is asked of the parents alone, not of the walk. At the end: everything that the head says.
///
/// Of revisions whose texts were thinned out, parents, marks and names; from the foot on everything.
///
///     var audit = NoteAudit(revisions, head: head)
///     while !audit.isDone { audit.step(bytes: 4 << 20) }
package struct NoteAudit: Sendable {
    private let id: NoteID
    private let rows: [StoredRevision]
    private let head: Head
    /// By row: whether all later ones have it in their past.
    private let isPassed: [Bool]
    private var next = 0
    private var view = View(naming: .sha256)
    /// Which row is the foot; -1 where there is none.
    private let compactionFloor: Int
    /// The revisions below the foot since their last critical version.
    private var below = RevisionGraph(floor: .nothing)
    private var names = NameRegister(floor: nil)
    private var vector = VersionVector()
    /// The walked revisions since the floor, by dot.
    private var walked: [Dot: StoredRevision] = [:]
    package private(set) var findings: [AuditFinding] = []
    package private(set) var isDone = false

    /// - Parameter revisions: all of the note, in the store's commit order.
    package init(_ revisions: [StoredRevision], head: Head) {
        id = head.id
        rows = revisions
        self.head = head
        var indexes: [Dot: Int] = [:]
        for (index, row) in revisions.enumerated() { indexes[row.revision.dot] = index }
        var passed = [Bool](repeating: true, count: revisions.count)
        var oldest = Int.max
        for index in revisions.indices.reversed() {
            passed[index] = oldest >= index
            oldest = min(oldest, revisions[index].revision.parents.dots.map { indexes[$0] ?? -1 }.min() ?? -1)
        }
        isPassed = passed
        compactionFloor = revisions.lastIndex { $0.isCompactionFloor } ?? -1
    }

    /// Goes on for so many bytes of text, or about.
    package mutating func step(bytes: Int) {
        var spent = 0
        while !isDone, spent < bytes {
            guard next < rows.count else { return finish() }
            let row = rows[next]
            guard next > compactionFloor ? check(row) : next == compactionFloor ? checkCompactionFloor(row) : checkBelow(row) else { return giveUp() }
            spent += view.text.count + 256
            next += 1
        }
    }

    /// What was made upon something that is wrong cannot be worked out; whether it is as it was stored can be told.
    private mutating func giveUp() {
        isDone = true
        let later = rows.dropFirst(next + 1)
        guard !later.isEmpty else { return }
        findings += later.compactMap(Self.changedContent)
        find(nil, "the \(later.count) later revisions of this note could not be worked out")
    }

    /// That a revision's content is not the one that was stored.
    package static func changedContent(_ row: StoredRevision) -> AuditFinding? {
        let stored = row.isCompacted ? row.kept : row.hash
        guard let stored, stored != RevisionHash(of: row.revision) else { return nil }
        return AuditFinding(
            note: row.revision.note, dot: row.revision.dot,
            what: "its content has the hash \(RevisionHash(of: row.revision)), and was stored with \(stored)")
    }

    private mutating func find(_ dot: Dot?, _ what: String) {
        findings.append(AuditFinding(note: id, dot: dot, what: what))
    }

    /// Returns whether what comes after can be looked at.
    private mutating func check(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        let dot = revision.dot
        if let finding = Self.changedContent(row) { findings.append(finding) }
        guard fits(revision, into: view.graph) else { return false }
        guard !row.isCompacted else {
            find(dot, "its text was thinned out, and what came after it builds on that")
            return false
        }
        guard let own = ownText(of: revision) else { return false }
        if own.count != row.bytes { find(dot, "its text has \(own.count) bytes, and the store says \(row.bytes)") }
        if let text = row.text, text != own { find(dot, "the text that the store holds of it is not what its edits make") }
        return append(row, own: own)
    }

    /// Whether a revision can stand after those of a graph.
    private mutating func fits(_ revision: Revision, into graph: RevisionGraph) -> Bool {
        let (dot, parents) = (revision.dot, revision.parents)
        guard revision.note == id else {
            find(dot, "it is a revision of note \(revision.note)")
            return false
        }
        guard !graph.knows(dot) else {
            find(dot, "the dot stands for two revisions of this note")
            return false
        }
        guard parents.dots.allSatisfy(graph.knows), !parents.isNothing || graph.floor.isNothing else {
            find(dot, "not all of its parents (\(parents)) are revisions before it")
            return false
        }
        guard graph.reduce(parents) == parents else {
            find(dot, "one of its parents (\(parents)) is in another's past")
            return false
        }
        return true
    }

    /// Of a revision below the foot: that what is left of it has its place. What its text was cannot be worked out.
    private mutating func checkBelow(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        guard fits(revision, into: below) else { return false }
        if row.isCompacted, !revision.edits.isEmpty || row.text != nil {
            find(revision.dot, "its text was thinned out, and something of it is there")
        }
        if let finding = Self.changedContent(row) { findings.append(finding) }
        let coversAll = revision.parents == below.siblings
        compareMark(row, coversAll)
        if coversAll, isPassed[next] {
            names = NameRegister(floor: nameAfter(revision, in: below))
            below = RevisionGraph(floor: Version(revision.dot))
        } else {
            names.record(revision.dot, revision.name)
            below.insert(revision.dot, parents: revision.parents)
        }
        vector.record(revision.dot)
        compareName(row, in: below)
        return true
    }

    /// The foot: a critical version with its text, from which everything later is worked out.
    private mutating func checkCompactionFloor(_ row: StoredRevision) -> Bool {
        let dot = row.revision.dot
        let text = row.revision.isTombstone ? [] : row.text
        guard !row.isCompacted, let text else {
            find(dot, "all before it may have been thinned out, and it has no text of its own")
            return false
        }
        guard checkBelow(row) else { return false }
        guard below.floor == Version(dot) else {
            find(dot, "all before it may have been thinned out, and not all of that is in its past, or it in that of all later")
            return false
        }
        if row.kept != RevisionHash(ofText: text) {
            find(dot, "its text, which all later ones build on, is not the one that was kept")
        }
        if text.count != row.bytes { find(dot, "its text has \(text.count) bytes, and the store says \(row.bytes)") }
        if !row.conflicts.isEmpty { find(dot, "all before it may have been thinned out, and a conflict is open at it") }
        view = View(floor: dot, text: text, isDeleted: row.revision.isTombstone, conflicts: row.conflicts, naming: .sha256)
        return true
    }

    private mutating func compareMark(_ row: StoredRevision, _ coversAll: Bool) {
        guard coversAll != row.coversAll else { return }
        find(row.revision.dot, "it has \(coversAll ? "" : "not ")seen all before it, and the store says otherwise")
    }

    private mutating func compareName(_ row: StoredRevision, in graph: RevisionGraph) {
        let name = row.revision.isTombstone ? nil : names.name(at: Version(row.revision.dot), in: graph)
        if name != row.name { find(row.revision.dot, "the name that the store says it has is not that of its past") }
    }

    /// The edits made on what the writer was shown; nil where they do not fit.
    private mutating func ownText(of revision: Revision) -> [UInt8]? {
        if revision.isTombstone {
            guard revision.edits.isEmpty else {
                find(revision.dot, "it deletes the note and has edits")
                return nil
            }
            return []
        }
        let shown = revision.parents.isNothing ? [] : view.text(at: revision.parents)
        guard revision.edits.fault(forLength: shown.count) == nil else {
            find(revision.dot, "its edits lie outside the text of \(shown.count) bytes that its writer was shown")
            return nil
        }
        return revision.edits.applied(to: shown)
    }

    private mutating func append(_ row: StoredRevision, own: [UInt8]) -> Bool {
        let revision = row.revision
        let coversAll = revision.parents == view.version
        let shownBefore = row.shown == nil ? [] : view.text
        compareMark(row, coversAll)
        if coversAll, isPassed[next] {
            settleAccount()
            names = NameRegister(floor: nameAfter(revision, in: view.graph))
            walked = [:]
            view.append(Event(revision))
        } else {
            names.record(revision.dot, revision.name)
            walked[revision.dot] = row
            view.append(contentsOf: [Event(revision)], holdsFloor: true)
            if own != view.text(at: Version(revision.dot)) {
                find(revision.dot, "its own version does not show what it wrote")
                return false
            }
        }
        vector.record(revision.dot)
        compareName(row, in: view.graph)
        compareShown(row, after: shownBefore)
        if coversAll, row.coversAll, lasting(view.keptConflicts) != lasting(row.conflicts) {
            find(revision.dot, "the conflicts that were open at it are not those that the store says")
        }
        return true
    }

    /// What the store says that the note showed then, against what it shows.
    private mutating func compareShown(_ row: StoredRevision, after before: [UInt8]) {
        guard let shown = row.shown else { return }
        let text = view.text
        let kept: [UInt8]? =
            switch shown.text {
            case .whole(let text): text
            case .edits(let edits): edits.fault(forLength: before.count) == nil ? edits.applied(to: before) : nil
            }
        if case .edits = shown.text, next == 0 || !rows[next - 1].coversAll && rows[next - 1].shown == nil {
            find(row.revision.dot, "the store keeps what the note showed after it as edits of what it does not keep")
        }
        if kept != text { find(row.revision.dot, "the text that the note showed after it is not the one that the store kept") }
        let expected = Head(
            id: id, name: view.isDeleted ? nil : names.name(at: view.version, in: view.graph), version: view.version,
            vector: VersionVector(), title: Title.of(text), tags: Tags.of(text), created: head.created,
            modified: row.revision.time, author: row.revision.author, bytes: text.count, isDeleted: view.isDeleted,
            conflicts: OpenConflict.all(view.conflicts, in: text))
        if shown.head != expected { find(row.revision.dot, "what the store says of the note after it is not so") }
    }

    /// Those that mean something: whoever restores a deleted note settles all but a renaming.
    private func lasting(_ conflicts: [Conflict]) -> [Conflict] {
        view.isDeleted ? conflicts.filter { $0.kind == .name } : conflicts
    }

    private func nameAfter(_ revision: Revision, in graph: RevisionGraph) -> NoteName? {
        switch revision.name {
        case .set(let name): name
        case .unchanged: names.name(at: revision.parents, in: graph)
        }
    }

    /// Every byte that was put in since the floor is shown once, or was removed by one who had seen it.
    private mutating func settleAccount() {
        guard !walked.isEmpty else { return }
        var putIn: [Dot: Int] = [:]
        var shown: [UInt8] = []
        for part in view.provenance {
            for copy in part.copies {
                guard let inserter = copy.inserter else { continue }
                putIn[inserter, default: 0] += part.bytes.count
                for remover in copy.removers where !view.graph.covers(walked[remover]?.revision.parents ?? .nothing, inserter) {
                    find(inserter, "\(part.bytes.count) bytes of it were removed by \(remover), which had not seen it")
                }
            }
            if part.copies.contains(where: \.removers.isEmpty) { shown += part.bytes }
        }
        for (dot, row) in walked {
            let wrote = row.revision.edits.reduce(0) { $0 + $1.replacement.count }
            if putIn[dot] ?? 0 != wrote { find(dot, "it put in \(wrote) bytes, and \(putIn[dot] ?? 0) are accounted for") }
        }
        guard !view.isDeleted, shown != view.text else { return }
        find(nil, "the text shown at \(view.version) is not what was put in and not removed")
    }

    private mutating func finish() {
        isDone = true
        settleAccount()
        guard !rows.isEmpty else { return find(nil, "it has no revision") }
        let text = view.text
        func compare(_ what: String, _ isSame: Bool) {
            if !isSame { find(nil, "\(what) is not what its revisions make") }
        }
        compare("the set of its siblings", head.version == view.version)
        compare("its version vector", head.vector == vector)
        compare("whether it is deleted", head.isDeleted == view.isDeleted)
        compare("its size", head.bytes == text.count)
        compare("its title", head.title == Title.of(text))
        compare("the list of its tags", head.tags == Tags.of(text))
        compare("its name", head.name == (view.isDeleted ? nil : names.name(at: view.version, in: view.graph)))
        compare("the list of its open conflicts", head.conflicts == OpenConflict.all(view.conflicts, in: text))
    }
}
