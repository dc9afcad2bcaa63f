import Causality
import Console
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Synchronization
import TestKit
import Testing

@testable import FolderSync
@testable import NoteTasks

/// Two folders of one daemon with pictures and texts, in which programs, clients and mirrors take one step at a time.
/// A mirror may be killed at each of its calls.
///
/// It knows which bytes programs have written, and which of them a program has taken away again.
struct FilesWorld {
    private struct Killed: Error {}

    /// A client that is killed at a call.
    private actor Kill {
        private var calls = 0
        private let at: Int?
        private(set) var isDone = false

        init(at: Int?) { self.at = at }

        /// - Parameter isBefore: whether the request is still to be sent.
        func called(isBefore: Bool) throws {
            if isBefore { calls += 1 }
            // An even number kills before the request is sent, an odd one after it is answered.
            if let at, calls == at / 2 + 1, isBefore == (at % 2 == 0) { isDone = true }
            if isDone { throw Killed() }
        }
    }

    private let client: NotesClient
    private let root: String
    private let seed: UInt64
    private let files: FileChoice
    private var random: SeededGenerator
    private var written: Set<String> = []
    private var taken: Set<String> = []
    private var serial = 0
    private(set) var log: [String] = []

    private static let names = ["p.png", "d/p.png", "q.pdf", "t.md", "u.unknown"]
    private static let folders = ["a", "b"]

