import Causality
import Dependents
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing

/// A corrupt row affects only the requests that read it.
@Suite struct CorruptRowTests {
    private let id = noteID(1)

    /// A note that two wrote at once and one saw both, and another note.
    private func store() async throws -> (folder: TemporaryDirectory, cursor: Cursor) {
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        _ = await site.write(create(id, "one\ntwo\n"))  // A1
        _ = await site.write(save(id, "one\ntwo\nthree\n", on: version("A1")))  // A2
        _ = await site.write(save(id, "0\none\ntwo\n", on: version("A1")))  // A3
        let tail = WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: true)
        guard case .watching(_, let cursor, _) = await site.harness.ask(one, .watch(tail)) else { throw Unwatched() }
        _ = await site.write(save(id, "0\none\ntwo\nthree\n4\n", on: version("A2", "A3")))  // A4
        _ = await site.write(create(noteID(2), "else\n"))  // A5
        await site.stop()
        return (folder, cursor)
    }

    private struct Unwatched: Error {}

    /// No client requested the text at the compaction floor: its corruption ends the pass, and
    /// nothing else.
    @Test func corruptTextAtFloor_endsOnlyThePass() async throws {
        let (folder, _) = try await store()
        try folder.damage("UPDATE revision SET text = x'30' WHERE sequence = 4")
        var site = try await Site(folder, as: replica("B"), configuration: EngineConfiguration(history: .keepDays(0)))
        site.engine.submit([.tick(seconds: 0)])
        while try await site.engine.isCompacting() {}
        #expect(await site.harness.ask(one, .get(GetNote(.id(id))))?.failure != nil)
        #expect(await site.text(noteID(2)) == "else\n")
        #expect(await site.write(create(noteID(3), "new\n"))?.isCreated == true)
        #expect(site.harness.failure == nil)
        await site.stop()
    }

    /// The hash of a child includes that of its parent, so nothing is based on a row whose hash is
    /// corrupt, and such a row is not sent.
    @Test func corruptHash_isRefusedAsBase() async throws {
        let (folder, _) = try await store()
        try folder.damage("UPDATE revision SET hash = hash + 1 WHERE sequence = 4")
        var site = try await Site(folder, as: replica("B"))
        #expect(await site.write(save(id, "new\n", on: version("A4")))?.failure != nil)
        let page = try await site.missing(by: DotSet())
        #expect(page.gone.contains(dot("A4")))
        let based = page.revisions.filter { revision in revision.content.parents.dots.contains(dot("A4")) }
        #expect(based.isEmpty)
        #expect(!page.revisions.isEmpty)
        #expect(await site.write(create(noteID(3), "new\n"))?.isCreated == true)
        await site.stop()
    }

    /// A watch with edits gets the whole text if the client's earlier text cannot be read. If the
    /// watch were cut short instead, the test would wait until its time limit.
    @Test(.timeLimit(.minutes(1))) func corruptBaseOfEdits_isReplacedByText() async throws {
        let (folder, cursor) = try await store()
        try folder.damage("UPDATE merged SET chain = chain + 1 WHERE sequence = 3")
        var site = try await Site(folder, as: replica("B"))
        let watch = WatchNotes(filter: Filter(ids: [id]), include: .edits, since: cursor, snapshot: false, echo: true)
        guard case .watching(_, _, isReset: false) = await site.harness.ask(one, .watch(watch)) else { throw Unwatched() }
        _ = await site.harness.notification(one) { if case .synced = $0.event { true } else { false } }
        var lines = 0
        for case .changed(let line) in site.harness.notifications[one, default: []].flatMap(\.each).map(\.event) {
            lines += 1
            #expect(line.base == nil && line.state.text == bytes("0\none\ntwo\nthree\n4\n"))
        }
        #expect(lines == 1 && site.harness.failure == nil)
        await site.stop()
    }

    /// If a row that every response depends on is corrupt, the daemon exits with a message.
    @Test func corruptSharedTable_endsTheDaemon() async throws {
        let (folder, _) = try await store()
        try folder.damage("DELETE FROM incarnation")
        var site = try await Site(folder, as: replica("B"))
        let watch = WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: true)
        _ = await site.harness.ask(one, .watch(watch))
        #expect(site.harness.failure?.contains("the store is damaged") == true, "\(site.harness.failure ?? "it goes on")")
        await site.stop()
    }
}
