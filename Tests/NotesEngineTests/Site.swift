import Causality
import Foundation
import Logging
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import StoreTestKit
import TestKit
import TextMerge

@testable import NotesStore

/// An engine on a separate store, with one connection that writes: one of several sites that
/// exchange revisions.
struct Site {
    /// Nil: the store is in memory, and cannot be opened again.
    private(set) var folder: TemporaryDirectory?
    var harness: Harness
    private(set) var identity: StoreIdentity

    /// Earlier responses to the connection, on which it writes.
    private struct Merged {
        let note: NoteID
        let version: Version
        let text: [UInt8]
    }

    private var shown: [Merged] = []

    init(
        _ folder: TemporaryDirectory? = nil, as replica: ReplicaID, configuration: EngineConfiguration = EngineConfiguration(),
        faults: [JournalError?] = [], hasFiles: Bool = false
    ) async throws {
        self.folder = folder
        identity = StoreIdentity(store: ReplicaID(bits: 99), replica: replica)
        if let folder {
            let journal = try Self.open(folder, replica)
            let files = hasFiles ? try Store.openFiles(of: journal, in: folder.path) : nil
            harness = Harness(journal: journal, files: files, configuration: configuration)
        } else {
            let journal = MemoryJournal(identity: identity)
            journal.appendFaults = faults
            harness = Harness(journal: journal, configuration: configuration)
        }
        _ = await harness.register(1)
    }

