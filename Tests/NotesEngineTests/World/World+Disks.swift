import Causality
import NotesEngine
import NotesMethods
import NotesModel
import StoreTestKit
import TestKit

/// Disks that fail for a while.
extension World {
    /// The outcome of a write.
    enum Outcome {
        case answered(Response?)
        /// The disk failed so that the daemon had to end, and runs again. The dot is that of the write, if it
        /// is there.
        case open(Dot?)
    }

    mutating func failDisk(of index: Int, _ random: inout SeededGenerator) {
        guard !stores[index].disk.isFailing else { return }
        let trouble = random.pick(FailingDisk.Trouble.allCases)
        stores[index].disk.fail(
            trouble, sparing: random.pick([0, 0, random.below(8), random.below(60)]),
            failing: random.chance(0.5) ? 1 + random.below(12) : 1_000)
    }

    /// The disk works again, and the store goes on by itself.
    mutating func freeDisk(of index: Int) async throws {
        guard stores[index].disk.isFailing else { return }
        if await stores[index].hasEnded { try await runAgain(index) }
        let before = try await facts(of: index)
        stores[index].disk.recover()
        try await passDay(index)
        let after = try await facts(of: index)
        guard after == before else { throw Failure("store \(index) changed as its disk recovered: \(before) \(after)") }
        for id in notes { try await check(index, id) }
    }

    /// Sends a write, which changes nothing if the failing disk refuses it.
    mutating func submit(_ command: Command, to index: Int) async throws -> Outcome {
        guard stores[index].disk.isFailing else { return .answered(try await stores[index].ask(.write(command))) }
        let before = (try await facts(of: index), try await stores[index].holdings().committed)
        let run = stores[index].identity.replica
        do {
            return .answered(try await stores[index].ask(.write(command)))
        } catch DiskError.refused(let failure) {
            let after = (try await facts(of: index), try await stores[index].holdings().committed)
            guard after == before else { throw Failure("a refused write changed store \(index): \(before) \(after)") }
            throw DiskError.refused(failure)
        } catch DiskError.ended {
            try await runAgain(index)
            let new = try await stores[index].holdings().committed.subtracting(before.1).filter { $0.replica == run }
            guard new.count < 2 else { throw Failure("one write made \(new.sorted()) in store \(index)") }
            return .open(new.first)
        }
    }

    /// Reads something of an acknowledged write, which the judge has to note even if the disk ends the daemon
    /// after its response.
    mutating func surviving<Value>(
        _ index: Int, _ body: (inout WorldStore) async throws -> Value
    ) async throws -> Value {
        do { return try await body(&stores[index]) } catch {
            guard await stores[index].hasEnded else { throw error }
            try await runAgain(index)
            return try await body(&stores[index])
        }
    }

    /// Runs a store again whose daemon ended because its disk failed, on the files that it left.
    mutating func runAgain(_ index: Int) async throws {
        let old = stores[index]
        let folder = try TemporaryDirectory()
        try old.folder.copy(["notes.sqlite3", "notes.sqlite3-wal"], to: folder)
        let bytes = old.bytes?.copied()
        await old.stop()
        try old.folder.copy(["search.sqlite3", "search.sqlite3-wal"], to: folder)
        stores[index] = try await WorldStore(
            folder, bytes: bytes, as: newRun(), newStore: newRun(), configuration: old.configuration)
        try await folderWasOpened(index)
        stores[index].reader = old.reader
        guard stores[index].identity.store == old.identity.store else { throw Failure("store \(index) is another one now") }
        try await checkHeld(index)
    }
}
