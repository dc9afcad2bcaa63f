import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing
import TextMerge

/// Undo through the engine and the store, with restarts, compaction and names of operations.
@Suite struct UndoTests {
    private let id = noteID(1)

    private func undo(_ names: String..., on base: Version) -> Command {
        .undoNote(UndoNote(id: id, base: base, revisions: names.map { dot($0) }))
    }

    private func audit(_ site: inout Site) async throws -> [String] {
        guard case .audited(let report) = await site.harness.ask(one, .audit) else { throw RequestFailure.shuttingDown }
        return report.findings.map(\.what)
    }

    private func history(_ site: inout Site) async -> [String] {
        guard case .history(let revisions, _) = await site.harness.ask(one, .history(ReadHistory(id: id, limit: 9, before: nil)))
        else { return [] }
        return revisions.map { revision in
            let names = revision.withdraws.map { "\($0.counter)" }.joined(separator: " ")
            return "\(revision.dot.counter)" + (names.isEmpty ? "" : " undoes \(names)")
                + (revision.isWithdrawn ? ", undone" : "")
        }
    }

    @Test(arguments: [false, true])
    func undoAndRedo_surviveARestart(isOnDisk: Bool) async throws {
        var site = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"))
        _ = await site.write(create(id, "1\n"))
        for number in 2...4 { _ = await site.write(save(id, "1\n" + "\(number)\n", on: version("A\(number - 1)"))) }
        #expect(await site.write(undo("A3", on: version("A4")))?.outcome?.shown?.conflicts.count == 1)
        #expect(await site.write(undo("A4", on: version("A5")))?.outcome?.shown?.text == bytes("1\n2\n"))
        #expect(await site.write(undo("A5", "A6", on: version("A6")))?.outcome?.shown?.text == bytes("1\n4\n"))
        #expect(await site.write(undo("A7", on: version("A7")))?.outcome?.shown?.text == bytes("1\n2\n"))
        let all = ["8 undoes 7", "7 undoes 5 6, undone", "6 undoes 4", "5 undoes 3", "4, undone", "3, undone", "2", "1"]
        #expect(await history(&site) == all)
        try await site.restart(as: replica("B"))
        #expect(await site.text(id) == "1\n2\n")
        #expect(await history(&site) == all)
        let newest = await site.note(id)?.head.version ?? .nothing
        _ = await site.write(save(id, "1\n2\n3\n", on: newest))
        #expect(await site.text(id) == "1\n2\n3\n")
        let read = await site.harness.ask(one, .get(GetNote(.id(id), at: version("A5"))))
        #expect(read?.text == bytes("1\n4\n2\n"), "what was shown stays readable")
        #expect(try await audit(&site) == [])
        await site.stop()
    }

    @Test(arguments: [false, true])
    func compaction_keepsWhatALaterUndoNames(isOnDisk: Bool) async throws {
        let configuration = EngineConfiguration(history: .keepDays(0))
        var site = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"), configuration: configuration)
        _ = await site.write(create(id, "1\n"))
        for number in 2...5 {
            _ = await site.write(save(id, (1...number).map { "\($0)\n" }.joined(), on: version("A\(number - 1)")))
        }
        _ = await site.write(undo("A3", on: version("A5")))
        _ = await site.write(save(id, "1\n2\n3\n4\n5\n6\n", on: version("A5")))
        site.engine.submit([.tick(seconds: 86_400)])
        while try await site.engine.isCompacting() {}
        // The floor is below A3, since A6, which undoes it, is above the floor.
        #expect(await site.text(id) == "1\n2\n4\n5\n6\n")
        #expect(await site.write(undo("A6", on: version("A6", "A7")))?.outcome?.shown?.text == bytes("1\n2\n3\n4\n5\n6\n"))
        #expect(try await audit(&site) == [])
        let gone = await site.write(undo("A2", on: version("A8")))?.rejection
        #expect(gone == .revisionGone(version("A2"), oldest: dot("A2")))
        await site.stop()
    }

