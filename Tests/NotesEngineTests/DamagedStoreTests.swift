import Causality
import Foundation
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesSQL
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// The audit of a store that was damaged outside of the daemon. The daemon goes on serving, and the
/// audit reports the damage.
@Suite struct DamagedStoreTests {
    private let id = noteID(1)

    /// A note with several revisions, two of them concurrent, and another note; all heads are
    /// flushed.
    private func store() async throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        _ = await site.write(create(id, "one\ntwo\n", name: "n"))  // A1
        _ = await site.write(create(noteID(2), "else\n"))  // A2
        _ = await site.write(save(id, "one\ntwo\nthree\n", on: version("A1")))  // A3
        _ = await site.write(save(id, "0\none\ntwo\n", on: version("A1")))  // A4
        _ = await site.write(save(id, "0\none\ntwo\nthree\n4\n", on: version("A3", "A4")))  // A5
        for number in 6...30 {
            _ = await site.write(save(noteID(2), "\(number)\n", on: version("A\(number == 6 ? 2 : number - 1)")))
        }
        await site.stop()
        return folder
    }

    private func audit(_ folder: TemporaryDirectory) async throws -> AuditReport? {
        var site = try await Site(folder, as: replica("B"))
        let response = await site.harness.ask(one, .audit)
        // The daemon serves as before: the other note is intact.
        #expect(await site.text(noteID(2)) == "30\n")
        #expect(await site.write(create(noteID(3), "new\n"))?.isCreated == true)
        await site.stop()
        guard case .audited(let report) = response else { return nil }
        return report
    }

    @Test func intactStore_hasNoFindings() async throws {
        let report = try #require(await audit(try await store()))
        #expect(report.findings.isEmpty && report.notes == 2 && report.revisions == 30)
    }

    static let damages: [(what: String, sql: String, dots: [String])] = [
        ("an edit's bytes", "UPDATE revision SET edits = x'08000674687265650B' WHERE sequence = 3", ["A3"]),
        ("an edit's bytes, which are no UTF-8", "UPDATE revision SET edits = x'080006FF687265650A' WHERE sequence = 3", ["A3"]),
        ("an edit's place", "UPDATE revision SET edits = x'050006746872656520' WHERE sequence = 3", ["A3"]),
        ("an edit cut short", "UPDATE revision SET edits = x'0800067468' WHERE sequence = 3", ["A3"]),
        ("no edits", "UPDATE revision SET edits = x'' WHERE sequence = 4", ["A4"]),
        ("a row", "DELETE FROM revision WHERE sequence = 3", ["A3"]),
        ("parents", "UPDATE revision SET parents = x'02' WHERE sequence = 5", ["A5"]),
        ("parents out of order", "UPDATE revision SET parents = x'0104' WHERE sequence = 5", ["A5"]),
        ("parents of another note", "UPDATE revision SET parents = x'03' WHERE sequence = 5", ["A5"]),
        ("parents past the start", "UPDATE revision SET parents = x'09' WHERE sequence = 5", ["A5"]),
        ("the size", "UPDATE revision SET bytes = bytes + 1 WHERE sequence = 4", ["A4"]),
        ("the time", "UPDATE revision SET time = time + 1 WHERE sequence = 4", ["A4"]),
        ("the hash", "UPDATE revision SET hash = hash + 1 WHERE sequence = 4", ["A4"]),
        ("a full text", "UPDATE revision SET text = x'30' WHERE sequence = 5", ["A5"]),
        ("an author who is not there", "UPDATE revision SET author = 77 WHERE sequence = 4", ["A4"]),
        ("another note's row", "UPDATE revision SET note = 2 WHERE sequence = 4", ["A4"]),
        ("a link that leaves one out", "UPDATE revision SET back = 2 WHERE sequence = 5", ["A4"]),
        ("a link to another note", "UPDATE revision SET back = 3 WHERE sequence = 5", ["A3", "A4"]),
        ("the name of what is there", "UPDATE revision SET name = x'6D' WHERE sequence = 1", ["A1"]),
        ("the row of a name", "UPDATE revision SET name = 2 WHERE sequence = 5", ["A5"]),
        ("where a text starts", "UPDATE revision SET chain = 0 WHERE sequence = 4", ["A4"]),
        ("a mark that a text is gone", "UPDATE revision SET flags = flags | 64 WHERE sequence = 3", ["A3"]),
        ("a mark that others may be gone", "UPDATE revision SET flags = flags | 128 WHERE sequence = 4", ["A4"]),
        ("two rows", "UPDATE revision SET time = time + 1 WHERE sequence IN (3, 5)", ["A3", "A5"]),
        ("a text that was shown", "UPDATE merged SET text = x'00000130' WHERE sequence = 4", ["A4"]),
        ("a text that was shown cut short", "UPDATE merged SET text = x'0000' WHERE sequence = 4", ["A4"]),
        ("a head that was shown", "UPDATE merged SET head = x'0202' WHERE sequence = 4", ["A4"]),
        ("a counter", "UPDATE dot_range SET counter = 2 WHERE first = 1", ["A2", "A4", "A5", "A6"]),
    ]

    @Test(arguments: damages.map(\.what), [true, false])
    func damage_isNamedByDot(what: String, sums: Bool) async throws {
        let damage = try #require(Self.damages.first { $0.what == what })
        let folder = try await store()
        try folder.damage(damage.sql, sums: sums)
        let report = try #require(await audit(folder), "\(what)")
        #expect(!report.findings.isEmpty, "\(what)")
        for name in damage.dots { #expect(report.findings.contains { $0.dot == dot(name) }, "\(what): \(report.findings)") }
        // The audit also reads what follows an unreadable row.
        if damage.sql.contains("SET time") {
            #expect(!report.findings.contains { $0.what.contains("belongs to no note") }, "\(what): \(report.findings)")
        }
    }

    /// Text that is not valid, or does not follow from its edits, is never returned. The request
    /// fails with an error instead of possibly wrong text.
    @Test(arguments: [
        ("edits = x'000004C3A9C30A' WHERE sequence = 1", "edits are not UTF-8"),
        ("flags = flags & ~32, chain = 1, edits = x'010002C3A9' WHERE sequence = 6", "is not UTF-8"),
        ("flags = flags & ~32, chain = 1, edits = x'040002C3A9' WHERE sequence = 6", "do not fit the text they change"),
        ("bytes = 9 WHERE sequence = 6", "bytes, but should have 9"),
        ("flags = flags & ~32, chain = 0, text = x'FFA9C3A90A' WHERE sequence = 6", "is not UTF-8"),
        ("edits = x'0900017A' WHERE sequence = 3", "do not fit its text"),
        ("edits = x'00FFFFFFFFFFFFFFFF7F00' WHERE sequence = 3", "do not fit its text"),
        ("edits = x'0000FFFF7F' WHERE sequence = 3", "edits cannot be read"),
        ("bytes = -9223372036854775808 WHERE sequence = 3", "do not fit its text"),
        ("bytes = 1, flags = flags | 2 WHERE sequence = 3", "do not fit its text"),
        // It removes more than was shown, where the row alone does not say so.
        ("edits = x'00050130' WHERE sequence = 3", "the revision of commit 3 does not match its checksum"),
        ("flags = flags & ~32, chain = 0, text = x'FFA9C3A90A' WHERE sequence = 6", nil),
        ("edits = x'000004C3A8C30A' WHERE sequence = 1", nil),
    ])
    func damagedText_isNotReturned(damage: String, named: String?) async throws {
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        _ = await site.write(create(id, "é\n"))  // A1
        _ = await site.write(save(id, "éé\n", on: version("A1")))  // A2
        _ = await site.write(save(id, "0é\n", on: version("A1")))  // A3
        _ = await site.write(save(id, "0éé\nmore\n", on: version("A2", "A3")))  // A4
        _ = await site.write(create(noteID(2), "é\n"))  // A5
        _ = await site.write(save(noteID(2), "éé\n", on: version("A5")))  // A6
        await site.stop()
        try folder.damage("UPDATE revision SET \(damage)", sums: named == nil)
        let texts = ["A1": "é\n", "A2": "éé\n", "A3": "0é\n", "A4": "0éé\nmore\n", "A5": "é\n", "A6": "éé\n"]
        var failures: [String] = []
        for (run, (known, text)) in texts.enumerated() {
            var site = try await Site(folder, as: ReplicaID(bits: UInt64(run + 1)))
            let note = known < "A5" ? id : noteID(2)
            let response = await site.harness.ask(one, .get(GetNote(.id(note), at: version(known))))
            if let failure = response?.failure {
                failures.append("\(failure)")
            } else {
                #expect(response?.text == bytes(text), "\(known)")
            }
            // Other notes are served.
            #expect(await site.write(create(noteID(UInt64(10 + run)), "new\n"))?.isCreated == true)
            await site.stop()
        }
        #expect(
            failures.contains { $0.contains("the store is damaged") && $0.contains(named ?? "does not match its checksum") },
            Comment(rawValue: failures.joined(separator: "; ")))
    }

    /// Any flipped bit of a row's revision is detected, and the row's revision is among the
    /// findings.
    @Test(arguments: seeds(12))
    func flippedBit_isNamedByDot(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try await store()
        let column = random.pick(["edits", "text", "parents", "name"])
        let place = try flipBit(of: column, in: folder, &random)
        let report = try #require(await audit(folder), "seed \(seed), \(place)")
        #expect(
            report.findings.contains { $0.dot == dot("A\(place.commit)") }, "seed \(seed), \(place): \(report.findings)")
    }

    /// Flips one bit of the first note's rows.
    private func flipBit(
        of column: String, in folder: TemporaryDirectory, _ random: inout SeededGenerator
    ) throws -> (column: String, commit: Int, bit: Int) {
        let connections = try SQLiteConnections(
            path: folder.path + "/notes.sqlite3", limits: JournalLimits(), check: { _ in }, migrate: { _ in })
        var rows: [(commit: Int, bytes: [UInt8])] = []
        try connections.reading { database throws(SQLFault) in
            try database.each(
                "SELECT sequence, \(column) FROM revision WHERE note = 1 AND typeof(\(column)) = 'blob' AND length(\(column)) > 0"
            ) { row throws(SQLFault) in
                rows.append((Int(row.integer(0)), row.blob(1)))
                return true
            }
        }
        var (commit, bytes) = random.pick(rows)
        let bit = random.below(bytes.count * 8)
        bytes[bit / 8] ^= 1 << (bit % 8)
        let flipped = bytes
        try connections.writing { database throws(SQLFault) in
            try database.run("UPDATE revision SET \(column) = ? WHERE sequence = ?", .blob(flipped), .number(commit))
        }
        try connections.close()
        return (column, commit, bit)
    }

    @Test(arguments: [
        "UPDATE head SET state = x'0202' WHERE note = 1", "UPDATE head SET newest = 4 WHERE note = 1",
        "UPDATE head SET newest = 400 WHERE note = 1", "DELETE FROM head WHERE note = 1",
    ])
    func damagedHead_isFound(sql: String) async throws {
        let folder = try await store()
        try folder.damage(sql)
        let report = try #require(await audit(folder), "\(sql)")
        #expect(!report.findings.isEmpty, "\(sql)")
    }

    /// A store whose first note is compacted below A5.
    private func compactedStore() async throws -> TemporaryDirectory {
        let folder = try await store()
        let site = try await Site(folder, as: replica("C"), configuration: EngineConfiguration(history: .keepDays(0)))
        site.engine.submit([.tick(seconds: 0)])
        while try await site.engine.isCompacting() {}
        await site.stop()
        return folder
    }

    @Test func compactedStore_hasNoFindings() async throws {
        let report = try #require(await audit(try await compactedStore()))
        #expect(report.findings.isEmpty && report.compacted == 28)
    }

    static let compactedDamages: [(sql: String, dot: String)] = [
        ("UPDATE revision SET time = time + 1 WHERE sequence = 3", "A3"),
        ("UPDATE revision SET edits = x'0000027A0A' WHERE sequence = 3", "A3"),
        ("UPDATE revision SET text = x'7A0A' WHERE sequence = 4", "A4"),
        ("UPDATE revision SET parents = x'02' WHERE sequence = 5", "A5"),
        ("UPDATE revision SET parents = x'02' WHERE sequence = 4", "A4"),
        ("UPDATE revision SET flags = flags - 64 WHERE sequence = 4", "A4"),
        ("UPDATE revision SET text = x'6F6E650A74776F0A74687265650A310A340A' WHERE sequence = 5", "A5"),
        ("UPDATE revision SET text = NULL WHERE sequence = 5", "A5"),
        ("UPDATE revision SET flags = flags | 64 WHERE sequence = 5", "A5"),
        ("UPDATE revision SET flags = flags - 128 WHERE sequence = 5", "A1"),
        ("DELETE FROM revision WHERE sequence = 4", "A4"),
    ]

    @Test(arguments: compactedDamages.map(\.sql), [true, false])
    func damageInCompactedStore_isNamedByDot(sql: String, sums: Bool) async throws {
        var wanted = try #require(Self.compactedDamages.first { $0.sql == sql }?.dot)
        // The checksum identifies the row itself.
        if sums, sql.hasPrefix("UPDATE"), let row = sql.last { wanted = "A\(row)" }
        let folder = try await compactedStore()
        try folder.damage(sql, sums: sums)
        let report = try #require(await audit(folder), "\(sql)")
        #expect(report.findings.contains { $0.dot == dot(wanted) }, "\(sql): \(report.findings)")
    }

    // MARK: The holding area

    private func revision(_ made: String, on parents: Version, note: NoteID, time: Int64 = 0) -> Revision {
        Revision(
            note: note, dot: dot(made), parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes(made))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: time))
    }

    /// Waiting revisions are reported by note, with the parents that they lack, and are not faults.
    @Test func waitingRevisions_areReported_notFaults() async throws {
        let folder = try await store()
        var site = try await Site(folder, as: replica("B"))
        let report = try await site.adopt(
            linked([
                revision("C3", on: version("C2"), note: id), revision("C4", on: version("C3"), note: id),
                revision("D2", on: version("A1", "D1"), note: id), revision("D9", on: version("D8"), note: noteID(9)),
            ]))
        #expect(report.waiting.count == 4 && report.refused.isEmpty)
        guard case .audited(let audited) = await site.harness.ask(one, .audit) else {
            Issue.record("no report")
            return
        }
        #expect(audited.findings.isEmpty)
        #expect(
            audited.waiting == [
                AuditWaiting(note: id, revisions: 3, parents: [dot("C2"), dot("D1")]),
                AuditWaiting(note: noteID(9), revisions: 1, parents: [dot("D8")]),
            ])
        await site.stop()
    }

    /// A revision that was not accepted is reported with its reason, and is no fault: any peer can offer
    /// one, and no note contains it.
    @Test func quarantinedRevisions_areReported_notFaults() async throws {
        let folder = try await store()
        let site = try await Site(folder, as: replica("D"))
        let outside = Revision(
            note: noteID(9), dot: dot("C1"), parents: .nothing, edits: [Edit(start: 5, end: 9, replacement: bytes("x"))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: 7))
        let offered = linked([revision("A1", on: .nothing, note: id), outside])
        #expect(try await site.adopt(offered).quarantined.map(\.dot) == [dot("A1"), dot("C1")])
        await site.stop()
        let report = try #require(await audit(folder))
        #expect(report.findings.isEmpty && report.heldRevisions == 2)
        #expect(
            report.quarantined == [
                HeldRevision(offered[0].content, reason: .dotIsTaken), HeldRevision(outside, reason: .editOutsideText),
            ])
    }

    @Test(arguments: [
        ("UPDATE waiting SET revision = substr(revision, 2)", "C3"), ("UPDATE waiting SET counter = 7", "C7"),
        ("UPDATE quarantine SET hash = x'00'", "A1"), ("UPDATE quarantine SET reason = 99", "A1"),
        ("UPDATE quarantine SET revision = x'01'", "A1"),
    ])
    func damagedHeldRevision_isNamed(sql: String, named: String) async throws {
        let folder = try await store()
        let site = try await Site(folder, as: replica("D"))
        // One revision that waits, and one whose dot another revision has; each follows an intact
        // one.
        let report = try await site.adopt(
            linked([revision("C3", on: version("C2"), note: id), revision("A1", on: .nothing, note: id)]))
        #expect(report.waiting == [dot("C3")] && report.quarantined.map(\.dot) == [dot("A1")])
        await site.stop()
        try folder.damage(sql)
        let audited = try #require(await audit(folder), "\(sql)")
        #expect(audited.findings.contains { $0.dot == dot(named) && $0.note == nil }, "\(sql): \(audited.findings)")
    }

    /// A waiting revision that cannot be read delays no other: the others are committed, and it is
    /// replaced when it arrives again.
    @Test func damagedWaitingRevision_blocksNoOther() async throws {
        let folder = try await store()
        var site = try await Site(folder, as: replica("D"))
        let chain = linked([
            revision("C1", on: .nothing, note: noteID(8)), revision("C2", on: version("C1"), note: noteID(8)),
            revision("C3", on: version("C1"), note: noteID(8)), revision("C4", on: version("C2"), note: noteID(8)),
        ])
        _ = try await site.adopt(Array(chain[1...]))
        await site.stop()
        try folder.damage("UPDATE waiting SET revision = x'01' WHERE counter = 2")
        site = try await Site(folder, as: replica("E"))
        #expect(try await site.adopt([chain[0]]).committed == [dot("C1"), dot("C3")])
        #expect(await site.text(noteID(8)) == "C3C1")
        #expect(try await site.adopt([chain[1]]).committed == [dot("C2"), dot("C4")])
        guard case .audited(let audited) = await site.harness.ask(one, .audit) else {
            Issue.record("no report")
            return
        }
        #expect(audited.findings.isEmpty && audited.waiting.isEmpty)
        await site.stop()
    }

    /// Beyond its limits the holding area keeps nothing more, and nothing else changes; once there
    /// is room, a revision that is offered again is kept.
    @Test(arguments: [nil, "file"])
    func heldRevisions_areBounded(kind: String?) async throws {
        var configuration = EngineConfiguration()
        configuration.holdingLimits.waitingMax.revisions = 2
        configuration.holdingLimits.quarantinedMax.revisions = 1
        let folder = try kind.map { _ in try TemporaryDirectory() }
        var site = try await Site(folder, as: replica("B"), configuration: configuration)
        _ = await site.write(create(id, "one\n"))  // B1
        let chain = linked((1...4).map { revision("C\($0)", on: $0 == 1 ? .nothing : version("C\($0 - 1)"), note: id) })
        let waiting = Array(chain[1...])
        let first = try await site.adopt(waiting)
        #expect(first.waiting == [dot("C2"), dot("C3")] && first.refused == [.init(dot: dot("C4"), area: .waiting)])
        #expect(try await site.knownDots() == DotSet([dot("B1")]))
        let forged = linked([1, 2].map { revision("B1", on: .nothing, note: id, time: $0) })
        let second = try await site.adopt(forged + [waiting[2]])
        #expect(second.quarantined.map(\.dot) == [dot("B1")])
        #expect(
            second.refused == [.init(dot: dot("C4"), area: .waiting), .init(dot: dot("B1"), area: .quarantine)])
        #expect(await site.text(id) == "one\n")
        // The parent arrives: both waiting revisions are committed, and the third finds room.
        let third = try await site.adopt([chain[0], waiting[2]])
        #expect(third.committed == [dot("C1"), dot("C2"), dot("C3"), dot("C4")].sorted() && third.refused.isEmpty)
        await site.stop()
    }

    /// A revision whose children precede it in the same batch needs no room for them.
    @Test func shuffledBatch_needsNoHoldingSpace() async throws {
        var configuration = EngineConfiguration()
        configuration.holdingLimits.waitingMax.revisions = 0
        let site = try await Site(as: replica("B"), configuration: configuration)
        let chain = linked((1...4).map { revision("C\($0)", on: $0 == 1 ? .nothing : version("C\($0 - 1)"), note: id) })
        let report = try await site.adopt(chain.reversed())
        #expect(report.committed == chain.map(\.dot) && report.refused.isEmpty)
        await site.stop()
    }

    @Test func heldBytes_areBounded() async throws {
        let waiting = linked((2...4).map { revision("C\($0)", on: version("C\($0 - 1)"), note: id) })
        var configuration = EngineConfiguration()
        configuration.holdingLimits.waitingMax.bytes = HoldingAmount.of(waiting[0]).bytes * 2 + 1
        let site = try await Site(as: replica("B"), configuration: configuration)
        let report = try await site.adopt(waiting)
        #expect(report.waiting.count == 2 && report.refused.count == 1)
        await site.stop()
    }
}