    init(_ client: NotesClient, root: String, seed: UInt64) throws {
        (self.client, self.root, self.seed, random) = (client, root, seed, SeededGenerator(seed: seed))
        files = FileChoice(kinds: seed % 4 == 0 ? .all : .known)
        for folder in Self.folders {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)/d", withIntermediateDirectories: true)
        }
    }

    // MARK: Steps

    /// Takes a step.
    ///
    /// - Returns: the fault that it met; nil if there is none.
    mutating func step() async throws -> String? {
        let (folder, name) = (Self.folders[random.below(2)], Self.names[random.below(Self.names.count)])
        switch random.below(12) {
        case 0...2: write(folder, name)
        case 3: rename(folder, name, Self.names[random.below(Self.names.count)])
        case 4: remove(folder, name)
        case 5: exchange(folder, name, Self.names[random.below(Self.names.count)])
        case 6: try await change(name)
        case 7: return try await run(folder, killedAt: random.below(24))
        default: return try await run(folder)
        }
        return nil
    }

    private func path(_ folder: String, _ name: String) -> String { "\(root)/\(folder)/\(name)" }

    private func content(_ folder: String, _ name: String) -> String? {
        (try? Files.read(path(folder, name))).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func unique() -> String {
        serial += 1
        return "content \(seed)-\(serial)\n"
    }

    private mutating func write(_ folder: String, _ name: String) {
        if let old = content(folder, name) { taken.insert(old) }
        let new = unique()
        log.append("\(folder) \(name): \(new.dropLast())")
        written.insert(new)
        // Some programs write in place, others a new file.
        if random.below(2) == 0 {
            try? Files.write(bytes(new), to: path(folder, name))
        } else {
            try? Files.write(bytes(new), to: path(folder, ".new"))
            _ = Glibc.rename(path(folder, ".new"), path(folder, name))
        }
    }

    private mutating func rename(_ folder: String, _ name: String, _ to: String) {
        guard name != to, content(folder, name) != nil else { return }
        if let old = content(folder, to) { taken.insert(old) }
        log.append("\(folder) mv \(name) \(to)")
        _ = Glibc.rename(path(folder, name), path(folder, to))
    }

    private mutating func exchange(_ folder: String, _ name: String, _ other: String) {
        guard name != other, content(folder, name) != nil, content(folder, other) != nil else { return }
        log.append("\(folder) exchange \(name) \(other)")
        _ = Glibc.rename(path(folder, name), path(folder, ".other"))
        _ = Glibc.rename(path(folder, other), path(folder, name))
        _ = Glibc.rename(path(folder, ".other"), path(folder, other))
    }

    private mutating func remove(_ folder: String, _ name: String) {
        guard let old = content(folder, name) else { return }
        log.append("\(folder) rm \(name)")
        taken.insert(old)
        unlink(path(folder, name))
    }

    /// A client changes, renames or deletes a file.
    private mutating func change(_ name: String) async throws {
        guard let note = try await client.listAll(Filter(kind: .file)).map(\.head).first(where: { $0.name?.description == name })
        else { return }
        do {
            switch random.below(3) {
            case 0:
                let new = unique()
                log.append("client put \(name): \(new.dropLast())")
                let file = "\(root)/put"
                try Files.write(bytes(new), to: file)
                let content = try await LocalFile(file).upload(client)
                _ = try await client.save(SaveNote(id: note.id, base: note.version, file: content))
            case 1:
                let to = Self.names[random.below(3)]
                log.append("client mv \(name) \(to)")
                _ = try await client.save(SaveNote(id: note.id, base: note.version, name: .set(ByteString(to))))
            default:
                log.append("client rm \(name)")
                _ = try await client.delete(note.id, base: note.version)
            }
        } catch ClientError.refused(let error) where error.kind == .noteExists {}
    }

    // MARK: Mirrors

    /// Runs the mirror of a folder, and looks for bytes that are lost.
    private mutating func run(_ folder: String, killedAt: Int? = nil) async throws -> String? {
        log.append("mirror \(folder)\(killedAt.map { " killed at \($0)" } ?? "")")
        _ = try await report(folder, killedAt: killedAt)
        return try await lost()
    }

    /// - Returns: nil if the mirror was killed.
    private func report(_ folder: String, killedAt: Int? = nil) async throws -> MirrorReport? {
        let database = "\(root)/files.sqlite3"
        if access(database, F_OK) != 0 { try Files.write([], to: database) }
        let place = FileRecords.realPath("\(root)/\(folder)")
        let opened = try Descriptor.open(place, O_RDONLY | O_DIRECTORY)
        let records = try FileRecords(
            path: database, FileRecords.Place(directory: place, store: try await client.store()), boot: [])
        let kill = Kill(at: killedAt)
        var mirror = FolderMirror(
            WorldClient(client: client) { try await kill.called(isBefore: $0) }, .lists, directory: opened.number,
            tree: FileTree(opened), place: place,
            files: files, records: records, isApproved: true, missingTime: .zero, stampAge: FileStamp.tick)
        do {
            let result = try await BoundedTaskGroup.$max.withValue(1) {
                try await mirror.bringInStep(MirrorReport(options: .plain, isSilent: true))
            }
            return result.report
        } catch {
            guard await kill.isDone else { throw error }
            return nil
        }
    }

    private func all(_ folder: String) -> [String: String] {
        var files: [String: String] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? [] {
            if let content = content(folder, name) { files[name] = content }
        }
        return files
    }

    // MARK: Judgement

    /// The bytes that programs have written, that no program has taken away, and that neither a folder nor the store has.
    private func lost() async throws -> String? {
        var there = taken
        for folder in Self.folders { there.formUnion(all(folder).values) }
        let suspects = written.subtracting(there).sorted()
        guard !suspects.isEmpty else { return nil }
        let missing = try await client.absent(suspects.map { FileContent(of: bytes($0)).hash })
        for suspect in suspects where missing.hashes.contains(FileContent(of: bytes(suspect)).hash) {
            // The store keeps the texts of texts elsewhere.
            if try await !isText(suspect) { return "lost: \(suspect)" }
        }
        return nil
    }

    private func isText(_ text: String) async throws -> Bool {
        for note in try await client.listAll(Filter(kind: nil)) + client.listAll(Filter(deleted: true)) {
            for revision in try await client.history(ReadHistory(id: note.head.id)).revisions where !revision.isDeleted {
                let shown = try await client.note(.id(note.head.id), at: Version(revision.dot)).text ?? []
                if String(decoding: shown, as: UTF8.self).contains(text.dropLast()) { return true }
            }
        }
        return false
    }

    /// Brings both folders in step, and judges them.
    ///
    /// - Returns: the faults.
    mutating func judged() async throws -> [String] {
        var faults: [String] = []
        var quiet = 0
        // A file waits for a person if its note cannot have the new name, since another note has it.
        var waiting: Set<[UInt8]> = []
        for round in 0..<16 where quiet < 2 {
            guard let report = try await report(Self.folders[round % 2]) else { continue }
            quiet = report.hasChanges ? 0 : quiet + 1
            waiting.formUnion(report.waiting.keys)
            if quiet > 0, !report.waiting.isEmpty, !report.waiting.values.contains(where: { $0.reason.contains("renamed") }) {
                faults.append("waits: \(report.waiting.values.map { "\($0.path.pathForPeople): \($0.reason)" })")
            }
        }
        if quiet < 2 { faults.append("the folders do not come to rest") }
        if let lost = try await lost() { faults.append(lost) }
        let (one, two) = (all("a"), all("b"))
        let shown = [one, two].map { files in files.filter { shows($0.key) } }
        // If a file has several contents, each folder keeps its own under the name.
        if waiting.isEmpty, shown[0].values.sorted() != shown[1].values.sorted() {
            faults.append("the folders differ: \(one) and \(two)")
        }
        for name in Set(one.keys).union(two.keys) where name.contains(".notesctl") || name.contains("recovered") {
            faults.append("\(name) is left")
        }
        return faults
    }

    private func shows(_ name: String) -> Bool {
        let path = Array(name.utf8)
        return NoteFileName.isText(path) || files.omission(of: path, bytes: 0) == nil
    }
}

