import Causality
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

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

    /// One writer types in the lines of an open conflict, divides and joins them, and takes back what was
    /// typed. The sides that the engine keeps in memory are those that a walk finds.
    @Test(arguments: seeds(12))
    func sidesInMemory_areThoseOfAWalk(seed: UInt64) async throws {
        let id = noteID(1)
        var generator = SeededGenerator(seed: seed)
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        // Of a line that was joined, only the line feed belongs to the conflict.
        let (saved, stated) =
            seed % 2 == 0
            ? ("e\nX\nf\ng\n", PositionedEdit(start: 3, end: 4, text: []))
            : ("e\nFF\ng\n", PositionedEdit(start: 3, end: 3, text: bytes("Y")))
        _ = await harness.ask(one, .write(create(id, "e\nf\ng\n")))
        _ = await harness.ask(one, .write(save(id, saved, on: version("A1"))))
        _ = await harness.ask(one, .write(edit(id, stated, on: version("A1"))))
        var open = 0
        for number in 0..<20 {
            guard let (text, base) = await shown(id, &harness) else { break }
            let start = generator.below(text.count)
            let isInsertion = number == 0 || generator.chance(0.8)
            let typed = PositionedEdit(
                start: start, end: isInsertion ? start : start + 1,
                text: bytes(isInsertion ? generator.pick(["x", "yy", "\n"]) : ""))
            _ = await harness.ask(one, .write(edit(id, typed, on: base)))
            let inMemory = await conflict(of: id, at: nil, &harness)
            try await harness.engine.runOnEngine { engine throws(JournalError) in
                engine.noteCache.forget(id)
                engine.noteCache.dropTexts(of: id)
            }
            #expect(await conflict(of: id, at: nil, &harness) == inMemory, "seed \(seed), after \(typed) of \(string(text))")
            if inMemory != nil { open += 1 }
        }
        #expect(open > 0, "seed \(seed)")
    }

    private func shown(_ id: NoteID, _ harness: inout Harness) async -> (text: [UInt8], version: Version)? {
        guard case .note(let note)? = await harness.ask(one, .get(GetNote(.id(id)))) else { return nil }
        return (note.text, note.head.version)
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
