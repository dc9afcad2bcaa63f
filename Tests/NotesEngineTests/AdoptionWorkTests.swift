import Causality
import Dependents
import NoteText
import NotesMethods
import NotesModel
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesEngine

/// Offers whose revisions cost more than one turn may take, because their note has many newest revisions.
@Suite struct AdoptionWorkTests {
    private let id = noteID(3)

    /// A note of another store with siblings that all change its only line: 30 saves, names and deletions.
    private func siblings(_ random: inout SeededGenerator) -> [LinkedRevision] {
        let root = Revision(
            note: id, dot: dot("C1"), parents: .nothing, edits: [Edit(start: 0, end: 0, replacement: bytes("root\n"))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: 1))
        let others = (2...31).map { number in
            let kind = random.below(3)
            return Revision(
                note: id, dot: dot("C\(number)"), parents: version("C1"),
                edits: kind == 0 ? [Edit(start: 0, end: 4, replacement: bytes("r\(number)"))] : [],
                origin: .found, name: kind == 1 ? .set(try? NoteName(ByteString("n\(number)"))) : .unchanged,
                isTombstone: kind == 2, author: ada, time: Timestamp(milliseconds: 2))
        }
        return linked([root] + others)
    }

    private func harness(workMax: Int) async -> Harness {
        var configuration = EngineConfiguration()
        configuration.adoptedWorkMax = workMax
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        for connection in [1, 2] as [UInt64] { _ = await harness.register(connection) }
        return harness
    }

    /// The note after all waiting revisions were committed.
    private func shown(_ harness: inout Harness) async throws -> (head: Head, text: [UInt8])? {
        try await harness.released()
        guard case .note(let note) = await harness.ask(two, .get(GetNote(.id(id)))) else { return nil }
        return (note.head, note.text)
    }

    @Test func others_areAnsweredBetweenTheTurns() async throws {
        var random = SeededGenerator(seed: 1)
        var harness = await harness(workMax: 8)
        let offer = siblings(&random)
        let adopt = Request.Body.adopt(OfferedRevisions(revisions: offer, unreadable: []))
        let sent = harness.send(bodies: [(one, adopt), (one, .call(.status)), (two, .call(.status))])
        _ = await harness.ask(one, .status)
        #expect(harness.answered.filter(sent.contains) == [sent[2], sent[0], sent[1]])
        let responses = await harness.finish()
        guard case .adopted(let report, unreadable: _) = responses[sent[0]] else {
            Issue.record("not adopted: \(String(describing: responses[sent[0]]))")
            return
        }
        #expect(report.committed == offer.map(\.dot) && report.known == 0 && report.waiting.isEmpty)
    }

    /// Whatever the order and the work of a turn, the note is the same, and each revision is committed once.
    @Test(arguments: seeds(20))
    func notesAreThoseOfOneTurn(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var offer = siblings(&random)
        var whole = await harness(workMax: .max)
        _ = await whole.ask(one, body: .adopt(OfferedRevisions(revisions: offer, unreadable: [])))
        let expected = try #require(try await shown(&whole))
        if random.chance(0.7) { offer.shuffle(using: &random) }
        var harness = await harness(workMax: 1 + random.below(40))
        while !offer.isEmpty {
            let part = Array(offer.prefix(1 + random.below(offer.count)))
            offer.removeFirst(part.count)
            _ = await harness.ask(one, body: .adopt(OfferedRevisions(revisions: part, unreadable: [])))
        }
        let found = try #require(try await shown(&harness))
        #expect(found == expected, "seed \(seed)")
        #expect(try await harness.knownDots().count == 31, "seed \(seed)")
        guard case .status(let status) = await harness.ask(one, .status) else {
            Issue.record("no status")
            return
        }
        #expect(status.store.revisions == 31, "seed \(seed)")
        for var each in [whole, harness] { _ = await each.finish() }
    }
}
