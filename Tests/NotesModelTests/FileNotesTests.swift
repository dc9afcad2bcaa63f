import Causality
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

/// Notes whose content is bytes.
@Suite struct FileNotesTests {
    private func content(_ number: Int) throws -> FileContent {
        FileContent(hash: try #require(FileHash(bytes: [UInt8(number)] + [UInt8](repeating: 7, count: 31))), bytes: number)
    }

    private func accepted(_ step: WorkingCopy.Step) throws -> Accepted {
        guard case .accepted(let accepted) = step else { throw Refused(step: "\(step)") }
        return accepted
    }

    private struct Refused: Error { let step: String }

    private func refusal(_ step: WorkingCopy.Step) -> Rejection? {
        if case .refused(let rejection) = step { rejection } else { nil }
    }

    private func shelf(with file: FileContent, name: ByteString? = "a.png") throws -> (Shelf, Version) {
        var shelf = Shelf(handsOutTails: false)
        let create = CreateNote(id: noteID(1), isIDChosen: true, name: name, text: [], file: file)
        let version = Version(try accepted(shelf.apply(.createNote(create))).revision.dot)
        return (shelf, version)
    }

    @Test func file_isATextWithAPointerLine() throws {
        let (shelf, _) = try shelf(with: try content(3))
        let note = try #require(shelf.note(noteID(1)))
        #expect(note.head.file == (try content(3)) && note.head.kind == .file)
        #expect(note.text == (try content(3)).line + bytes("\n"))
        #expect(!Filter().matches(note.head) && Filter(kind: .file).matches(note.head) && Filter(kind: nil).matches(note.head))
    }

    @Test func sameContent_isUnchanged_andKindsStay() throws {
        var (shelf, first) = try shelf(with: try content(3))
        let same = shelf.apply(.saveNote(SaveNote(id: noteID(1), base: first, file: try content(3))))
        guard case .unchanged = same else { throw Refused(step: "\(same)") }
        #expect(refusal(shelf.apply(.saveNote(SaveNote(id: noteID(1), base: first, text: bytes("text"))))) == .wrongKind)
        let line = try content(4).line
        #expect(refusal(shelf.apply(.saveNote(SaveNote(id: noteID(1), base: first, text: line + bytes("\n"))))) == .wrongKind)
        let edit = PositionedEdit(start: 0, end: 1, text: bytes("N"))
        #expect(refusal(shelf.apply(.editNote(EditNote(id: noteID(1), base: first, edits: [edit])))) == .wrongKind)
        #expect(
            refusal(shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: line)))) == .wrongKind)
        let text = try accepted(
            shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: nil, text: bytes("a\n") + line))))
        #expect(text.after.kind == .text, "a text may quote a pointer line")
        let version = Version(text.revision.dot)
        #expect(refusal(shelf.apply(.saveNote(SaveNote(id: noteID(2), base: version, file: try content(3))))) == .wrongKind)
        #expect(refusal(shelf.apply(.saveNote(SaveNote(id: noteID(2), base: version, text: line)))) == .wrongKind)
    }

    @Test func description_mergesWithNewContent() throws {
        var (shelf, first) = try shelf(with: try content(3))
        let described = try content(3).line + bytes("\n\nthe garden #may\n")
        _ = try accepted(shelf.apply(.saveNote(SaveNote(id: noteID(1), base: first, text: described))))
        _ = try accepted(shelf.apply(.saveNote(SaveNote(id: noteID(1), base: first, file: try content(4)))))
        let note = try #require(shelf.note(noteID(1)))
        #expect(FileContent.all(of: note.text) == [try content(4)])
        #expect(note.head.tags == ["may"])
    }

    @Test func deletedFile_isRestoredByAContent_orAText() throws {
        for isFile in [true, false] {
            var (shelf, first) = try shelf(with: try content(3))
            let deletion = try accepted(shelf.apply(.deleteNote(DeleteNote(id: noteID(1), base: first))))
            let save = SaveNote(
                id: noteID(1), base: Version(deletion.revision.dot), text: isFile ? nil : bytes("text"),
                file: isFile ? try content(4) : nil)
            let restored = try accepted(shelf.apply(.saveNote(save)))
            #expect(restored.after.file == (isFile ? try content(4) : nil) && !restored.after.isDeleted)
        }
    }

    /// What is shown is what a register with several values would show: each content that no other content has seen.
    /// Two people who settle a file differently both keep theirs.
    @Test(arguments: seeds(60)) func contents_areThoseOfARegister(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (shelf, first) = try shelf(with: try content(0))
        var pasts: [Dot: Set<Dot>] = [:]
        var written: [Dot: FileContent] = [:]
        let creation = try #require(first.dots.first)
        pasts[creation] = [creation]
        written[creation] = try content(0)
        var versions = [first]
        for step in 1..<14 {
            let base = random.pick(versions)
            var note = try #require(shelf.note(noteID(1)))
            let current = note.text(at: base)
            var save = SaveNote(id: noteID(1), base: base)
            switch random.below(6) {
            case 0: save.name = .set(ByteString("n\(step)"))
            case 1: save.text = current + bytes("caption \(step)\n")
            // Few contents, so that equal ones meet.
            default: save.file = try content(1 + random.below(5))
            }
            let result = shelf.apply(.saveNote(save))
            guard case .accepted(let accepted) = result else { continue }
            let dot = accepted.revision.dot
            pasts[dot] = base.dots.reduce(into: [dot]) { $0.formUnion(pasts[$1] ?? []) }
            written[dot] = save.file
            versions += [Version(dot), accepted.after.version]
            for version in versions.suffix(2) {
                let past = version.dots.reduce(into: Set<Dot>()) { $0.formUnion(pasts[$1] ?? []) }
                let register = past.filter { one in
                    written[one] != nil && !past.contains { $0 != one && written[$0] != nil && pasts[$0]?.contains(one) == true }
                }
                note = try #require(shelf.note(noteID(1)))
                let shown = FileContent.all(of: note.text(at: version))
                #expect(Set(shown) == Set(register.compactMap { written[$0] }), "seed \(seed), step \(step)")
                #expect(!shown.isEmpty, "seed \(seed)")
            }
        }
    }
}
