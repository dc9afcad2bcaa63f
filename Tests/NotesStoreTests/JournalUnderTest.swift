import Causality
import Foundation
import Logging
import NotesModel
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// Every implementation of `Journal`, with bounds so small that the one in SQLite flushes all the
/// time.
enum JournalKind: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    case sqliteFolding

    var testDescription: String { rawValue }

    var limits: JournalLimits {
        var limits = JournalLimits()
        limits.operationsKeptMax = 20
        limits.jumpLength = 2
        guard self == .sqliteFolding else { return limits }
        limits.jumpsMax = 40
        limits.memtableNotesMax = 3
        limits.headsExaminedMax = 5
        limits.tagRowsCountedMax = 4
        limits.revisionsExaminedMax = 6
        limits.unflushedRowsMax = 5
        limits.unflushedRowsKept = 2
        limits.flushRowsPerStep = 2
        limits.logPagesTidied = 8
        limits.logPagesMax = 32
        return limits
    }
}

/// A journal in a separate directory that can be closed and reopened.
final class JournalUnderTest {
    let kind: JournalKind
    let directory: TemporaryDirectory
    private(set) var journal: any Journal

    init(_ kind: JournalKind, replica: ReplicaID) throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        journal =
            kind == .memory
            ? MemoryJournal(
                identity: StoreIdentity(store: testStore, replica: replica), operationsKeptMax: kind.limits.operationsKeptMax)
            : try openStore(directory.path, replica: replica, limits: kind.limits)
    }

    /// Closes and reopens the journal; one in memory starts a new run.
    func reopen(replica: ReplicaID) throws {
        if let memory = journal as? MemoryJournal { return memory.restart(as: replica) }
        try journal.close()
        journal = try openStore(directory.path, replica: replica, limits: kind.limits)
    }
}

let testStore = ReplicaID(bits: 0xB194_6AC9_2492_D234)

/// Opens a store, and retries if a child process holds its lock: a child that another test starts
/// inherits the descriptor until it executes its program.
func openStore(
    _ directory: String, replica: ReplicaID, newStore: ReplicaID = testStore, limits: JournalLimits = JournalLimits()
) throws(StoreError) -> SQLiteJournal {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        do throws(StoreError) {
            return try openStoreAtOnce(directory, replica: replica, newStore: newStore, limits: limits)
        } catch .locked where ContinuousClock.now < deadline {
            usleep(1_000)
        }
    }
}

func openStoreAtOnce(
    _ directory: String, replica: ReplicaID, newStore: ReplicaID = testStore, limits: JournalLimits = JournalLimits()
) throws(StoreError) -> SQLiteJournal {
    try Store.open(
        directory: directory, replica: replica, newStore: newStore, now: Timestamp(milliseconds: 1_700_000_000_000),
        limits: limits,
        logger: silent)
}

let silent = Logger(label: "notesd.test") { _ in SwiftLogNoOpLogHandler() }
