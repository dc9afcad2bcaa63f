import Causality
import Foundation
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// Files as a crash of the process or the machine may leave them, opened again.
@Suite struct Crash {
    @Test(arguments: seeds(6))
    func filesCopiedWhileOpen_haveEveryAppend(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: generator.replica, limits: JournalKind.sqliteFolding.limits)
        var naive = NaiveStore()
        for round in 0..<20 {
            try append(generator.commits(1 + generator.random.below(12)), to: journal, &naive)
            if generator.random.chance(0.3) { _ = try journal.maintain() }
            let copy = try copy(of: directory)
            try expectSame(copy, naive, ReplicaID(bits: UInt64(round)), "seed \(seed), round \(round)")
        }
    }

    /// Cuts the log at any byte, as a power cut before a sync would. A prefix of the appends is
    /// present, each completely.
    @Test(arguments: seeds(6))
    func truncatedLog_hasCompleteAppendsOnly(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: generator.replica)
        var states = [NaiveStore()]
        for _ in 0..<10 {
            var naive = states[states.count - 1]
            try append(generator.commits(1 + generator.random.below(12)), to: journal, &naive)
            states.append(naive)
        }
        let log = directory.path + "/notes.sqlite3-wal"
        // Behind the appends are the zeros of `LogSpace`.
        let size = try #require(try Data(contentsOf: URL(fileURLWithPath: log)).lastIndex { $0 != 0 })
        var found: Set<Int> = []
        for cut in 0..<20 {
            let copy = try copy(of: directory)
            // The first pages of the log contain the tables themselves.
            let kept = size / 3 + generator.random.below(size * 2 / 3)
            #expect(truncate(copy.path + "/notes.sqlite3-wal", off_t(kept)) == 0)
            let reopened = try openStore(copy.path, replica: ReplicaID(bits: UInt64(cut)))
            let index = try #require(
                states.firstIndex { UInt64($0.commits.count) == reopened.lastSequence },
                "seed \(seed), cut at \(kept): \(reopened.lastSequence) is within an append")
            try reopened.close()
            try expectSame(copy, states[index], ReplicaID(bits: 1_000), "seed \(seed), cut at \(kept)")
            found.insert(index)
        }
        #expect(found.count > 1 || !isUsual(seed, of: 6), "seed \(seed): the cuts all fell behind one append")
    }

    private func append(_ commits: [Commit], to journal: SQLiteJournal, _ naive: inout NaiveStore) throws {
        try journal.append(commits.map { .commit($0, operation: nil) })
        for commit in commits { naive.append(commit) }
    }
}

func copy(of directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory()
    // Not the WAL index: it is shared memory and does not survive a crash of the machine.
    for file in ["notes.sqlite3", "notes.sqlite3-wal"] where FileManager.default.fileExists(atPath: directory.path + "/" + file) {
        try FileManager.default.copyItem(atPath: directory.path + "/" + file, toPath: copy.path + "/" + file)
    }
    return copy
}

/// Opens the store and compares its heads, lists, texts and counts with the naive store.
func expectSame(_ directory: TemporaryDirectory, _ naive: NaiveStore, _ replica: ReplicaID, _ place: String) throws {
    let journal = try openStore(directory.path, replica: replica)
    #expect(journal.lastSequence == UInt64(naive.commits.count), "\(place)")
    for deleted in [false, true] {
        let listed = try journal.heads(matching: Filter(deleted: deleted), after: nil, limit: .max)
        #expect(listed == naive.heads(matching: Filter(deleted: deleted), after: nil, limit: .max), "\(place)")
    }
    for stored in naive.heads {
        let record = try journal.note(stored.head.id, downTo: .newest, asOf: nil).map(ComparableRecord.init)
        #expect(record == naive.note(stored.head.id, downTo: .newest, asOf: nil), "\(place), \(stored.head.id)")
    }
    let statistics = try journal.statistics()
    #expect(statistics.notes == naive.heads.filter { !$0.head.isDeleted }.count, "\(place)")
    try journal.close()
}
