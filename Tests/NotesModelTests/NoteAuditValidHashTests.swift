import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// Audit findings when the hashes match: stores with wrong derived values for intact revisions, and
/// invalid revisions that were stored correctly. Each message of the audit occurs here once.
@Suite struct NoteAuditValidHashTests {
    private let id = noteID(1)

    /// A1; A2 and A3, concurrent; A4 on both; then A5 and A6.
    private func shelf(endsDeleted: Bool = false) throws -> Shelf {
        var shelf = Shelf()
        func save(_ base: Version, _ text: String, _ name: NameRequest = .leave) {
            _ = shelf.apply(.saveNote(SaveNote(id: id, base: base, text: bytes(text), name: name)))
        }
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\ntwo\nthree\n"))))
        save(version("A1"), "zero\none\ntwo\nthree\n", .set("first"))
        save(version("A1"), "one\ntwo\nthree\nfour\n")
        save(version("A2", "A3"), "zero\none\ntwo\nthree\nfour\nfive\n")
        save(version("A4"), "zero\none #tag\ntwo\nthree\nfour\nfive\n", .set("second"))
        if endsDeleted {
            _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A5"))))
        } else {
            save(version("A5"), "zero\none #tag\ntwo\nthree\nfour\nfive\nsix\n")
        }
        #expect(shelf.revisions[id]?.map(\.coversAll) == [true, true, false, true, true, true])
        return shelf
    }

    /// The stored values of a revision; a test can change each.
    private struct StoredValues {
        var revision: Revision
        var bytes: Int
        var text: [UInt8]?
        var name: NoteName?
        var coversAll: Bool
        var conflicts: [KeptConflict] = []
        var isCompacted = false
        var isCompactionFloor = false
        var kept: RevisionHash?

        init(_ accepted: Accepted) {
            revision = accepted.revision
            (bytes, text, name) = (accepted.text.count, accepted.text, accepted.name)
            (coversAll, conflicts) = (accepted.coversAll, accepted.conflicts)
        }

        /// Uses a matching hash unless the test sets another.
        var row: StoredRevision {
            StoredRevision(
                revision: revision, hash: RevisionHash(onAnyParents: revision), bytes: bytes, text: text, name: name,
                coversAll: coversAll, conflicts: conflicts, isCompacted: isCompacted, isCompactionFloor: isCompactionFloor,
                kept: kept
                    ?? (isCompacted
                        ? RevisionHash(onAnyParents: revision)
                        : isCompactionFloor ? RevisionHash(ofText: revision.isTombstone ? [] : text ?? []) : nil))
        }

        mutating func compact() {
            (revision, text, isCompacted) = (revision.compacted, nil, true)
        }

        mutating func change(
            dot: Dot? = nil, note: NoteID? = nil, parents: Version? = nil, edits: [Edit]? = nil, isTombstone: Bool? = nil
        ) {
            revision = Revision(
                note: note ?? revision.note, dot: dot ?? revision.dot, parents: parents ?? revision.parents,
                edits: edits ?? revision.edits, origin: revision.origin, name: revision.name,
                isTombstone: isTombstone ?? revision.isTombstone, resolves: revision.resolves, author: revision.author,
                time: revision.time)
        }
    }

    private let conflict = Conflict(
        id: ConflictID(high: 1, low: 1), kind: .text, sides: [dot("A2"), dot("A3")], range: 0..<5)

    private func findings(_ said: [StoredValues], _ head: Head) -> [AuditFinding] {
        var audit = NoteAudit(said.map(\.row), head: head)
        while !audit.isDone { audit.step(bytes: 1) }
        return audit.findings
    }

