import Causality
import Dependents
import Dispatch
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesEngine

/// Offers of revisions that wait until another thread has loaded a note. The tests suspend that thread's
/// queue, so they determine what happens meanwhile.
@Suite struct LongAdoptionTests {
    /// An engine with two notes of three revisions, for which every load is long.
    private func harness() async -> Harness {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: -1))
        _ = await harness.register(1)
        _ = await harness.register(2)
        for (number, first) in [(UInt64(1), 1), (2, 4)] {
            _ = await harness.ask(one, .write(create(noteID(number), "1\n")))
            _ = await harness.ask(one, .write(save(noteID(number), "1\n2\n", on: version("A\(first)"))))
            _ = await harness.ask(
                one, .write(save(noteID(number), "1\n2\n3\n", on: version("A\(first + 1)"))))
        }
        return harness
    }

    /// Revisions of another store, which begin the two notes, and a third note before and after.
    private var offer: [LinkedRevision] {
        linked(
            [(UInt64(3), "C1"), (1, "C2"), (2, "C3"), (4, "C4")].map { note, name in
                Revision(
                    note: noteID(note), dot: dot(name), parents: .nothing,
                    edits: [Edit(start: 0, end: 0, replacement: bytes("\(name)\n"))], origin: .stated, author: ada,
                    time: Timestamp(milliseconds: 1))
            })
    }

    private func adopt(_ revisions: [LinkedRevision]) -> Request.Body {
        .adopt(OfferedRevisions(revisions: revisions, unreadable: [9]))
    }

    /// Each revision that goes far back takes a walk, and the offer is answered as a whole.
    @Test func saveDuringAnOffer_isAnsweredFirst() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send(bodies: [(one, adopt(offer)), (one, .call(.status))])
        let saved = await harness.ask(two, .write(save(noteID(1), "1\n2\n3\n4\n", on: version("A3"))))
        #expect(saved?.outcome?.kind == .saved)
        #expect(sent.allSatisfy { !harness.answered.contains($0) })
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter(sent.contains) == sent)
        let responses = await harness.finish()
        guard case .adopted(let report, unreadable: [9]) = responses[sent[0]] else {
            Issue.record("not adopted: \(String(describing: responses[sent[0]]))")
            return
        }
        #expect(report.committed == offer.map(\.dot) && report.known == 0 && report.waiting.isEmpty)
    }

    @Test func notesAreThoseOfAnEngineWithoutWalks() async throws {
        var texts: [[[UInt8]?]] = []
        for walk in [-1, 64] {
            var harness = Harness(
                journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: walk))
            _ = await harness.register(1)
            _ = await harness.ask(one, .write(create(noteID(1), "1\n")))
            _ = await harness.ask(one, .write(save(noteID(1), "1\n2\n", on: version("A1"))))
            // Twice: the second time, all of them are known.
            for known in [0, offer.count] {
                guard case .adopted(let report, unreadable: _) = await harness.ask(one, body: adopt(offer)) else {
                    Issue.record("not adopted")
                    return
                }
                #expect(report.known == known && report.committed.count == offer.count - known)
            }
            var shown: [[UInt8]?] = []
            for note in [UInt64(1), 2, 3, 4] { shown.append(await harness.ask(one, .get(GetNote(.id(noteID(note)))))?.text) }
            texts.append(shown)
            _ = await harness.finish()
        }
        #expect(texts[0] == texts[1] && texts[0].allSatisfy { $0 != nil })
    }

    /// The connection ends while its offer waits. What was committed stays, and the peer offers again.
    @Test func theEndOfTheConnection_dropsTheRest() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        _ = harness.send(bodies: [(one, adopt(offer))])
        _ = await harness.ask(two, .listDependents)
        harness.engine.submit([.released(one)])
        _ = await harness.ask(two, .listDependents)
        harness.engine.walkWorker.queue.resume()
        guard case .adopted(let report, unreadable: _) = await harness.ask(two, body: adopt(offer)) else {
            Issue.record("not adopted")
            return
        }
        #expect(report.known == 1 && report.committed == offer.dropFirst().map(\.dot))
        _ = await harness.finish()
    }

    /// An offer needs one walk for each of its notes, and none of them is on the engine's thread.
    @Test func eachNoteOfAnOffer_isWalkedElsewhere() async throws {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: -1))
        _ = await harness.register(1)
        _ = await harness.register(2)
        let count = UInt64(LongReads.loadsMax + 4)
        for number in 1...count { _ = await harness.ask(one, .write(create(noteID(number), "1\n"))) }
        let revisions = linked(
            (1...count).map { number in
                Revision(
                    note: noteID(number), dot: dot("C\(number)"), parents: .nothing,
                    edits: [Edit(start: 0, end: 0, replacement: bytes("\(number)\n"))], origin: .stated, author: ada,
                    time: Timestamp(milliseconds: 1))
            })
        let queue = harness.engine.walkWorker.queue
        queue.suspend()
        let sent = harness.send(bodies: [(one, adopt(revisions))])
        for _ in 0..<LongReads.loadsMax + 2 {
            try await harness.executeWalkStep()
            _ = await harness.ask(two, .listDependents)
        }
        #expect(!harness.answered.contains(sent[0]), "a walk was not the worker's")
        queue.resume()
        _ = await harness.ask(one, .listDependents)
        guard case .adopted(let report, unreadable: [9]) = await harness.finish()[sent[0]] else {
            Issue.record("not adopted")
            return
        }
        #expect(report.committed == revisions.map(\.dot))
    }
}
