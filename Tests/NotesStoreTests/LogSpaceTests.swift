import Causality
import Foundation
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// The log has its blocks before anything is written to it, and its content is never taken from zeros.
@Suite struct LogSpaceTests {
    private let directory: TemporaryDirectory
    private var store: String { directory.path + "/store" }
    private var log: String { store + "/notes.sqlite3-wal" }
    private var next: String { log + ".next" }
    private let prepared = JournalLimits().logBytesPrepared

    init() throws { directory = try TemporaryDirectory() }

    private func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
    }

    /// Whether a file has this size, all of it on the disk, and consists of zeros.
    private func isZeros(_ path: String, _ bytes: Int) throws -> Bool {
        var status = stat()
        try #require(stat(path, &status) == 0)
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        return content.count == bytes && content.allSatisfy { $0 == 0 } && Int(status.st_blocks) * 512 >= bytes
    }

    private func append(
        _ count: Int, _ generator: inout HistoryGenerator, _ naive: inout NaiveStore, _ journal: SQLiteJournal
    ) throws {
        let commits = generator.commits(count)
        try journal.append(commits.map { .commit($0, operation: nil) })
        for commit in commits { naive.append(commit) }
    }

    @Test func logDoesNotGrow_fromTheFirstCommitOn() throws {
        var (generator, naive) = (HistoryGenerator(seed: 1), NaiveStore())
        for _ in 0..<3 {
            let journal = try openStore(store, replica: generator.replica)
            #expect(try isZeros(log, prepared) && size(next) == nil)
            for _ in 0..<20 { try append(2, &generator, &naive, journal) }
            #expect(size(log) == prepared)
            try expectReadable(journal, naive, &generator, "in this run")
            try journal.close()
            #expect(try size(log) == nil && isZeros(next, prepared))
            generator.restart()
        }
    }

    /// Commits of as many pages as `maintain` leaves in the log.
    @Test func logDoesNotGrow_beforeItIsFull() throws {
        var (generator, naive) = (HistoryGenerator(seed: 5), NaiveStore())
        try openStore(store, replica: generator.replica).close()
        generator.restart()
        let journal = try openStore(store, replica: generator.replica)
        var pages = 0
        while true {
            try append(2, &generator, &naive, journal)
            guard journal.connections.logPages > pages, journal.connections.logPages <= journal.limits.logPagesTidied else {
                break
            }
            pages = journal.connections.logPages
            #expect(size(log) == prepared, "\(pages) pages")
        }
        #expect(pages > journal.limits.logPagesTidied * 9 / 10)
        try journal.close()
    }

    /// What was in the log, as a purged text, is in no file of the log once it is scrubbed or the store is closed.
    @Test(arguments: [true, false])
    func oldContent_isInNoBlockOfTheLog(isScrubbed: Bool) throws {
        var (generator, naive) = (HistoryGenerator(seed: 6), NaiveStore())
        for _ in 0..<2 {
            let journal = try openStore(store, replica: generator.replica)
            for _ in 0..<20 { try append(2, &generator, &naive, journal) }
            if isScrubbed {
                #expect(try journal.scrubLog())
                #expect(size(log) == 0)
                try append(1, &generator, &naive, journal)
            }
            try journal.close()
            #expect(try size(log) == nil && isZeros(next, prepared))
            generator.restart()
        }
    }

    /// A backup and the store that is restored from it have no blocks for a log, and reading a closed store
    /// leaves them as they are.
    @Test func backupAndInspection_leaveTheBlocksAlone() throws {
        var (generator, naive) = (HistoryGenerator(seed: 7), NaiveStore())
        var journal = try openStore(store, replica: generator.replica)
        try append(5, &generator, &naive, journal)
        let copy = try #require(journal.copy)
        let backup = try copy.write(to: "copy.db", now: Timestamp(milliseconds: 1), end: { nil }, progress: { _, _ in })
        #expect(try FileManager.default.contentsOfDirectory(atPath: store + "/backups") == ["copy.db"])
        try journal.close()
        #expect(try OfflineStore(directory: store).faults(isQuick: false) == [])
        #expect(try size(log) == nil && isZeros(next, prepared))

        let restored = directory.path + "/restored"
        _ = try Store.restore(backup.path, into: restored) { _ throws(StoreError) in [] }
        #expect(size(restored + "/notes.sqlite3-wal") == nil && size(restored + "/notes.sqlite3-wal.next") == nil)
        generator.restart()
        journal = try openStore(restored, replica: generator.replica)
        try expectReadable(journal, naive, &generator, "restored")
        #expect(try isZeros(restored + "/notes.sqlite3-wal", prepared))
        try journal.close()
    }

    /// A run that is killed leaves its log, however short.
    @Test func killedRun_losesNothing() throws {
        var (generator, naive) = (HistoryGenerator(seed: 2), NaiveStore())
        var journal = try openStore(store, replica: generator.replica)
        try append(3, &generator, &naive, journal)
        try journal.close()
        generator.restart()
        for round in 0..<4 {
            let journal = try openStore(store, replica: generator.replica)
            try append(3, &generator, &naive, journal)
            let copy = directory.path + "/copy-\(round)"
            try FileManager.default.copyItem(atPath: store, toPath: copy)
            if round.isMultiple(of: 2) {
                // A log without the zeros behind its frames, as that of an earlier version.
                let bytes = try Data(contentsOf: URL(fileURLWithPath: copy + "/notes.sqlite3-wal"))
                let end = try #require(bytes.lastIndex { $0 != 0 })
                try bytes[...end].write(to: URL(fileURLWithPath: copy + "/notes.sqlite3-wal"))
            }
            let found = try openStore(copy, replica: ReplicaID(bits: UInt64(900 + round)))
            try expectReadable(found, naive, &generator, "round \(round)")
            #expect(size(copy + "/notes.sqlite3-wal") ?? 0 >= prepared)
            try found.close()
            try journal.close()
            generator.restart()
        }
        journal = try openStore(store, replica: generator.replica)
        try expectReadable(journal, naive, &generator, "at the end")
        try journal.close()
    }

    @Test(arguments: ["text", "short", "folder", "link", "log"])
    func anythingElseThanZeros_isNotTakenForALog(what: String) throws {
        var (generator, naive) = (HistoryGenerator(seed: 3), NaiveStore())
        var journal = try openStore(store, replica: generator.replica)
        try append(3, &generator, &naive, journal)
        // The log of this run, which would take a store of another state back to it.
        let frames = try Data(contentsOf: URL(fileURLWithPath: log))
        try append(3, &generator, &naive, journal)
        try journal.close()
        generator.restart()
        try FileManager.default.removeItem(atPath: next)
        switch what {
        case "text": try Data(repeating: 120, count: prepared).write(to: URL(fileURLWithPath: next))
        case "short": try Data(count: 100).write(to: URL(fileURLWithPath: next))
        case "folder": try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: false)
        case "link": try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "/dev/zero")
        default: try frames.write(to: URL(fileURLWithPath: next))
        }
        journal = try openStore(store, replica: generator.replica)
        try expectReadable(journal, naive, &generator, what)
        #expect(size(log) == prepared)
        try journal.close()
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs needs root"))
    func fullDisk_doesWithout() throws {
        var (generator, naive) = (HistoryGenerator(seed: 4), NaiveStore())
        let disk = try SmallDisk(bytes: 2 << 20)
        for _ in 0..<2 {
            let journal = try openStore(disk.path + "/store", replica: generator.replica)
            try append(2, &generator, &naive, journal)
            try expectReadable(journal, naive, &generator, "on a small disk")
            try journal.close()
            #expect(size(disk.path + "/store/notes.sqlite3-wal.next") == nil)
            generator.restart()
        }
    }
}
