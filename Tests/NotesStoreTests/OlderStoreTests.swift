import Causality
import NotesModel
import NotesSQL
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// Stores that older programs wrote.
@Suite struct OlderStore {
    /// Content that a program with one schema step wrote: a note with two siblings, flushed; a
    /// deleted note and a third note, not flushed.
    private static let firstRows = """
        INSERT INTO author VALUES(1,X'616461',X'6C6170746F702F76696D');
        INSERT INTO head VALUES(1,X'018BCFE5680070008000000000000001',4,0,X'776F726B2F6F6E65',X'01018BCFE5680070008000\
        0000000000010608776F726B2F6F6E6502010301040101040174010374616782A0ABFEF96288A0ABFEF962036164610A6C6170746F702F\
        76696D08');
        INSERT INTO operation VALUES(1,1,X'6F7031',X'01',X'018BCFE5680070008000000000000001',X'AAAAAAAAAAAAAAAA01',NUL\
        L);
        INSERT INTO operation VALUES(1,2,X'6F7032',X'01',X'018BCFE5680070008000000000000002',X'AAAAAAAAAAAAAAAA02',NUL\
        L);
        INSERT INTO operation VALUES(1,3,X'6F7033',X'01',X'018BCFE5680070008000000000000001',X'AAAAAAAAAAAAAAAA03',NUL\
        L);
        INSERT INTO operation VALUES(1,4,X'6F7034',X'01',X'018BCFE5680070008000000000000001',X'AAAAAAAAAAAAAAAA04',NUL\
        L);
        INSERT INTO operation VALUES(1,5,X'6F7035',X'01',X'018BCFE5680070008000000000000002',X'AAAAAAAAAAAAAAAA05',NUL\
        L);
        INSERT INTO operation VALUES(1,6,X'6F7036',X'01',X'018BCFE5680070008000000000000003',X'AAAAAAAAAAAAAAAA07',NUL\
        L);
        INSERT INTO recent VALUES(5,2,X'01018BCFE56800700080000000000000020501010501010501740082A0ABFEF9628AA0ABFEF962\
        036164610A6C6170746F702F76696D00');
        INSERT INTO recent VALUES(6,3,X'01018BCFE56800700080000000000000030401010701010701740082A0ABFEF9628CA0ABFEF962\
        036164610A6C6170746F702F76696D06');
        INSERT INTO replica VALUES(1,-6148914691236517206);
        INSERT INTO revision VALUES(1,1,0,45,1700000000001,1,4,0,X'776F726B2F6F6E65',NULL,NULL,X'0000046F6E650A',NULL);
        INSERT INTO revision VALUES(2,2,0,37,1700000000002,1,4,0,NULL,NULL,NULL,X'00000474776F0A',NULL);
        INSERT INTO revision VALUES(3,1,2,5,1700000000003,1,6,37,1,NULL,NULL,X'040002610A',NULL);
        INSERT INTO revision VALUES(4,1,1,1,1700000000004,1,6,37,1,X'03',NULL,X'040002620A',NULL);
        INSERT INTO revision VALUES(5,2,3,7,1700000000005,1,0,0,NULL,NULL,NULL,X'',NULL);
        INSERT INTO revision VALUES(6,3,0,37,1700000000006,1,6,0,NULL,NULL,X'01000000000000000100000000000000020000',X\
        '00000674687265650A',NULL);
        INSERT INTO store VALUES(1,-5650774220308557260,1700000000000,1,0);
        INSERT INTO stretch VALUES(1,1,1);
        INSERT INTO stretch VALUES(6,1,7);
        INSERT INTO tag VALUES(X'746167',0,X'776F726B2F6F6E65',X'018BCFE5680070008000000000000001',1);
        """

    private func directory(steps: Int, rows: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/notes.sqlite3"
        try DatabaseFile.make(path)
        let database = try Database(path: path)
        for statement in Schema.steps.prefix(steps).joined() { try database.run(statement) }
        try database.run(script: rows)
        try database.run("PRAGMA application_id = \(Schema.applicationID)")
        try database.run("PRAGMA user_version = \(steps)")
        try database.close()
        return directory
    }

