import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing
import TextMerge

/// The list of the revisions that wait or were not accepted, and their removal.
@Suite struct HeldTests {
    private let id = noteID(1)

    private func revision(_ made: String, on parents: Version, _ text: String = "x") -> LinkedRevision {
        linked([
            Revision(
                note: id, dot: dot(made), parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes(text))],
                origin: .stated, author: ada, time: Timestamp(milliseconds: 7))
        ])[0]
    }

    /// A store with a note, two contents that were not accepted, which have the dot of its revision, and two
    /// revisions that wait.
    private func site() async throws -> Site {
        var site = try await Site(as: replica("A"))
        _ = await site.write(create(id, "one\n"))  // A1
        let long = String(repeating: "é", count: 150)
        let report = try await site.adopt([
            revision("A1", on: .nothing, long), revision("A1", on: .nothing, "other"), revision("C3", on: version("C2")),
            revision("C5", on: version("C4")),
        ])
        #expect(report.quarantined.map(\.dot) == [dot("A1"), dot("A1")] && report.waiting == [dot("C3"), dot("C5")])
        return site
    }

    private func page(_ site: inout Site, _ list: ListHeld) async throws -> HeldPage {
        guard case .held(let page) = await site.harness.ask(one, .listHeld(list)) else { throw NoPage() }
        return page
    }

    private struct NoPage: Error {}

    @Test(arguments: 1...5)
    func pages_haveEachRevisionOnce_quarantinedFirst(limit: Int) async throws {
        var site = try await site()
        var (found, list): ([HeldRevision], ListHeld) = ([], ListHeld(limit: limit))
        repeat {
            let page = try await page(&site, list)
            #expect(page.quarantined == 2 && page.waiting == 2 && page.revisions.count <= limit)
            found += page.revisions
            list.after = page.next
        } while list.after != nil
        #expect(found.map(\.dot) == [dot("A1"), dot("A1"), dot("C3"), dot("C5")])
        let taken = "this store has other content under its dot"
        #expect(found.map(\.reason) == [taken, taken, nil, nil] && found.allSatisfy { $0.note == id && $0.author == ada })
        // A list shows the beginning of a text, without a part of a character.
        #expect(found[0].inserts.description == String(repeating: "é", count: 100) && found[0].bytes == 300)
        await site.stop()
    }

    @Test func revisionsOfADot_areShownWithTheirWholeTexts() async throws {
        var site = try await site()
        let page = try await page(&site, ListHeld(dot: dot("A1")))
        #expect(page.revisions.map(\.inserts.description) == [String(repeating: "é", count: 150), "other"])
        #expect(try await self.page(&site, ListHeld(dot: dot("C3"))).revisions.map(\.dot) == [dot("C3")])
        #expect(try await self.page(&site, ListHeld(dot: dot("C4"))).revisions.isEmpty)
        await site.stop()
    }

    /// A dropped revision is gone after a restart, too, and is held again if a peer offers it again. The
    /// note's own revision with the dot stays.
    @Test func droppedRevision_isGone_untilAPeerOffersItAgain() async throws {
        var site = try await Site(try TemporaryDirectory(), as: replica("A"))
        _ = await site.write(create(id, "one\n"))  // A1
        let offered = [
            revision("A1", on: .nothing, "other"), revision("C3", on: version("C2")), revision("C5", on: version("C4")),
        ]
        _ = try await site.adopt(offered)
        let drop = Call.dropHeld([dot("A1"), dot("C3"), dot("C3"), dot("D9")])
        guard case .heldDropped(2) = await site.harness.ask(one, drop) else {
            Issue.record("not dropped")
            return
        }
        for replica in [replica("B"), replica("D")] {
            let page = try await page(&site, ListHeld())
            #expect(page.revisions.map(\.dot) == [dot("C5")] && page.quarantined == 0 && page.waiting == 1)
            #expect(await site.text(id) == "one\n")
            try await site.restart(as: replica)
        }
        guard case .audited(let audited) = await site.harness.ask(one, .audit) else { return }
        #expect(audited.findings.isEmpty && audited.quarantined.isEmpty && audited.heldRevisions == 1)
        let again = try await site.adopt(offered)
        #expect(again.quarantined.map(\.dot) == [dot("A1")] && again.waiting == [dot("C3"), dot("C5")])
        await site.stop()
    }
}
