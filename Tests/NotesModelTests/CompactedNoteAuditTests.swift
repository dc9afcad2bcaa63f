import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// An audit of a compacted note reports nothing, and names each damaged revision among the
/// remaining data.
@Suite struct CompactedNoteAuditTests {
    private let id = noteID(1)

    /// A1; A2 and A3, concurrent; A4 on both; A5; a deletion; and a write that restores the note.
    private func shelf() -> Shelf {
        var shelf = Shelf()
        func save(_ text: String, on base: String..., name: NameRequest = .leave) -> Command {
            .saveNote(SaveNote(id: id, base: Version(base.map(dot)), text: bytes(text), name: name))
        }
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: "a", text: bytes("one\ntwo\n"))))
        _ = shelf.apply(save("one\ntwo\nthree\n", on: "A1"))
        _ = shelf.apply(save("zero\none\ntwo\n", on: "A1", name: .set("b")))
        _ = shelf.apply(save("zero\none\ntwo\nthree\n4\n", on: "A2", "A3"))
        _ = shelf.apply(save("zero\none\ntwo\nthree\n4\n5\n", on: "A4"))
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A5"))))
        _ = shelf.apply(save("again\n", on: "A6", name: .set("c")))
        return shelf
    }

    /// The note's rows after compaction below a floor; `remake` may alter each row.
    private func findings(
        compactionFloor: Int = 3, of shelf: Shelf, remake: (Int, inout Row) -> Void = { _, _ in },
        change: (inout [StoredRevision]) -> Void = { _ in }
    ) throws -> [AuditFinding] {
        let made = try #require(shelf.revisions[id])
        var rows = made.enumerated().map { index, accepted in
            var row = Row(accepted)
            if index < compactionFloor { row.compact() }
            if index == compactionFloor { (row.isCompactionFloor, row.kept) = (true, RevisionHash(ofText: accepted.text)) }
            remake(index, &row)
            return row.stored
        }
        change(&rows)
        var audit = NoteAudit(rows, head: try #require(shelf.heads[id]))
        while !audit.isDone { audit.step(bytes: 1) }
        return audit.findings
    }

    /// A stored revision whose members can be changed.
    private struct Row {
        var revision: Revision
        let hash: RevisionHash
        var bytes: Int
        var text: [UInt8]?
        var name: NoteName?
        var coversAll: Bool
        var conflicts: [KeptConflict]
        var isCompacted = false
        var isCompactionFloor = false
        var kept: RevisionHash?

        init(_ accepted: Accepted) {
            revision = accepted.revision
            hash = RevisionHash(onAnyParents: accepted.revision)
            bytes = accepted.text.count
            text = accepted.text
            name = accepted.name
            coversAll = accepted.coversAll
            conflicts = accepted.conflicts
        }

        mutating func compact() {
            revision = revision.compacted
            (isCompacted, text, kept) = (true, nil, RevisionHash(onAnyParents: revision))
        }

        /// Replaces the content as another writer would have written it.
        mutating func rewrite(
            note: NoteID? = nil, dot: Dot? = nil, parents: Version? = nil, edits: [Edit]? = nil, author: Author? = nil
        ) {
            revision = Revision(
                note: note ?? revision.note, dot: dot ?? revision.dot, parents: parents ?? revision.parents,
                edits: edits ?? revision.edits, origin: revision.origin, name: revision.name, isTombstone: revision.isTombstone,
                resolves: revision.resolves, author: author ?? revision.author, time: revision.time)
        }

        var stored: StoredRevision {
            StoredRevision(
                revision: revision, hash: hash, bytes: bytes, text: text, name: name, coversAll: coversAll, conflicts: conflicts,
                isCompacted: isCompacted, isCompactionFloor: isCompactionFloor, kept: kept)
        }
    }

    @Test(arguments: [0, 3, 4, 5, 6])
    func compactedNote_hasNoFindings(compactionFloor: Int) throws {
        let shelf = shelf()
        #expect(try findings(compactionFloor: compactionFloor, of: shelf) == [])
        #expect(shelf.revisions[id]?.map(\.coversAll) == [true, true, false, true, true, true, true])
    }

    /// Each damage, at the row with that index, is reported with the row's dot.
    @Test func damage_isNamedByDot() throws {
        let shelf = shelf()
        let edit = [Edit(start: 0, end: 0, replacement: bytes("x"))]
        let open = Conflict(id: ConflictID(high: 1, low: 2), kind: .text, sides: [dot("A2"), dot("A3")], range: 0..<0)
        let damages: [(Int, String, (inout Row) -> Void)] = [
            (1, "its text was compacted, but a part of it remains", { $0.text = bytes("x") }),
            (1, "its content has the hash", { $0.rewrite(author: Author(user: "bob", label: nil)) }),
            (1, "the stored mark differs", { $0.coversAll.toggle() }),
            (2, "the stored mark differs", { $0.coversAll.toggle() }),
            (2, "the stored name is not", { $0.name = name("z") }),
            (2, "not all of its parents", { $0.rewrite(parents: version("B1")) }),
            (3, "but it has no text", { $0.text = nil }), (3, "but it has no text", { $0.isCompacted = true }),
            (3, "not all of its parents", { $0.rewrite(parents: version("B1")) }),
            (3, "does not match the stored hash", { $0.kept = RevisionHash(ofText: bytes("other")) }),
            (3, "bytes, but the store records", { $0.bytes += 1 }),
            (3, "a conflict is open at it", { $0.conflicts = [KeptConflict(open, own: [])] }),
            (4, "its content has the hash", { $0.rewrite(author: Author(user: "bob", label: nil)) }),
            (4, "its text was compacted, but later revisions", { $0.isCompacted = true }),
            (4, "it belongs to note", { $0.rewrite(note: noteID(2)) }),
            (5, "it deletes the note but has edits", { $0.rewrite(edits: edit) }),
            (6, "one of its parents", { $0.rewrite(parents: version("A5", "A6")) }),
        ]
        for (index, what, damage) in damages {
            let found = try findings(of: shelf, remake: { if $0 == index { damage(&$1) } })
            let place = Comment(rawValue: "\(index): \(what), in \(found)")
            #expect(found.contains { $0.dot == Dot(replica("A"), UInt64(index + 1)) && $0.what.contains(what) }, place)
        }
    }

    @Test func duplicateDot_isNamed() throws {
        let found = try findings(of: shelf(), change: { $0.append($0[6]) })
        #expect(found.contains { $0.dot == dot("A7") && $0.what.contains("two revisions") }, "\(found)")
    }

    /// A2 is not in the past of A3, so neither can be the compaction floor.
    @Test(arguments: [1, 2])
    func nonCriticalFloor_isNamed(compactionFloor: Int) throws {
        let found = try findings(compactionFloor: compactionFloor, of: shelf())
        let dot = Dot(replica("A"), UInt64(compactionFloor + 1))
        #expect(found.contains { $0.dot == dot && $0.what.contains("does not separate all earlier revisions") }, "\(found)")
    }

    @Test func noteWithoutRevisions_isNamed() throws {
        let found = try findings(of: shelf(), change: { $0 = [] })
        #expect(found.map(\.what) == ["it has no revision"])
    }
}