    @Test func firstSchemaVersion_isReadAndWrittenOn() throws {
        let directory = try directory(steps: 1, rows: Self.firstRows)
        var journal = try openStore(directory.path, replica: replica("B"), limits: JournalKind.sqliteFolding.limits)
        let statistics = try journal.statistics()
        #expect(journal.identity.store == testStore && journal.lastSequence == 6)
        #expect(statistics.notes == 2 && statistics.tombstones == 1 && statistics.conflicted == 0)
        let first = try #require(try journal.head(of: noteID(1)))
        #expect(first.sequence == 4 && first.head.version == version("A3", "A4") && first.head.conflicts.isEmpty)
        #expect(first.head.name == name("work/one") && first.head.tags == ["tag"] && first.head.bytes == 8)
        #expect(try journal.head(of: noteID(2))?.head.isDeleted == true)
        #expect(try journal.replica(ofCommit: 1) == replica("A") && journal.replica(ofCommit: 6) == replica("A"))
        #expect(try journal.knownDots().ranges(of: replica("A")) == [1...5, 7...7])
        let record = try #require(try journal.note(noteID(1), downTo: .newest, asOf: nil))
        #expect(record.floor?.dot == dot("A1") && record.floor?.text == bytes("one\n") && record.floor?.conflicts == [])
        #expect(record.tail.map(\.dot) == [dot("A3"), dot("A4")])
        let third = try #require(try journal.note(noteID(3), downTo: .start, asOf: nil))
        #expect(third.tail.map(\.resolves) == [[ConflictID(high: 1, low: 2)]])
        #expect(try journal.operation(OperationKey(user: 1, name: "op6"))?.dot == dot("A7"))
        #expect(try journal.heads(matching: Filter(conflicted: true), after: nil, limit: 9).isEmpty)

        guard case .record(let old) = try journal.past(noteID(1), asOf: 5, withText: true) else {
            Issue.record("nothing was kept of what the note showed then")
            return
        }
        #expect(old.tail.map(\.dot) == [dot("A3"), dot("A4")])
        try journal.append([.commit(try conflicted(first, after: journal.lastSequence), operation: nil)])
        guard case .shown(7, let head, let text) = try journal.past(noteID(1), asOf: 9, withText: true) else {
            Issue.record("what the note shows since was not kept")
            return
        }
        #expect(head.conflicts.count == 1 && text == bytes("one\na\nc\n"))
        for letter in "CD" {
            #expect(try journal.heads(matching: Filter(conflicted: true), after: nil, limit: 9).map(\.head.id) == [noteID(1)])
            #expect(try journal.statistics().conflicted == 1)
            while try journal.maintain() {}
            try journal.close()
            journal = try openStore(directory.path, replica: replica(letter), limits: JournalKind.sqliteFolding.limits)
        }
    }

    /// A write based on one of the two siblings that touches the other.
    private func conflicted(_ stored: StoredHead, after sequence: UInt64) throws -> Commit {
        var head = stored.head
        head.version = version("A4", "B1")
        head.vector.record(dot("B1"))
        let place = TextPosition(utf8: 4, utf16: 4, utf32: 4)
        head.conflicts = [
            OpenConflict(id: ConflictID(high: 1, low: 2), kind: .text, sides: [dot("A4"), dot("B1")], start: place, end: place)
        ]
        let revision = Revision(
            note: noteID(1), dot: dot("B1"), parents: version("A3"), edits: [Edit(start: 4, end: 5, replacement: bytes("c"))],
            origin: .found, author: ada, time: Timestamp(milliseconds: 9))
        return Commit(
            sequence: sequence + 1, previous: stored.sequence, revision: revision, coversAll: false, text: bytes("one\nc\n"),
            name: head.name, head: head,
            shown: MergedText(text: bytes("one\na\nc\n"), edits: [Edit(start: 6, end: 7, replacement: bytes("c"))]))
    }
}