    /// The audit reports the finding for the damaged revision, and nothing for the intact note.
    private func expect(
        _ sentence: String, of place: Int, compactedBelow compactionFloor: Int? = nil, endsDeleted: Bool = false,
        location: SourceLocation = #_sourceLocation, _ damage: (inout StoredValues) -> Void
    ) throws {
        let shelf = try shelf(endsDeleted: endsDeleted)
        let head = try #require(shelf.heads[id])
        var said = try #require(shelf.revisions[id]).map(StoredValues.init)
        if let compactionFloor {
            for index in 0..<compactionFloor { said[index].compact() }
            said[compactionFloor].isCompactionFloor = true
        }
        #expect(findings(said, head) == [], sourceLocation: location)
        damage(&said[place])
        let found = findings(said, head)
        #expect(
            found.contains { $0.dot == said[place].revision.dot && $0.what.contains(sentence) },
            "\(sentence): \(found.map { "\($0.dot.map(\.description) ?? "-") \($0.what)" })", sourceLocation: location)
    }

    @Test func misplacedRevision_isNamed() throws {
        try expect("is in the past of another", of: 3) { $0.change(parents: version("A1", "A2", "A3")) }
        try expect("two revisions of this note have this dot", of: 3) { $0.change(dot: dot("A2")) }
        try expect("are earlier revisions", of: 3) { $0.change(parents: version("B9")) }
        try expect("it belongs to note", of: 2) { $0.change(note: noteID(2)) }
    }

    @Test func revisionWithWrongText_isNamed() throws {
        try expect("do not fit the text at its parents", of: 2) { $0.change(edits: [Edit(start: 90, end: 91, replacement: [])]) }
        try expect("it deletes the note but has edits", of: 5, endsDeleted: true) {
            $0.change(edits: [Edit(start: 0, end: 0, replacement: bytes("x"))])
        }
        try expect("bytes, but the store records", of: 2) { $0.bytes += 1 }
        try expect("the stored text is not the one that its edits produce", of: 2) { $0.text? += bytes("x") }
        try expect("its text was compacted, but later revisions depend on it", of: 2) { $0.compact() }
    }

    /// A finding for one revision does not stop the audit of later ones.
    @Test func everyWrongText_isNamed() throws {
        let shelf = try shelf()
        var said = try #require(shelf.revisions[id]).map(StoredValues.init)
        for place in [1, 2, 4] { said[place].text? += bytes("x") }
        let found = findings(said, try #require(shelf.heads[id]))
        #expect(found.map(\.dot) == [dot("A2"), dot("A3"), dot("A5")])
        #expect(found.allSatisfy { $0.what == "the stored text is not the one that its edits produce" })
    }

    @Test func wrongDerivedValue_isNamed() throws {
        for place in [1, 2, 3, 4] {
            try expect("but the stored mark differs", of: place) { $0.coversAll.toggle() }
            try expect("but the stored mark differs", of: place, compactedBelow: 5) { $0.coversAll.toggle() }
            try expect("the stored name is not", of: place) { $0.name = name("third") }
            try expect("the stored name is not", of: place, compactedBelow: 5) { $0.name = name("third") }
        }
        try expect("the stored open conflicts", of: 3) { $0.conflicts = [KeptConflict(conflict, own: [])] }
        try expect("the stored name is not", of: 5, endsDeleted: true) { $0.name = name("third") }
    }

    @Test func remainsBelowFloor_areNamed() throws {
        try expect("a part of it remains", of: 2, compactedBelow: 4) { $0.text = [] }
        try expect("a part of it remains", of: 2, compactedBelow: 4) {
            $0.change(edits: [Edit(start: 0, end: 0, replacement: bytes("x"))])
        }
        try expect("was stored with", of: 2, compactedBelow: 4) { $0.kept = RevisionHash(ofText: []) }
        try expect("is in the past of another", of: 3, compactedBelow: 4) { $0.change(parents: version("A1", "A2", "A3")) }
    }

    @Test func invalidFloor_isNamed() throws {
        try expect("but it has no text", of: 4, compactedBelow: 4) { $0.text = nil }
        try expect("does not match the stored hash", of: 4, compactedBelow: 4) { $0.kept = RevisionHash(ofText: []) }
        try expect("bytes, but the store records", of: 4, compactedBelow: 4) { $0.bytes += 1 }
        try expect("a conflict is open at it", of: 4, compactedBelow: 4) { $0.conflicts = [KeptConflict(conflict, own: [])] }
        try expect("does not separate all earlier revisions", of: 3, compactedBelow: 3) { $0.change(parents: version("A2")) }
    }

    /// From the compaction floor on, everything is recomputed: texts, names, and the counters of
    /// the revisions below.
    @Test func compactedNote_hasNoFindings() throws {
        for endsDeleted in [false, true] {
            for compactionFloor in [0, 3, 4, 5] {
                let shelf = try shelf(endsDeleted: endsDeleted)
                let head = try #require(shelf.heads[id])
                var said = try #require(shelf.revisions[id]).map(StoredValues.init)
                for index in 0..<compactionFloor { said[index].compact() }
                said[compactionFloor].isCompactionFloor = true
                #expect(findings(said, head) == [], "foot \(compactionFloor)")
            }
        }
    }

    /// Revisions that cannot be recomputed are counted, and a changed content among them is still
    /// reported.
    @Test func unreadableRevisions_doNotEndTheAudit() throws {
        let shelf = try shelf()
        let head = try #require(shelf.heads[id])
        var said = try #require(shelf.revisions[id]).map(StoredValues.init)
        said[2].change(parents: version("B9"))
        var found = findings(said, head)
        #expect(found.count == 2 && found[0].dot == dot("A3") && found[1].dot == nil)
        #expect(found[1].what == "the 3 later revisions of this note could not be checked")
        said[4].isCompacted = true
        said[4].kept = RevisionHash(ofText: [])
        found = findings(said, head)
        #expect(found.map(\.dot) == [dot("A3"), dot("A5"), nil])
    }

    @Test func noteWithoutRevisions_isNamed() throws {
        let head = try #require(try shelf().heads[id])
        #expect(findings([], head).map(\.what) == ["it has no revision"])
    }
}
