import Causality
import NotesEngine
import NotesModel
import TestKit
import Testing

/// The contents of a conflict's sides.
@Suite struct ConflictSidesTests {
    /// Two writes conflict: one adds a line before `f`, the other joins `f` and `g`. A third, based
    /// on the first of them, separates those two again; the conflict is the same, and its range one
    /// line shorter.
    @Test func shorterRange_hasShorterSides() async throws {
        let id = noteID(1)
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(id, "e\nf\ng\n")))
        _ = await harness.ask(one, .write(save(id, "e\nX\nf\ng\n", on: version("A1"))))
        _ = await harness.ask(
            one, .write(edit(id, PositionedEdit(start: 3, end: 4, text: []), on: version("A1"))))
        let wide = try #require(await conflict(of: id, at: nil, &harness))
        #expect(wide == ["X\nfg\n", "f\ng\n", "X\nf\ng\n", "fg\n"])
        _ = await harness.ask(
            one, .write(edit(id, PositionedEdit(start: 5, end: 5, text: bytes("\n")), on: version("A2"))))
        #expect(await conflict(of: id, at: nil, &harness) == ["X\nf\n", "f\n", "X\nf\n", "f"])
        #expect(await conflict(of: id, at: version("A2", "A3"), &harness) == wide)
    }

    private func edit(_ id: NoteID, _ edit: PositionedEdit, on base: Version) -> Command {
        .editNote(EditNote(id: id, base: base, edits: [edit], encoding: .utf8))
    }

    /// The note's only conflict: its range, its base and its sides.
    private func conflict(of id: NoteID, at version: Version?, _ harness: inout Harness) async -> [String]? {
        guard case .note(let note)? = await harness.ask(one, .get(GetNote(.id(id), at: version))) else { return nil }
        guard let detail = note.conflicts.first, note.conflicts.count == 1 else { return nil }
        let range = detail.conflict.start.utf8..<detail.conflict.end.utf8
        let contents = [.text(Array(note.text[range])), detail.base] + detail.sides.map(\.content)
        return contents.map { content in
            if case .text(let text)? = content { String(decoding: text, as: UTF8.self) } else { "" }
        }
    }
}