    @Test(arguments: [false, true])
    func compaction_afterAnUndoneRenaming_passesTheAudit(isOnDisk: Bool) async throws {
        let configuration = EngineConfiguration(history: .keepDays(0))
        var site = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"), configuration: configuration)
        _ = await site.write(create(id, "1\n", name: "a"))
        _ = await site.write(.saveNote(SaveNote(id: id, base: version("A1"), text: nil, name: .set("b"))))
        _ = await site.write(undo("A2", on: version("A2")))
        _ = await site.write(save(id, "1\n2\n", on: version("A3")))
        site.engine.submit([.tick(seconds: 86_400)])
        while try await site.engine.isCompacting() {}
        #expect(await site.note(id)?.head.name?.description == "a")
        #expect(try await audit(&site) == [])
        await site.stop()
    }

    /// A conflict stays open under its id while the undo of one side puts an older revision in its
    /// place.
    @Test func undoOfASide_showsTheSidesThatCount() async throws {
        var site = try await Site(TemporaryDirectory(), as: replica("A"))
        _ = await site.write(create(id, "A\n"))
        _ = await site.write(save(id, "", on: version("A1")))
        _ = await site.write(save(id, "B\n", on: version("A1")))
        _ = await site.write(save(id, "C\n", on: version("A2")))
        _ = await site.write(.deleteNote(DeleteNote(id: id, base: version("A2", "A3"))))
        #expect(await site.note(id)?.conflicts.count == 2)
        _ = await site.write(undo("A4", "A5", on: version("A4", "A5")))
        let conflicts = await site.note(id)?.conflicts
        #expect(conflicts?.map { $0.sides.map(\.dot) } == [[dot("A2"), dot("A3")]])
        #expect(conflicts?.first?.sides.map(\.content) == [.text([]), .text(bytes("B\n"))])
        try await site.restart(as: replica("B"))
        #expect(await site.note(id)?.conflicts == conflicts)
        await site.stop()
    }

    @Test func operationNames_denoteTheirWrites() async throws {
        var site = try await Site(TemporaryDirectory(), as: replica("A"))
        _ = await site.write(create(id, "1\n"))
        _ = await site.harness.ask(one, .write(save(id, "1\n2\n", on: version("A1")), operation: "add"))
        let undone = Command.undoNote(UndoNote(id: id, base: version("A2"), revisions: [], ops: ["add"]))
        let first = await site.harness.ask(one, .write(undone, operation: "undo"))
        #expect(first?.outcome?.shown?.text == bytes("1\n"))
        let again = await site.harness.ask(one, .write(undone, operation: "undo"))
        #expect(again?.isReplay == true && again?.outcome?.shown?.sent == bytes("1\n2\n"))
        #expect(again?.outcome?.shown?.text == bytes("1\n") && again?.outcome?.dot == first?.outcome?.dot)
        let unknown = Command.undoNote(UndoNote(id: id, base: version("A2"), revisions: [], ops: ["add", "other"]))
        #expect(await site.write(unknown)?.rejection == .unknownOperation(index: 1))
        await site.stop()
    }

    /// An undo in the same batch as the writes that it names, one of which left the note unchanged.
    @Test func operationNamesOfTheSameBatch_denoteTheirWrites() async throws {
        var site = try await Site(TemporaryDirectory(), as: replica("A"))
        _ = await site.write(create(id, "1\n"))
        let named = UndoNote(id: id, base: version("A2"), revisions: [], ops: ["same", "add"])
        let responses = await site.harness.ask([
            (one, .write(save(id, "1\n", on: version("A1")), operation: "same")),
            (one, .write(save(id, "1\n2\n", on: version("A1")), operation: "add")),
            (one, .write(.undoNote(named))),
        ])
        #expect(responses.compactMap(\.outcome?.kind) == [.unchanged, .saved, .saved])
        #expect(responses.last?.outcome?.shown?.text == bytes("1\n"))
        await site.stop()
    }
}
