import Causality
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// Searches for old commits of a note with a long history.
@Suite struct CommitJumpsTests {
    private static let count = 300
    private static let target: UInt64 = 5

    /// A store in SQLite with one note, and what makes more of its revisions.
    private func makeStore(
        _ limits: JournalLimits = JournalLimits()
    ) throws -> (TemporaryDirectory, SQLiteJournal, HistoryGenerator) {
        let directory = try TemporaryDirectory()
        var generator = HistoryGenerator(seed: 1)
        (generator.notesMax, generator.basesAmongLast) = (1, 4)
        let journal = try openStore(directory.path, replica: generator.replica, limits: limits)
        try journal.append(generator.commits(Self.count).map { .commit($0, operation: nil) })
        return (directory, journal, generator)
    }

    /// Returns the links that a search reads.
    private func descend(_ journal: SQLiteJournal, _ id: NoteID, rowsMax: Int) throws -> Int {
        var descent = CommitDescent(id, downTo: Self.target)
        while !descent.isComplete { try journal.descend(&descent, rowsMax: rowsMax) }
        return descent.rows
    }

    /// The second search jumps, also from commits that were made since.
    @Test func repeatedSearch_readsNoLink() throws {
        var (directory, journal, generator) = try makeStore()
        defer { withExtendedLifetime(directory) {} }
        let id = generator.ids[0]
        #expect(try descend(journal, id, rowsMax: 64) == Self.count - Int(Self.target))
        #expect(try descend(journal, id, rowsMax: 64) == 0)
        for _ in 0..<5 {
            try journal.append(generator.commits(20).map { .commit($0, operation: nil) })
            #expect(try descend(journal, id, rowsMax: 64) == 0)
        }
        #expect(try journal.countCommits(of: id, after: Self.target, through: 200) == 200 - Int(Self.target))
        try journal.close()
    }

    /// With few jumps, each passes over more commits.
    @Test func jumps_areBounded() throws {
        var limits = JournalLimits()
        (limits.jumpLength, limits.jumpsMax) = (1, 16)
        let (directory, journal, generator) = try makeStore(limits)
        defer { withExtendedLifetime(directory) {} }
        let id = generator.ids[0]
        #expect(try descend(journal, id, rowsMax: 8) == Self.count - Int(Self.target))
        #expect(journal.jumps.length >= Self.count / limits.jumpsMax)
        #expect(try descend(journal, id, rowsMax: 8) == 0)
        for after in [5, 6, 150, Self.count - 1] {
            #expect(try journal.countCommits(of: id, after: UInt64(after), through: .max) == Self.count - after)
        }
        try journal.close()
    }
}
