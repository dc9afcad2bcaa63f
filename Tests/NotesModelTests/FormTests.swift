import Causality
import NoteText
import TestKit
import Testing
import TextMerge

@testable import NotesModel

/// Limits at their value and one above, and rarely used forms.
@Suite struct FormTests {
    @Test(
        arguments: [
            ("#\u{10400}x", ["\u{10428}x"]), ("\u{10400}#no", []), ("\u{1F600}#no #yes", ["yes"]),
            ("#a\u{10400}", ["a\u{10428}"]),
            ("#z{x #Z[ #a`", ["a", "z"]), ("#@x #`x #[x #{x", []), ("(#\u{FF21})", ["\u{FF41}"]), ("\u{3000}#x", ["x"]),
            ("```\n#no\n    ```\n#no\n```\n#yes", ["yes"]), ("```\n#no\n   ```\n#yes", ["yes"]), ("    ```\n#yes", ["yes"]),
            ("   ```\n#no", []), ("a\n``` #no\n#no\n```\n#yes", ["yes"]), ("````\n#no\n```\n#no\n````\n#yes", ["yes"]),
            ("---\ntags: [']\n---\n", ["'"]), ("---\ntags: [a, '']\n---\n", ["a"]),
            ("---\ntags: a \t, b \n---\n#c", ["a", "b", "c"]),
            ("---\ntags:\n-\n- a\n-b\n- c\n---\n", ["a"]), ("--- \ntags: a\n---\t\n#b", ["a", "b"]), ("----\ntags: a\n---\n", []),
        ] as [(String, [String])])
    func tags_ofRareForms_areRead(text: String, tags: [String]) {
        #expect(Tags.of(bytes(text)) == tags.map { ByteString($0) })
    }

    @Test func amounts_mayEqualTheirLimit() {
        let limit = HoldingAmount(revisions: 3, bytes: 10)
        #expect(limit.isWithin(limit) && HoldingAmount().isWithin(limit))
        #expect(!HoldingAmount(revisions: 4, bytes: 0).isWithin(limit) && !HoldingAmount(revisions: 0, bytes: 11).isWithin(limit))
        #expect(limit + HoldingAmount(revisions: 1, bytes: 2) - limit == HoldingAmount(revisions: 1, bytes: 2))
    }

    @Test func revision_mayReachEachLimit() {
        func fault(
            parents: Int = 0, resolves: Int = 0, edits: Int = 0, user: Int = 1, label: Int? = nil, mark: Mark? = nil,
            reserved: Int = 0
        ) -> QuarantineReason? {
            func text(_ count: Int) -> ByteString { ByteString(String(repeating: "u", count: count)) }
            let edit = Edit(start: 0, end: 0, replacement: [])
            return AdoptionRules.fault(
                in: Revision(
                    note: noteID(1), dot: dot("A1"), parents: Version((0..<parents).map { Dot(replica("B"), UInt64($0 + 1)) }),
                    edits: Array(repeating: edit, count: edits), origin: .found,
                    resolves: (0..<resolves).map { ConflictID(high: 0, low: UInt64($0)) }, mark: mark,
                    author: Author(user: text(user), label: label.map(text)), time: Timestamp(milliseconds: 0),
                    reserved: [UInt8](repeating: 0, count: reserved)))
        }
        let rules = AdoptionRules.self
        #expect(fault(parents: rules.parentsMax) == nil && fault(parents: rules.parentsMax + 1) == .tooMany)
        #expect(fault(resolves: rules.resolvesMax) == nil && fault(resolves: rules.resolvesMax + 1) == .tooMany)
        #expect(fault(edits: rules.editsMax) == nil && fault(edits: rules.editsMax + 1) == .tooMany)
        #expect(fault(user: rules.authorBytesMax) == nil && fault(user: rules.authorBytesMax + 1) == .tooMany)
        #expect(fault(label: rules.authorBytesMax) == nil && fault(label: rules.authorBytesMax + 1) == .tooMany)
        let covered = Mark(.carrier, covers: (0...rules.coversMax).map { Dot(replica("B"), UInt64($0 + 1)) })
        #expect(fault(mark: covered) == .tooMany)
        #expect(fault(reserved: rules.reservedBytesMax) == nil && fault(reserved: rules.reservedBytesMax + 1) == .tooMany)
    }

