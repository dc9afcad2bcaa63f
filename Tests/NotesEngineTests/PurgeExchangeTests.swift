import Causality
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing
import TextMerge

/// Exchange of a purged store with stores that do not know the purge: nothing erased is sent, everything
/// else arrives, and no revision is lost without being counted.
@Suite struct PurgeExchangeTests {
    private let id = noteID(1)
    private let other = noteID(2)
    private let secret = "hunter2"

    private func site(_ isOnDisk: Bool, _ name: Character) async throws -> Site {
        try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica(name))
    }

    private func page(_ site: Site, lacking known: DotSet = DotSet()) async throws -> MissingRevisions {
        try await site.missing(by: known)
    }

    private func known(_ site: inout Site) async -> KnownRevisions? {
        guard case .knownRevisions(let known) = await site.harness.ask(one, .knownRevisions()) else { return nil }
        return known
    }

    /// A revision of C that inserts a text at the beginning.
    private func revision(
        _ name: String, on parents: String..., of note: NoteID, _ text: String
    ) -> LinkedRevision {
        let content = Revision(
            note: note, dot: dot(name), parents: Version(parents.map { dot($0) }),
            edits: [Edit(start: 0, end: 0, replacement: bytes(text))], origin: .stated, author: ada,
            time: Timestamp(milliseconds: 1))
        return LinkedRevision(content, parentHashes: parents.map { _ in RevisionHash(bits: 7) })
    }

    /// C2 waits for C1, and C3 was not accepted, since its writer saw another A1. The same for C5 and C6
    /// of another note. A purge erases the former for good: also if they are offered again, before and
    /// after a restart, and if their children or C1 arrive.
    @Test(arguments: [false, true])
    func heldRevisionsOfThePurgedNote_areErasedAndNotTakenAgain(isOnDisk: Bool) async throws {
        var a = try await site(isOnDisk, "A")
        _ = await a.write(create(id, "a\n"))
        _ = await a.write(create(other, "other\n"))
        let (waiting, unfit) = (revision("C2", on: "C1", of: id, secret), revision("C3", on: "A1", of: id, secret))
        let others = [revision("C5", on: "C4", of: other, "five\n"), revision("C6", on: "A2", of: other, "six\n")]
        let held = try await a.adopt([waiting, unfit] + others)
        #expect(held.waiting == [dot("C2"), dot("C5")] && held.quarantined.map(\.dot) == [dot("C3"), dot("C6")])
        guard case .purged = await a.write(.purgeNote(PurgeNote(id: id, base: version("A1")))) else {
            Issue.record("the purge was not carried out")
            return
        }
        for replica in [nil, replica("B"), replica("D")] {
            if let replica, isOnDisk { try await a.restart(as: replica) }
            let known = try #require(await known(&a))
            #expect(known.waiting == 1 && [dot("C2"), dot("C3"), dot("C6")].allSatisfy(known.quarantined.contains))
            let again = try await a.adopt([waiting, unfit] + others)
            #expect(again.known == 2 && again.committed.isEmpty && again.waiting == [dot("C5")] && again.refused.isEmpty)
            #expect(again.quarantined.map(\.dot) == [dot("C6")])
            guard case .audited(let audited) = await a.harness.ask(one, .audit) else {
                Issue.record("the store cannot be audited")
                return
            }
            #expect(audited.findings.isEmpty && audited.waiting.map(\.note) == [other])
            #expect(audited.quarantined.map(\.dot) == [dot("C6")])
        }
        let child = try await a.adopt([
            revision("C7", on: "C2", of: id, "late\n"), revision("C1", on: "A1", of: id, "one\n"),
        ])
        #expect(child.quarantined.map(\.dot) == [dot("C7"), dot("C1")])
        #expect(child.quarantined.map(\.reason) == [.parentIsCompacted, .parentIsCompacted] && child.waiting.isEmpty)
        #expect(await a.text(id) == "a\n")
        await a.stop()
        if let folder = a.folder { #expect(try folder.files(having: secret) == []) }
    }

    @Test(arguments: [false, true])
    func storeWithTheOldTexts_keepsThemAndReturnsNone(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        _ = await a.write(create(id, "a\n\(secret)\n"))
        _ = await a.write(save(id, "a\n", on: version("A1")))
        try await a.sendAll(to: b)
        _ = await b.write(save(id, "a\n\(secret)\nlate\n", on: version("A1")))
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        _ = await a.write(save(id, "a\nb\n", on: version("A3")))
        let old = try await page(b)
        #expect(old.revisions.map(\.dot) == [dot("A1"), dot("A2"), dot("B1")])
        let before = await a.facts(id)
        // Also if the whole store is offered again.
        let report = try await a.adopt(old.revisions)
        #expect(report.committed.isEmpty && report.known == 2 && report.waiting.isEmpty)
        #expect(report.quarantined.map(\.dot) == [dot("B1")] && report.quarantined.map(\.reason) == [.parentIsCompacted])
        #expect(await a.facts(id) == before)
        try await a.sendAll(to: b)
        let known = try #require(await known(&b))
        #expect(known.waiting == 1 && known.quarantined.isEmpty)
        #expect(await b.text(id) == "a\nlate\n")
        for var site in [a, b] {
            guard case .audited(let audited) = await site.harness.ask(one, .audit) else {
                Issue.record("the store cannot be audited")
                continue
            }
            #expect(audited.findings.isEmpty)
            #expect(audited.quarantined.map(\.dot) == (site.identity.replica == replica("A") ? [dot("B1")] : []))
            await site.stop()
        }
    }
}
