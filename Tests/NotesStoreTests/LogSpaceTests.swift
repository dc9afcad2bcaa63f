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
            #expect(size(log) == prepared && size(next) == nil)
            for _ in 0..<20 { try append(2, &generator, &naive, journal) }
            #expect(size(log) == prepared)
            try expectReadable(journal, naive, &generator, "in this run")
            try journal.close()
            #expect(size(log) == nil && size(next) == prepared)
            generator.restart()
        }
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