    /// A revision with a mark stays in quarantine, whether or not its other fields fit.
    @Test func markedRevision_isNotAdopted() {
        func fault(
            _ kind: Mark.Kind, covers: [Dot] = [], edits: [Edit] = [], origin: EditOrigin = .stated,
            name: NameEdit = .unchanged, isTombstone: Bool = false, withdraws: [Dot] = []
        ) -> QuarantineReason? {
            AdoptionRules.fault(
                in: Revision(
                    note: noteID(1), dot: dot("A4"), parents: version("A3"), edits: edits, origin: origin, name: name,
                    isTombstone: isTombstone, withdraws: withdraws, mark: Mark(kind, covers: covers), author: ada,
                    time: Timestamp(milliseconds: 0)))
        }
        let edits = [Edit(start: 0, end: 0, replacement: bytes("x"))]
        let floor = Mark.Kind.floor(dot("A1"), RevisionHash(bits: 1))
        #expect(fault(.purge, name: .set(nil)) == .marked && fault(.purge, name: .set(nil), isTombstone: true) == .marked)
        #expect(fault(.purge) == .markWrites && fault(.purge, edits: edits, name: .set(nil)) == .markWrites)
        #expect(fault(.purge, name: .set(nil), withdraws: [dot("A2")]) == .markWrites)
        #expect(
            fault(floor) == .marked && fault(floor, name: .set(nil)) == .markWrites && fault(floor, edits: edits) == .markWrites)
        #expect(fault(.carrier, covers: [dot("B1")], edits: edits, origin: .found) == .marked)
        #expect(fault(.carrier, edits: edits, origin: .found) == .markWrites)
        #expect(fault(.carrier, covers: [dot("B1")], edits: edits) == .markWrites)
    }

    /// Parentheses in sequence are not nested.
    @Test func parentheses_areCountedByDepth() throws {
        let beside = Array(repeating: "(a)", count: SearchQuery.Limits.termsMax).joined(separator: " ")
        _ = try SearchQuery(parsing: ByteString(beside))
        let depth = SearchQuery.Limits.depthMax
        _ = try SearchQuery(
            parsing: ByteString(String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)))
        let deeper = String(repeating: "(", count: depth + 1) + "a" + String(repeating: ")", count: depth + 1)
        #expect(throws: SearchQueryFault.self) { _ = try SearchQuery(parsing: ByteString(deeper)) }
    }

    /// All ASCII letters, and none of their neighbours.
    @Test func words_endAtWhitespace() throws {
        func terms(_ query: String) throws -> Int {
            if case .all(let wanted, _) = try SearchQuery(parsing: ByteString(query)).root { wanted.count } else { 1 }
        }
        for space in ["\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{85}", "\u{A0}", "\u{2003}", "\u{3000}"] {
            #expect(try terms("a\(space)b") == 2, "\(space.unicodeScalars)")
        }
        for other in ["\u{8}", "\u{E}", "\u{1F}", "!", "\u{200B}"] {
            #expect(try terms("a\(other)b") == 1, "\(other.unicodeScalars)")
        }
        #expect(try terms("a AND b") == 2)
        #expect(try terms("-a b AND c") == 2)
    }

    @Test func filters_checkEachCondition() throws {
        var head = Head(
            id: noteID(1), name: name("work/inbox"), version: version("A1"), vector: VersionVector(), title: "", tags: ["todo"],
            created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0), author: ada, bytes: 0, isDeleted: false)
        #expect(Filter().matches(head) && !Filter(deleted: true).matches(head))
        #expect(Filter(prefix: "work/").matches(head) && !Filter(prefix: "home/").matches(head))
        #expect(Filter(ids: [noteID(1)]).matches(head) && !Filter(ids: [noteID(2)]).matches(head))
        #expect(Filter(tag: "todo").matches(head) && !Filter(tag: "done").matches(head))
        #expect(Filter(conflicted: false).matches(head) && !Filter(conflicted: true).matches(head))
        head.isDeleted = true
        #expect(!Filter().matches(head) && Filter(deleted: true).matches(head))
        head.name = nil
        #expect(!Filter(prefix: "", deleted: true).matches(head) && Filter(deleted: true).matches(head))
    }

    /// The first bytes of a SHA-256, in order.
    @Test func hashes_areTheFirstEightBytes() {
        #expect(RevisionHash(ofText: bytes("abc")) == RevisionHash(bits: 0xBA78_16BF_8F01_CFEA))
        #expect(RevisionHash(ofText: bytes("abc")).description == "ba7816bf8f01cfea")
    }

    /// A restored note has no name unless the restoring write sets one.
    @Test(arguments: [true, false]) func restoredNote_losesItsName(handsOutTails: Bool) {
        for write in ["edit", "save", "clear"] {
            var shelf = Shelf(handsOutTails: handsOutTails)
            let id = noteID(1)
            _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: "x", text: bytes("a\n"))))
            _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
            let base = version("A2")
            switch write {
            case "edit":
                let edit = PositionedEdit(start: 0, end: 0, text: bytes("b\n"))
                _ = shelf.apply(.editNote(EditNote(id: id, base: base, edits: [edit], encoding: .utf8)))
            case "clear": _ = shelf.apply(.saveNote(SaveNote(id: id, base: base, text: bytes("b\n"), name: .clear)))
            default: _ = shelf.apply(.saveNote(SaveNote(id: id, base: base, text: bytes("b\n"))))
            }
            let note = shelf.note(id)
            #expect(note?.isDeleted == false && note?.text == bytes("b\n"), "\(write)")
            #expect(note?.head.name == nil, "\(write)")
        }
    }
}