    static func open(_ folder: TemporaryDirectory, _ replica: ReplicaID) throws(StoreError) -> sending SQLiteJournal {
        var limits = JournalLimits()
        // Heads are flushed while the tests run.
        (limits.unflushedRowsMax, limits.unflushedRowsKept, limits.flushRowsPerStep) = (20, 4, 4)
        return try Store.open(
            directory: folder.path, replica: replica, newStore: ReplicaID(bits: 99), now: Timestamp(milliseconds: 0),
            limits: limits, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    var engine: Engine { harness.engine }

    func stop() async {
        await engine.finish()
    }

    /// Stops the engine, and runs it again as another replica.
    mutating func restart(
        as replica: ReplicaID, _ configuration: EngineConfiguration = EngineConfiguration()
    ) async throws {
        guard let folder else { return }
        await stop()
        let shown = shown
        self = try await Site(folder, as: replica, configuration: configuration)
        self.shown = shown
    }

    // MARK: Writes

    mutating func write(_ command: Command) async -> Response? {
        await harness.ask(one, .write(command))
    }

    mutating func note(_ id: NoteID) async -> NoteResponse? {
        guard case .note(let note) = await harness.ask(one, .get(GetNote(.id(id)))) else { return nil }
        return note
    }

    mutating func text(_ id: NoteID) async -> String? {
        await note(id).map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// Creates, saves, edits, renames or deletes a note, based on an earlier response.
    mutating func writeSomething(_ notes: [NoteID], _ number: Int, _ random: inout SeededGenerator) async {
        let id = random.pick(notes)
        if random.chance(0.4), let note = await note(id) {
            shown.append(Merged(note: id, version: note.head.version, text: note.text))
        }
        if random.chance(0.15), await undoSomething(id, &random) { return }
        guard let base = shown.filter({ $0.note == id }).randomElement(using: &random) else {
            let response = await write(
                create(id, "one\ntwo\nthree\n", name: random.chance(0.5) ? ByteString("n\(number % 3)") : nil))
            if case .created(let head, _) = response {
                shown.append(Merged(note: id, version: head.version, text: bytes("one\ntwo\nthree\n")))
            }
            return
        }
        let outcome = await write(Self.command(on: base, number, &random))?.outcome
        guard let outcome, let dot = outcome.dot,
            let response = await harness.ask(one, .get(GetNote(.id(id), at: Version(dot))))
        else { return }
        if case .note(let own) = response { shown.append(Merged(note: id, version: Version(dot), text: own.text)) }
    }

    /// Undoes one of the note's newest revisions, which may be an undo itself, or tries to.
    ///
    /// - Returns: whether the note has revisions.
    private mutating func undoSomething(_ id: NoteID, _ random: inout SeededGenerator) async -> Bool {
        guard let note = await note(id),
            case .history(let revisions, _) = await harness.ask(
                one, .history(ReadHistory(id: id, limit: 12, before: nil)))
        else { return false }
        let dot = random.pick(revisions).dot
        _ = await write(.undoNote(UndoNote(id: id, base: note.head.version, revisions: [dot])))
        return true
    }

    private static func command(on base: Merged, _ number: Int, _ random: inout SeededGenerator) -> Command {
        switch random.below(10) {
        case 0: return .deleteNote(DeleteNote(id: base.note, base: base.version))
        case 1:
            let name = NameRequest.set(ByteString("n\(random.below(4))"))
            return .saveNote(SaveNote(id: base.note, base: base.version, text: nil, name: name))
        case 2...5:
            var lines = base.text.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
            let at = random.below(lines.count + 1)
            if at < lines.count, random.chance(0.3) { lines.remove(at: at) } else { lines.insert(bytes("\(number) é\n"), at: at) }
            return .saveNote(SaveNote(id: base.note, base: base.version, text: Array(lines.joined())))
        default:
            let length = String(decoding: base.text, as: UTF8.self).unicodeScalars.count
            let start = random.below(length + 1)
            let edit = PositionedEdit(
                start: start, end: min(length, start + random.below(3)), text: bytes(random.pick(["", "x", "ÿ\n"])))
            return .editNote(EditNote(id: base.note, base: base.version, edits: [edit], encoding: .utf32))
        }
    }

    // MARK: Exchange

    /// Sends some or all of the revisions that the other site lacks, in any order, with repeats, in
    /// parts; perhaps cut short.
    func send(to other: Site, _ random: inout SeededGenerator) async throws {
        let known = random.chance(0.2) ? DotSet() : try await other.knownDots()
        let limit = PageLimit(revisionsMax: 1 + random.below(12), bytesMax: 1 + random.below(2_000))
        for page in try await missing(by: known).parts(revisionsMax: limit.revisionsMax, bytesMax: limit.bytesMax) {
            var revisions = page.revisions
            if random.chance(0.5) { revisions.shuffle(using: &random) }
            if random.chance(0.2) { revisions += revisions.prefix(2) }
            if random.chance(0.2) { revisions = Array(revisions.dropFirst()) }
            _ = try await other.adopt(revisions, beginnings: page.beginnings)
            if random.chance(0.2) { return }
        }
    }

    /// Sends all revisions that the other site lacks.
    func sendAll(to other: Site) async throws {
        let known = try await other.knownDots()
        for page in try await missing(by: known).parts(revisionsMax: 7) {
            _ = try await other.adopt(page.revisions, beginnings: page.beginnings)
        }
    }

    /// Everything that is the same in all stores with the same revisions. Times and authors of the
    /// newest commit may differ between stores.
    mutating func facts(_ id: NoteID) async -> [String] {
        guard let note = await note(id) else { return [] }
        let head = note.head
        return [
            "\(note.siblings)", String(decoding: note.text, as: UTF8.self), "\(head.vector)".isEmpty ? "" : "\(head.version)",
            head.vector.counters.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " "),
            "\(head.name.map(\.description) ?? "none")", "\(head.title) \(head.tags) \(head.bytes) \(head.isDeleted)",
            "\(head.conflicts)",
        ]
    }
}

extension TemporaryDirectory {
    /// A copy of the store's files as they are now. Without the WAL it contains only what was
    /// checkpointed into the database.
    func copied(withLog: Bool = true) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        try self.copy(["notes.sqlite3"] + (withLog ? ["notes.sqlite3-wal"] : []), to: copy)
        return copy
    }

    /// Copies those of some files that exist.
    func copy(_ files: [String], to other: TemporaryDirectory) throws {
        for file in files where FileManager.default.fileExists(atPath: path + "/" + file) {
            try FileManager.default.copyItem(atPath: path + "/" + file, toPath: other.path + "/" + file)
        }
    }
}
