import Causality
import Foundation
import Logging
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import Replication
import StoreTestKit
import Synchronization
import TestKit
import TextMerge

@testable import NotesStore

/// Restarts, kills, backups and what else happens to a store.
extension World {
    private static let indexFiles = ["search.sqlite3", "search.sqlite3-wal", "search.sqlite3-shm"]
    private static let logger = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }

    mutating func maintain(_ kind: WorldStep.Kind, _ random: inout SeededGenerator) async throws {
        let store = random.below(stores.count)
        switch kind {
        case .restart, .kill, .loseIndex: try await restart(store, kind, &random)
        case .backUp: try await backUp(store)
        case .restore, .clone, .reidentify: try await bringBack(kind, &random)
        case .compact: try await compact(store)
        case .scrub: try await checkErased(store)
        default: try await dropHeld(store, &random)
        }
    }

    /// Runs a store again: after a stop, on the files as a kill leaves them, or without its index or with an
    /// older one.
    private mutating func restart(
        _ index: Int, _ kind: WorldStep.Kind, _ random: inout SeededGenerator
    ) async throws {
        let old = stores[index]
        let before = try await facts(of: index)
        var folder = old.folder
        if kind == .kill {
            folder = try TemporaryDirectory()
            try old.folder.copy(["notes.sqlite3", "notes.sqlite3-wal"], to: folder)
        }
        var bytes = kind == .kill ? old.killedBytes(&random) : old.bytes
        // A store that a failing disk keeps from closing ends as in a kill.
        let isKilled = await !old.stop() || kind == .kill
        if isKilled {
            if kind != .kill {
                folder = try TemporaryDirectory()
                try old.folder.copy(["notes.sqlite3", "notes.sqlite3-wal"], to: folder)
                bytes = bytes?.copied()
            }
            try old.folder.copy(["search.sqlite3", "search.sqlite3-wal"], to: folder)
        }
        if kind == .loseIndex {
            let older = random.chance(0.5) ? lostIndexes.randomElement(using: &random) : nil
            if !isKilled { try keepIndex(of: folder) }
            for file in Self.indexFiles { try? FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
            try older?.copy(Self.indexFiles, to: folder)
        }
        if !isKilled { bytes?.with { $0.restart() } }
        do {
            stores[index] = try await WorldStore(
                folder, on: isKilled ? nil : old.disk, bytes: bytes, as: newRun(), newStore: newRun(),
                configuration: old.configuration)
        } catch {
            guard old.disk.isFailing else { throw Failure("store \(index) cannot be opened: \(error)") }
            old.disk.recover()
            stores[index] = try await WorldStore(
                folder, on: old.disk, bytes: bytes, as: newRun(), newStore: newRun(), configuration: old.configuration)
        }
        stores[index].reader = old.reader
        guard stores[index].identity.store == old.identity.store else { throw Failure("store \(index) is another one now") }
        let after = try await facts(of: index)
        guard after == before else { throw Failure("store \(index) shows something else after a \(kind): \(before) \(after)") }
        try await checkHeld(index)
        try await folderWasOpened(index)
    }

    /// Runs a store again whose process was killed at a call on its folder of files, or whose calls failed.
    mutating func reopenFolder(_ index: Int) async throws {
        var random = SeededGenerator(seed: UInt64(stores[index].days) &+ seed)
        try await restart(index, .kill, &random)
    }

    /// Checks what a store has after a start. Files that were lost when calls failed stay lost.
    mutating func folderWasOpened(_ index: Int) async throws {
        guard stores[index].bytes != nil else { return }
        try await checkFiles(index)
        files.stores[index].isFaulty = false
    }

    /// Keeps the index of a store that has stopped, so that it can come back when the store has changed.
    private mutating func keepIndex(of folder: TemporaryDirectory) throws {
        let kept = try TemporaryDirectory()
        try folder.copy(Self.indexFiles, to: kept)
        lostIndexes.append(kept)
    }

    /// Not on a copy of the store, which would take the lines of a watch that stays.
    mutating func facts(of index: Int) async throws -> [[String]] {
        var facts: [[String]] = []
        for id in notes { facts.append(try await stores[index].facts(id)) }
        return facts
    }

    private mutating func backUp(_ index: Int) async throws {
        try await checkFiles(index)
        let place = "\(backups.path)/\(copies.count).db"
        let hasFiles = stores[index].bytes != nil
        if hasFiles { try stores[index].putFilesInPlace() }
        // The pool of files is beside the backup.
        let response = try await stores[index].ask(.backup(to: hasFiles ? ByteString(place) : nil))
        guard case .backedUp(let backup)? = response else {
            throw Failure("store \(index) was not backed up: \(String(describing: response))")
        }
        if !hasFiles { try FileManager.default.moveItem(atPath: backup.path, toPath: place) }
        copies.append(
            Copy(
                path: place, of: index, held: judge.held[index], facts: try await facts(of: index), files: files.stores[index]))
    }

    /// A backup is restored: in place of its store, beside it, or as a store of its own.
    private mutating func bringBack(_ kind: WorldStep.Kind, _ random: inout SeededGenerator) async throws {
        guard !copies.isEmpty else { return }
        let copy = random.pick(copies)
        guard kind == .restore || stores.count < Self.storesMax else { return }
        let folder = try TemporaryDirectory()
        var findings: [String] = []
        do {
            _ = try Store.restore(copy.path, into: folder.path, asNewStore: kind == .reidentify) {
                store throws(StoreError) in
                findings += try store.faults(isQuick: false)
                let journal = try store.journal(logger: Self.logger)
                do {
                    findings += try OfflineAudit.run(journal) { _, _ in }.findings.map { "\($0)" }
                } catch {
                    findings.append("\(error)")
                }
                return []
            }
        } catch {
            throw Failure("a backup of store \(copy.of) cannot be restored: \(error)")
        }
        guard findings.isEmpty else { throw Failure("a backup of store \(copy.of) has faults: \(findings)") }
        let old = stores[copy.of]
        let index = kind == .restore ? copy.of : stores.count
        if kind == .restore, await old.stop() {
            try keepIndex(of: old.folder)
            // Its index may stay in place.
            if random.chance(0.5) { try old.folder.copy(Self.indexFiles, to: folder) }
        }
        let bytes = try old.bytes.map { _ in try WorldStore.restoredBytes(in: folder) }
        let restored = try await WorldStore(
            folder, bytes: bytes, as: newRun(), newStore: newRun(), configuration: old.configuration)
        let state = files.restored(copy.files)
        if kind == .restore {
            stores[index] = restored
            stores[index].reader = old.reader
            judge.restore(index, holding: copy.held)
            files.lost.formUnion(files.stores[index].present)
            files.stores[index] = state
        } else {
            add(restored, holding: copy.held, files: state)
        }
        let shown = try await facts(of: index)
        guard shown == copy.facts else {
            throw Failure("store \(index) shows something else than its backup: \(copy.facts) \(shown)")
        }
        try await checkHeld(index)
        try await checkFiles(index)
    }

    /// A day passes for a store, and it compacts its texts if it is configured so.
    mutating func compact(_ index: Int) async throws {
        let before = try await facts(of: index)
        try await passDay(index)
        let after = try await facts(of: index)
        guard after == before else { throw Failure("compaction changed store \(index): \(before) \(after)") }
    }

    mutating func passDay(_ index: Int) async throws {
        if stores[index].configuration.history != .keepAll { (isAnyTextGone, isAnyTextCompacted) = (true, true) }
        stores[index].days += 1
        files.stores[index].promised = []
        let engine = stores[index].harness.engine
        engine.submit([.tick(seconds: stores[index].days * 86_400)])
        while try await engine.isCompacting() {}
    }

    private mutating func dropHeld(_ index: Int, _ random: inout SeededGenerator) async throws {
        let held = try await stores[index].holdings()
        guard let dot = held.quarantined.union(held.waiting).sorted().randomElement(using: &random) else { return }
        // Also if a failing disk leaves the outcome open.
        if !held.committed.contains(dot) { judge.restore(index, holding: judge.held[index].subtracting([dot])) }
        let response = try await stores[index].ask(.dropHeld([dot]))
        guard case .heldDropped? = response else { throw Failure("\(dot) was not dropped: \(String(describing: response))") }
    }

    // MARK: Exchange

    /// Sends some of the revisions that another store lacks, in any order, with repeats, perhaps cut short.
    mutating func send(_ random: inout SeededGenerator) async throws {
        let (from, to) = (random.below(stores.count), random.below(stores.count))
        guard from != to else { return }
        let known = random.chance(0.2) ? DotSet() : try await stores[to].harness.knownDots()
        let limit = 1 + random.below(12)
        for page in try await stores[from].harness.missing(by: known).parts(revisionsMax: limit) {
            var revisions = page.revisions
            if random.chance(0.3) { revisions.shuffle(using: &random) }
            if random.chance(0.2) { revisions += revisions.prefix(2) }
            if random.chance(0.1) { revisions = Array(revisions.dropFirst()) }
            _ = try await stores[to].harness.adopt(
                revisions, beginnings: page.beginnings, mayPurge: random.chance(0.9))
            try await checkHeld(to)
            if random.chance(0.2) { return }
        }
    }

    /// Two stores exchange what both lack, as daemons do, perhaps over connections that break.
    mutating func syncSomewhere(_ random: inout SeededGenerator) async throws {
        let (from, to) = (random.below(stores.count), random.below(stores.count))
        guard from != to else { return }
        let cuts = (random.chance(0.5) ? random.below(12) : nil, random.chance(0.5) ? random.below(12) : nil)
        try await sync(from, to, cutAfter: cuts)
        for store in [from, to] {
            try await checkHeld(store)
            try await checkFiles(store)
        }
    }

    mutating func sync(_ from: Int, _ to: Int, cutAfter: (Int?, Int?) = (nil, nil)) async throws {
        let number = newConnection()
        do {
            let here = try await EngineLink(stores[from].harness, stores[from].identity, number, cutAfter: cutAfter.0)
            defer { here.end() }
            let there = try await EngineLink(stores[to].harness, stores[to].identity, number, cutAfter: cutAfter.1)
            defer { there.end() }
            let state = Mutex(ReplicationState())
            try await Replicator(here: here, there: there, sleep: { _ in await Task.yield() }).run(once: true) { isPull, event in
                state.withLock { $0.take(event, isPull: isPull) }
            }
            if cutAfter == (nil, nil) { try await checkWord("\(state.withLock { $0 })", from, to) }
        } catch is EngineLink.Cut {
            guard cutAfter != (nil, nil) || stores[from].disk.isFailing || stores[to].disk.isFailing else {
                throw Failure("the exchange of stores \(from) and \(to) broke")
            }
        }
        for store in [from, to] { try await stores[store].harness.released() }
    }

    /// Checks that the state "up to date" is reported only for stores that hold the same.
    private mutating func checkWord(_ word: String, _ here: Int, _ there: Int) async throws {
        guard word == "up to date" else { return }
        let (mine, theirs) = (try await stores[here].holdings(), try await stores[there].holdings())
        let missing = mine.committed.symmetricDifference(theirs.committed)
        // A revision of the own store that is not accepted is reported with what the store holds back.
        guard missing.subtracting(mine.quarantined).isEmpty else {
            throw Failure("the exchange of stores \(here) and \(there) is up to date, and they differ in \(missing.sorted())")
        }
    }

    /// A beginning that a store must not take: another text under a known dot, one that claims a revision of
    /// another note, or a purge that states another text.
    private mutating func forgedBeginning(
        of note: NoteResponse, in index: Int, _ random: inout SeededGenerator
    ) async throws -> NoteBeginning? {
        let (head, time, harness) = (note.head, Timestamp(milliseconds: 1), stores[index].harness)
        lies += 1
        let dot = Dot(ReplicaID(bits: 1 << 42), lies)
        switch random.below(3) {
        case 0:
            guard let known = try await harness.missing(by: DotSet()).beginnings.first else { return nil }
            return NoteBeginning(
                floor: known.floor, below: known.below, text: bytes("another text\n"), name: known.name,
                lastLine: known.lastLine, isDeleted: known.isDeleted, created: known.created)
        case 1:
            let claimed = random.pick(head.version.dots)
            let floor = Revision(
                note: noteID(1_000 + lies), dot: dot, parents: Version(claimed), edits: [], origin: .stated, author: ada,
                time: time)
            return NoteBeginning(
                floor: LinkedRevision(floor, parentHashes: [RevisionHash(bits: 7)]), below: DotSet([claimed]),
                text: bytes("a lie\n"), name: nil, lastLine: .shown, isDeleted: false, created: time)
        default:
            let floor = Revision(
                note: head.id, dot: dot, parents: head.version, edits: [], origin: .stated, name: .set(head.name),
                isTombstone: false, mark: Mark(.purge, covers: []), author: ada, time: time)
            let below = try await harness.dots(of: head.id)
            return NoteBeginning(
                floor: LinkedRevision(floor, parentHashes: head.version.dots.map { _ in RevisionHash(bits: 7) }), below: below,
                erased: below, text: bytes("another text\n"), name: head.name, lastLine: .shown, isDeleted: false, created: time)
        }
    }

    /// A peer offers forged revisions, and perhaps a forged beginning. No note may change.
    mutating func lie(_ random: inout SeededGenerator) async throws {
        let (index, id) = (random.below(stores.count), random.pick(notes))
        guard let note = try await stores[index].note(id) else { return }
        let before = try await facts(of: index)
        lies += 1
        let liar = ReplicaID(bits: 1 << 40 | UInt64(random.below(2)))
        var (dot, parents) = (Dot(liar, lies), note.head.version)
        switch random.below(4) {
        case 0: parents = Version(Dot(ReplicaID(bits: 1 << 41), lies))
        case 1: parents = Version(Dot(liar, max(1, lies - 1)))
        case 2:
            let held = try await stores[index].holdings().committed.sorted()
            dot = random.pick(held)
            if parents.dots.contains(dot) { parents = Version(Dot(ReplicaID(bits: 1 << 41), lies)) }
        default: break
        }
        guard !parents.dots.contains(dot) else { return }
        let content = Revision(
            note: id, dot: dot, parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes("a lie\n"))], origin: .stated,
            author: ada, time: Timestamp(milliseconds: 1))
        let revision = LinkedRevision(content, parentHashes: parents.dots.map { _ in RevisionHash(bits: 7) })
        _ = try await stores[index].harness.adopt([revision])
        if random.chance(0.5), let forged = try await forgedBeginning(of: note, in: index, &random) {
            _ = try await stores[index].harness.adopt([], beginnings: [forged])
        }
        let after = try await facts(of: index)
        guard after == before else { throw Failure("a lie changed store \(index): \(before) \(after)") }
        try await checkHeld(index)
    }
}
