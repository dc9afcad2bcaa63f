import Dependents
import NoteText
import NotesModel
import Testing

/// Protocol §5, *Order*, and guarantees G4 to G6, which follow from it.
@Suite struct OrderTests {
    @Test func pendingNote_hasOneEntryAtNewestCommit() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        session.commit(0)
        session.commit(1)
        session.commit(0)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 1@2", "3 created 0@3 x2"])
    }

    @Test func busyNote_isFrozenAfterAThousandMoves() throws {
        var session = Session(notes: 2)
        session.register(1)
        _ = try session.watch(1)
        // One change creates the entry, 1,000 move it, and 500 create and move one new entry.
        for _ in 0..<1_501 { session.commit(0) }
        session.commit(1)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1001 x1001", "3 edited 0@1501 x500", "4 created 1@1502"])
    }

    @Test func frozenEntry_isSentInItsOldState() throws {
        var session = Session(limits: DependentLimits(movesMax: 1))
        session.commit(0, name: "work/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        session.commit(0, name: "work/a")
        session.commit(0, name: "home/a")
        session.commit(0, name: "work/a")
        #expect(session.delivered(1) == ["1 synced @1", "2 left 0@3 x2", "3 created 0@4"])
    }

    /// The lines of a watch of work notes about note 0, which matched before the watch began and
    /// then got these names; nil is a tombstone.
    private func delivered(_ names: [String?], movesMax: Int) throws -> [String] {
        var session = Session(limits: DependentLimits(movesMax: movesMax))
        session.commit(0, name: "work/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        for name in names { session.commit(0, name: name, isDeleted: name == nil) }
        return session.delivered(1)
    }

    /// The watch does not cover this change, but without it the note's next change would not find
    /// the entry.
    @Test func changesAfterFrozenEntry_areQueued() throws {
        let said = try delivered(["home/a", "home/b", "home/c", "work/b"], movesMax: 1)
        #expect(said == ["1 synced @1", "2 left 0@3 x2", "3 created 0@5 x2"])
    }

    @Test func enteredThenDeletedAfterFrozenEntry_isDeleted() throws {
        let said = try delivered(["work/b", "work/c", "home/a", "home/b", "work/d", nil], movesMax: 2)
        #expect(said == ["1 synced @1", "2 left 0@4 x3", "3 deleted 0@7 x3"])
    }

    @Test func ownWriteOutsideAfterFrozenEntry_isNotSent() throws {
        var session = Session(limits: DependentLimits(movesMax: 0))
        session.commit(0, name: "home/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        session.commit(0, name: "work/a", by: 2)
        session.commit(0, name: "home/b", by: 2)
        session.commit(0, name: "home/c", by: 1)
        #expect(session.delivered(1) == ["1 synced @1", "2 created 0@2", "3 left 0@3"])
    }

    @Test func snapshotAndCatchUp_areInCommitOrder() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 2))
        for note in [2, 0, 1, 2, 3] { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.delivered(1) == ["1 snapshot 0@2", "2 snapshot 1@3", "3 snapshot 2@4", "4 snapshot 3@5", "5 synced @5"])
        session.register(2)
        _ = try session.watch(2, .all, .since(2))
        #expect(session.delivered(2) == ["1 created 1@3", "2 edited 2@4", "3 created 3@5", "4 synced @5"])
    }

    @Test func snapshotAndCatchUp_areReadAsTheSocketDrains() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 3), notes: 100)
        for note in 0..<100 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.dependents.describe()[0].outboxBytes == 0)
        var lines = 0
        while session.line(1) != nil {
            lines += 1
            #expect(session.dependents.describe()[0].outboxBytes <= 3 * DependentLimits.entryBytes)
        }
        #expect(lines == 101)
    }

    @Test func seq_risesByOneAcrossAllKinds() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 2 * DependentLimits.entryBytes))
        session.commit(0)
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        _ = session.line(1)
        for note in 1...3 { session.commit(note) }
        let lines = session.delivered(1)
        #expect(lines.contains { $0.contains("reset") })
        #expect(lines.map { $0.split(separator: " ")[0] } == (2..<UInt64(lines.count + 2)).map { "\($0)" })
    }

    @Test func seq_isAssignedOnWriting() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.line(1)
        for _ in 0..<5 { session.commit(0) }
        #expect(session.delivered(1) == ["2 created 0@5 x5"])
    }

    @Test func watches_haveSeparateSeq() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = try session.watch(1)
        session.commit(0)
        #expect(session.delivered(1) == ["1 synced @0", "1 synced @0", "2 created 0@1", "2 created 0@1"])
    }

    @Test func watchesOfADependent_takeTurns() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        for note in 0..<3 { session.commit(note) }
        #expect(session.changes(1).map(\.watch.number) == [1, 2, 1, 2, 1, 2])
    }

    @Test func line_hasRequestedDetail() throws {
        for include in WatchDetail.allCases {
            var session = Session()
            session.commit(0)
            session.register(1)
            _ = try session.watch(1, include: include)
            session.commit(0, by: 9)
            let line = try #require(session.changes(1).last)
            #expect(line.include == include)
            #expect(line.from == 1)
            #expect(line.to == 2)
            #expect(line.cursor.commit == 2)
            #expect(line.origin == Origin(dependent: DependentID(9), label: "label 9"))
        }
    }

    @Test func edits_startFromLastSentState() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        _ = try session.watch(1)
        session.commit(0)
        session.commit(1)
        session.commit(0)
        // Its line is sent after commit 3, while the client still has the text of commit 1.
        let changed = session.changes(1)
        #expect(changed.map(\.to) == [3, 4])
        #expect(changed.map(\.from) == [0, 1])
    }

    @Test func linesWithoutBase_haveNoFrom() throws {
        var session = Session()
        session.commit(0, name: "home/a")
        session.commit(1, isDeleted: true)
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        session.commit(0, name: "work/a")
        session.commit(1, name: "work/b")
        session.commit(0, name: "home/a")
        for line in session.changes(1) { #expect(line.from == 0, "\(line.kind)") }
    }
}
