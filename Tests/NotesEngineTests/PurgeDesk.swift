import Causality
import Foundation
import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesSearch
import NotesStore
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesEngine

/// An engine on a store with an index, whose writes all consist of unique words.
struct PurgeDesk {
    let folder: TemporaryDirectory
    var harness: Harness
    private var words: [NoteID: Set<String>] = [:]
    private var versions: [NoteID: [Version]] = [:]
    private var erased: Set<String> = []
    private var count = 0
    /// All revisions of another store that were offered.
    private var offered: [LinkedRevision] = []
    /// The number of offers that the store kept beside its notes, and of those that it dropped.
    private(set) var (held, dropped) = (0, 0)

    init(_ folder: TemporaryDirectory, as replica: ReplicaID) async throws {
        self.folder = folder
        harness = try Self.harness(folder, replica)
        _ = await harness.register(1)
    }

    private static func harness(_ folder: TemporaryDirectory, _ replica: ReplicaID) throws -> Harness {
        let journal = try Site.open(folder, replica)
        let index = try SearchIndex(
            directory: folder.path, store: journal.identity.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        return Harness(journal: journal, index: index, configuration: EngineConfiguration(history: .keepDays(0)))
    }

    mutating func restart(as replica: ReplicaID) async throws {
        await harness.engine.finish()
        harness = try Self.harness(folder, replica)
        _ = await harness.register(1)
    }

    private mutating func word(of id: NoteID) -> String {
        count += 1
        let word = "w\(count)x\(count * 7_919 % 1_000)secret"
        words[id, default: []].insert(word)
        return word
    }

    private mutating func note(_ id: NoteID) async -> NoteResponse? {
        guard case .note(let note) = await harness.ask(one, .get(GetNote(.id(id)))) else { return nil }
        return note
    }

    mutating func write(_ random: inout SeededGenerator) async {
        let id = noteID(1 + UInt64(random.below(4)))
        guard let now = await note(id) else {
            let text = "title \(word(of: id))\n#\(word(of: id))\n"
            _ = await harness.ask(
                one, .write(create(id, text, name: random.chance(0.5) ? ByteString(word(of: id)) : nil)))
            return
        }
        versions[id, default: []].append(now.head.version)
        let old = random.chance(0.25) ? random.pick(versions[id] ?? []) : now.head.version
        guard case .note(let base) = await harness.ask(one, .get(GetNote(.id(id), at: old))) else { return }
        var lines = String(decoding: base.text, as: UTF8.self).split(separator: "\n").map(String.init)
        for _ in 0..<1 + random.below(3) {
            if random.chance(0.5) || lines.isEmpty {
                lines.insert((random.chance(0.3) ? "#" : "") + word(of: id), at: random.below(lines.count + 1))
            } else {
                lines.remove(at: random.below(lines.count))
            }
        }
        let text = lines.map { $0 + "\n" }.joined()
        let command: Command
        switch random.below(10) {
        case 0: command = .deleteNote(DeleteNote(id: id, base: old))
        case 1:
            command = .saveNote(
                SaveNote(id: id, base: old, text: bytes(text), name: .set(ByteString(word(of: id)))))
        case 2:
            guard
                case .history(let revisions, _) = await harness.ask(
                    one, .history(ReadHistory(id: id, limit: 8, before: nil)))
            else { return }
            command = .undoNote(UndoNote(id: id, base: now.head.version, revisions: [random.pick(revisions).dot]))
        case 3:
            command = .saveNote(
                SaveNote(id: id, base: now.head.version, text: bytes(text), resolves: now.head.conflicts.map(\.id)))
        default: command = save(id, text, on: old)
        }
        _ = await harness.ask(one, .write(command, operation: ByteString("op\(count)-\(random.next())")))
    }

    /// Offers a revision of another store: a new one, whose parent is unknown or another than the writer
    /// saw, or one that was offered before. The store keeps a new one with its text until the next purge.
    mutating func offer(_ random: inout SeededGenerator) async throws {
        let id = noteID(1 + UInt64(random.below(4)))
        guard let now = await note(id) else { return }
        var revision = offered.isEmpty || random.chance(0.5) ? nil : random.pick(offered)
        if revision == nil {
            let number = UInt64(offered.count + 1)
            let earlier = offered.filter { $0.note == id }.map(\.dot)
            let parents = random.chance(0.5) ? now.head.version : Version(earlier.last ?? Dot(ReplicaID(bits: 1 << 41), number))
            let content = Revision(
                note: id, dot: Dot(ReplicaID(bits: 1 << 40), number), parents: parents,
                edits: [Edit(start: 0, end: 0, replacement: bytes(word(of: id) + "\n"))], origin: .stated,
                author: Author(user: "eve", label: ByteString(word(of: id))), time: Timestamp(milliseconds: 1))
            let new = LinkedRevision(content, parentHashes: parents.dots.map { _ in RevisionHash(bits: 7) })
            offered.append(new)
            revision = new
        }
        let report = try await harness.adopt([revision].compactMap(\.self))
        #expect(report.committed.isEmpty && report.refused.isEmpty)
        held += report.waiting.count + report.quarantined.count
        dropped += report.known
    }

    /// Offers all foreign revisions once more.
    mutating func offerAgain() async throws {
        let report = try await harness.adopt(offered)
        #expect(report.committed.isEmpty && report.refused.isEmpty)
        dropped += report.known
    }

    /// Removes the texts that no later version builds on.
    func compact() async throws {
        harness.engine.submit([.tick(seconds: 86_400)])
        while try await harness.engine.isCompacting() {}
    }

    /// Purges a note, if it has no conflict.
    mutating func purge(_ random: inout SeededGenerator) async throws -> Bool {
        let id = noteID(1 + UInt64(random.below(4)))
        guard let before = await note(id) else { return false }
        let command = Command.purgeNote(PurgeNote(id: id, base: before.head.version))
        guard case .purged = await harness.ask(one, .write(command)), let after = await note(id) else {
            return false
        }
        #expect(after.text == before.text && after.head.name == before.head.name)
        let shown = String(decoding: after.text, as: UTF8.self) + (after.head.name?.description ?? "")
        erased.formUnion((words[id] ?? []).filter { !shown.contains($0) })
        return true
    }

    /// Waits until the daemon reports that the scrub is done.
    mutating func scrub() async throws {
        while case .status(let status) = await harness.ask(one, .status), !status.store.isScrubbed { await Task.yield() }
    }

    /// The files with erased words, each with one of them. A file has all tables with their free pages.
    func leftovers() throws -> [String] {
        var found: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let data = FileManager.default.contents(atPath: folder.path + "/" + name) else { continue }
            for word in erased where data.range(of: Data(word.utf8)) != nil { found.append("\(name): \(word)") }
        }
        return found
    }

    /// The findings of an audit.
    mutating func findings() async -> [AuditFinding] {
        guard case .audited(let report) = await harness.ask(one, .audit) else { return [] }
        return report.findings
    }
}