extension EndToEnd.MirrorTests {
    /// Random histories of pictures in two folders.
    @Test(.timeLimit(.minutes(3))) func files_areNeverLost_andFoldersAgree() async throws {
        try await DaemonProcess.run(config: "[files]\nfree_bytes_min = 1000000\n") { daemon in
            let client = try await daemon.client("world")
            for seed in newSeeds(12) {
                let root = try daemon.scratch.directory("world-\(seed)")
                var world = try FilesWorld(client, root: root, seed: seed)
                var faults: [String] = []
                for _ in 0..<25 where faults.isEmpty {
                    if let fault = try await world.step() { faults.append(fault) }
                }
                if faults.isEmpty { faults = try await world.judged() }
                #expect(faults.isEmpty, "NOTESD_SEED=\(seed): \(faults)\n\(world.log.joined(separator: "\n"))")
                for note in try await client.listAll(Filter(kind: nil)) {
                    _ = try await client.delete(note.head.id, base: note.head.version)
                }
            }
            await client.close()
        }
    }

    /// A program that replaces a file while its bytes are uploaded: the next run takes the new ones, and nothing else is saved.
    @Test func fileThatIsReplacedMeanwhile_isTakenLater() async throws {
        try await DaemonProcess.run(config: "[files]\nfree_bytes_min = 1000000\n") { daemon in
            let client = try await daemon.client("world")
            let root = try daemon.scratch.directory("notes")
            let (path, database) = ("\(root)/p.png", daemon.scratch.file("files.sqlite3"))
            try Files.write(bytes("old"), to: path)
            try Files.write([], to: database)
            let folder = try Descriptor.open(Array(root.utf8), O_RDONLY | O_DIRECTORY)
            let place = FileRecords.realPath(root)
            let records = try FileRecords(
                path: database, FileRecords.Place(directory: place, store: try await client.store()), boot: [])
            func run(_ called: @escaping @Sendable (Bool) async throws -> Void = { _ in }) async throws -> Set<String> {
                var mirror = FolderMirror(
                    WorldClient(client: client, called: called), .lists, directory: folder.number, tree: FileTree(folder),
                    place: place, files: FileChoice(kinds: .known), records: records, isApproved: true, missingTime: .zero)
                let report = try await mirror.bringInStep(MirrorReport(options: .plain, isSilent: true)).report
                return Set(report.waiting.keys.map { String(decoding: $0, as: UTF8.self) })
            }
            let isReplaced = Mutex(false)
            let waiting = try await run { _ in
                guard try await client.absent([FileContent(of: bytes("old")).hash]).hashes.isEmpty else { return }
                try isReplaced.withLock { isReplaced in
                    guard !isReplaced else { return }
                    isReplaced = true
                    try Files.write(bytes("new"), to: path + ".part")
                    #expect(Glibc.rename(path + ".part", path) == 0)
                }
            }
            #expect(isReplaced.withLock { $0 } && waiting == ["p.png"])
            #expect(try await client.listAll(Filter(kind: .file)).isEmpty)
            #expect(try await run().isEmpty)
            #expect(try await client.listAll(Filter(kind: .file)).map(\.head.file) == [FileContent(of: bytes("new"))])
            await client.close()
        }
    }
}
