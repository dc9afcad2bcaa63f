import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesEngine

/// Purges through an engine: what remains readable, and that no file of the store has an erased byte.
@Suite struct PurgeTests {
    private let id = noteID(1)

    private func site(isOnDisk: Bool) async throws -> Site {
        try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"))
    }

    private func purge(_ base: String...) -> Command { .purgeNote(PurgeNote(id: id, base: Version(base.map { dot($0) }))) }

    private func audit(_ site: inout Site) async -> [AuditFinding] {
        guard case .audited(let report) = await site.harness.ask(one, .audit) else { return [] }
        return report.findings
    }

    @Test(arguments: [false, true])
    func purge_keepsTextAndRefusesEverythingBelow(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "a\nhunter2\n", name: "hunter2"))
        _ = await site.write(
            .saveNote(SaveNote(id: id, base: version("A1"), text: bytes("a\n"), name: .set("plain"))))
        guard case .purged(let made, _, _, isReplay: false) = await site.write(purge("A2")) else {
            Issue.record("the purge was not carried out")
            return
        }
        #expect(made == dot("A3"))
        func check(_ site: inout Site) async {
            let note = await site.note(id)
            #expect(note.map { String(decoding: $0.text, as: UTF8.self) } == "a\n")
            #expect(note?.head.version == version("A3") && note?.head.name?.description == "plain")
            let gone = Rejection.revisionGone(version("A1"), oldest: made)
            #expect(await site.harness.ask(one, .get(GetNote(.id(id), at: version("A1"))))?.rejection == gone)
            #expect(await site.write(save(id, "x\n", on: version("A1")))?.rejection == gone)
            let undo = Command.undoNote(UndoNote(id: id, base: version("A3"), revisions: [dot("A2")]))
            #expect(await site.write(undo)?.rejection == .revisionGone(version("A2"), oldest: made))
            guard
                case .history(let revisions, next: nil) = await site.harness.ask(
                    one, .history(ReadHistory(id: id, limit: 10, before: nil)))
            else {
                Issue.record("the history cannot be read")
                return
            }
            #expect(revisions.map(\.dot) == [made] && revisions[0].isPurge)
            #expect(await audit(&site) == [])
        }
        await check(&site)
        if isOnDisk {
            try await site.restart(as: replica("B"))
            await check(&site)
        }
        let outcome = await site.write(save(id, "a\nb\n", on: version("A3")))?.outcome
        #expect(outcome?.kind == .saved)
        await site.stop()
    }

    @Test(arguments: [false, true])
    func purgeOfUnseenOrConflictingText_isRefusedAndChangesNothing(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "a\n"))
        _ = await site.write(save(id, "b\n", on: version("A1")))
        #expect(
            await site.write(purge("A1"))?.rejection == .cannotPurge(.baseIsNotShown, version: version("A2")))
        _ = await site.write(save(id, "c\n", on: version("A1")))
        let before = await site.facts(id)
        #expect(
            await site.write(purge("A2", "A3"))?.rejection == .cannotPurge(.isConflicted, version: version("A2", "A3")))
        #expect(await site.facts(id) == before)
        #expect(await site.write(purge("A9"))?.rejection != nil)
        #expect(await site.text(id) != nil)
        await site.stop()
    }

    @Test(arguments: [false, true])
    func deletedNote_isPurgedTwiceAndCanBeRestored(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "hunter2\n"))
        _ = await site.write(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        _ = await site.write(purge("A2"))
        _ = await site.write(purge("A3"))
        #expect(await site.note(id)?.head.isDeleted == true)
        #expect(await audit(&site) == [])
        let restored = await site.write(save(id, "new\n", on: version("A4")))?.outcome
        #expect(restored?.kind == .saved)
        #expect(await site.text(id) == "new\n")
        #expect(await audit(&site) == [])
        await site.stop()
    }

    /// Without the write that restored it, the note is deleted again. With a later write, it shows what that one
    /// wrote, and nothing from before the purge.
    @Test(arguments: [false, true])
    func restoredNote_isDeletedAgainByAnUndo(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "hunter2\n"))
        _ = await site.write(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        _ = await site.write(purge("A2"))
        _ = await site.write(save(id, "new\n", on: version("A3")))
        _ = await site.write(save(id, "new\nmore\n", on: version("A4")))
        for (undone, base, text) in [("A4", "A5", "more\n"), ("A5", "A6", "")] {
            let undo = UndoNote(id: id, base: version(base), revisions: [dot(undone)])
            #expect(await site.write(.undoNote(undo))?.rejection == nil)
            #expect(await site.text(id) == text)
        }
        #expect(await site.note(id)?.head.isDeleted == true)
        if isOnDisk { try await site.restart(as: replica("B")) }
        #expect(await site.note(id)?.head.isDeleted == true)
        #expect(await audit(&site) == [])
        await site.stop()
    }

    /// Nobody sees the conflict of a deleted note, so nobody can resolve it before a purge.
    @Test(arguments: [false, true])
    func noteThatWasDeletedInConflict_isPurged(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "hunter2\n", name: "n"))
        for text in ["hunter2 a\n", "hunter2 b\n"] { _ = await site.write(save(id, text, on: version("A1"))) }
        _ = await site.write(.deleteNote(DeleteNote(id: id, base: version("A2", "A3"))))
        #expect(await site.write(purge("A4"))?.rejection == nil)
        let head = await site.note(id)?.head
        #expect(head?.isDeleted == true && head?.version == version("A5"))
        #expect(await audit(&site) == [])
        if isOnDisk { try await site.restart(as: replica("B")) }
        _ = await site.write(save(id, "new\n", on: version("A5")))
        #expect(await site.text(id) == "new\n")
        #expect(await site.note(id)?.head.conflicts.isEmpty == true)
        #expect(await audit(&site) == [])
        await site.stop()
    }

    @Test(arguments: [false, true])
    func repeatedNameOfErasedWrite_isRefused(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "a\n"))
        let first = save(id, "hunter2\n", on: version("A1"))
        _ = await site.harness.ask(one, .write(first, operation: "x"))
        _ = await site.write(save(id, "c\n", on: version("A2")))
        let made = await site.harness.ask(one, .write(purge("A3"), operation: "p"))
        let again = await site.harness.ask(one, .write(first, operation: "x"))
        #expect(again?.rejection == .revisionGone(version("A2"), oldest: dot("A4")))
        guard case .purged(let dot, _, _, isReplay: false) = made,
            case .purged(dot, _, _, isReplay: true) = await site.harness.ask(one, .write(purge("A3"), operation: "p"))
        else {
            Issue.record("the purge was not recognized when it was repeated")
            return
        }
        #expect(await site.text(id) == "c\n")
        await site.stop()
    }

    /// A purge erases what the note does not show. What it shows stays, also if it was written long ago.
    @Test(arguments: [false, true])
    func shownText_isKept(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "a\nhunter2\n"))
        _ = await site.write(save(id, "hunter2\n", on: version("A1")))
        _ = await site.write(purge("A2"))
        #expect(await site.text(id) == "hunter2\n")
        #expect(await audit(&site) == [])
        await site.stop()
    }

    /// The first revision states the time of creation, which the note shows also after the purge.
    @Test(arguments: [false, true])
    func timeOfCreation_isKept(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        let times = FileTimes(modified: Timestamp(milliseconds: 9), created: Timestamp(milliseconds: 7))
        _ = await site.write(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("a\n"), times: times)))
        _ = await site.write(save(id, "b\n", on: version("A1")))
        for base in ["A2", "A3"] {
            _ = await site.write(purge(base))
            #expect(await site.note(id)?.head.created == times.created)
            #expect(await audit(&site) == [])
        }
        await site.stop()
    }

    /// Another content of an erased dot, which a copied store minted, is in quarantine.
    @Test(arguments: [false, true])
    func otherContentOfAnErasedDot_isErased(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk: isOnDisk)
        _ = await site.write(create(id, "a\n"))
        _ = await site.write(save(id, "b\n", on: version("A1")))
        let other = Revision(
            note: id, dot: dot("A1"), parents: .nothing, edits: [Edit(start: 0, end: 0, replacement: bytes("hunter2\n"))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: 1))
        let report = try await site.adopt([LinkedRevision(other, parentHashes: [])])
        #expect(report.quarantined.map(\.reason) == [.dotIsTaken])
        _ = await site.write(purge("A2"))
        #expect(await audit(&site) == [])
        await site.stop()
        if let folder = site.folder { #expect(try folder.files(having: "hunter2") == []) }
    }

    /// Undo, redo and compaction above a purge.
    @Test(arguments: [false, true])
    func noteAbovePurge_canBeUndoneAndCompacted(isOnDisk: Bool) async throws {
        let configuration = EngineConfiguration(history: .keepDays(0))
        var site = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"), configuration: configuration)
        _ = await site.write(create(id, "a\n"))
        _ = await site.write(purge("A1"))
        _ = await site.write(save(id, "a\nb\n", on: version("A2")))
        let undone = await site.write(.undoNote(UndoNote(id: id, base: version("A3"), revisions: [dot("A3")])))
        #expect(undone?.outcome?.kind == .saved)
        #expect(await site.text(id) == "a\n")
        _ = await site.write(.undoNote(UndoNote(id: id, base: version("A4"), revisions: [dot("A4")])))
        #expect(await site.text(id) == "a\nb\n")
        _ = await site.write(save(id, "c\n", on: version("A5")))
        #expect(await audit(&site) == [])
        site.engine.submit([.tick(seconds: 86_400)])
        while try await site.engine.isCompacting() {}
        #expect(await audit(&site) == [])
        let gone = Rejection.revisionGone(version("A2"), oldest: dot("A6"))
        #expect(await site.harness.ask(one, .get(GetNote(.id(id), at: version("A2"))))?.rejection == gone)
        _ = await site.write(purge("A6"))
        #expect(await site.text(id) == "c\n")
        #expect(await audit(&site) == [])
        await site.stop()
    }

    /// Notes are written, undone, deleted, restored, renamed, merged and compacted at random, and revisions
    /// of another store are offered that wait or do not fit, again and again; each line that is ever
    /// written is unique. After each purge, and at the end, no file of the store has a line
    /// that the note no longer shows.
    @Test(arguments: seeds(12))
    func randomHistories_leaveNoErasedByteInAnyFile(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        var desk = try await PurgeDesk(folder, as: ReplicaID(bits: 1))
        var purges = 0
        for step in 0..<120 {
            if random.chance(0.08), try await desk.purge(&random) {
                purges += 1
                try await desk.scrub()
                #expect(try desk.leftovers() == [], "seed \(seed), step \(step)")
            } else if random.chance(0.04) {
                try await desk.restart(as: ReplicaID(bits: UInt64(step) + 2))
            } else if random.chance(0.12) {
                try await desk.offer(&random)
            } else if random.chance(0.04) {
                try await desk.compact()
            } else {
                await desk.write(&random)
            }
        }
        #expect(purges > 0, "seed \(seed)")
        try await desk.offerAgain()
        #expect(await desk.findings() == [], "seed \(seed)")
        #expect(desk.held > 0 && desk.dropped > 0 || !isUsual(seed, of: 12), "seed \(seed)")
        await desk.harness.engine.finish()
        #expect(try desk.leftovers() == [], "seed \(seed)")
    }
}
