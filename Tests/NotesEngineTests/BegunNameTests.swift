import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing

/// The name of a note that a store took at its compaction floor.
@Suite struct BegunNameTests {
    private let id = noteID(1)

    private func site(_ isOnDisk: Bool, _ name: Character) async throws -> Site {
        try await Site(
            isOnDisk ? TemporaryDirectory() : nil, as: replica(name), configuration: EngineConfiguration(history: .keepDays(0)))
    }

    /// A1 creates the note, A2 names it, A3 changes it, and A4 undoes A3 and is the floor.
    @Test(arguments: [false, true])
    func nameBelowAnUndo_isThatOfItsPast(isOnDisk: Bool) async throws {
        var (a, c) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "C"))
        _ = await a.write(create(id, "a\n"))
        _ = await a.write(.saveNote(SaveNote(id: id, base: version("A1"), text: nil, name: .set("n"))))
        _ = await a.write(save(id, "a\nb\n", on: version("A2")))
        _ = await a.write(.undoNote(UndoNote(id: id, base: version("A3"), revisions: [dot("A3")])))
        a.engine.submit([.tick(seconds: 86_400)])
        while try await a.engine.isCompacting() {}
        let page = try await a.missing(by: DotSet())
        #expect(page.beginnings.map(\.dot) == [dot("A4")])
        _ = try await c.adopt(page.revisions, beginnings: page.beginnings)
        #expect(await c.note(id)?.head.name?.description == "n")
        guard case .audited(let report) = await c.harness.ask(one, .audit) else {
            Issue.record("the store cannot be audited")
            return
        }
        #expect(report.findings.isEmpty)
        await a.stop()
        await c.stop()
    }
}
