import Console
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import FolderSync
@testable import NoteTasks

/// A real folder and a real daemon, in which programs, clients and the mirror take one step at a time.
///
/// It knows each line that anyone has written, and which lines their readers have removed. Lines are
/// unique, so the judgement needs no diff.
actor MirrorWorld {
    /// The error of a call at which the mirror is killed.
    struct Killed: Error {}

    /// An editor that has loaded a file and does not look at it again.
    private struct Editor {
        let path: String
        var lines: [String]
        /// The number of writes of other programs to the file when it was loaded.
        let writes: Int
    }

    let root: String
    private let daemon: DaemonProcess
    private(set) var api: NotesClient
    private let folder: Descriptor
    private var mirror: FolderMirror?
    /// The notes as a watch reports them to the mirror before each run; nil if it lists them.
    private var notes: MirroredNotes?
    private var editors: [Int: Editor] = [:]
    private var open: (path: String, handle: FileHandle, rest: String, lines: [String])?

    private(set) var written: Set<String> = []
    /// The lines that somebody removed who had seen them, or that programs took from each other.
    var removed: Set<String> = []
    private var byProgram: Set<String> = []
    /// Lines that an editor saved under a path whose file had another one by then, so that two files have them.
    private var copied: Set<String> = []
    private var writes: [String: Int] = [:]
    /// The lines that a save took out of a file, until the mirror has looked at it.
    private var takenOut: [String: Set<String>] = [:]
    private var isRunning = false
    private var pending: [Int: MirrorStep] = [:]
    private var kill: (call: Int, isBefore: Bool)?
    private var isKilled = false
    private var calls = 0
    private let seed: UInt64

    init(daemon: DaemonProcess, root: String, seed: UInt64) async throws {
        (self.daemon, self.root, self.seed) = (daemon, root, seed)
        api = try await daemon.client("world")
        for folder in ["notes/d", "outside", "away"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        folder = try Descriptor.open(Array("\(root)/notes".utf8), O_RDONLY | O_DIRECTORY)
        try Files.write(bytes("outside\n"), to: "\(root)/outside/o.md")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/notes/link.md", withDestinationPath: "../outside/o.md")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/notes/links", withDestinationPath: "../outside")
    }

    // MARK: The folder

    func path(_ name: String) -> String { "\(root)/notes/\(name)" }

    static func name(_ number: Int) -> String {
        let number = number % MirrorStep.names
        return number < 5 ? "n\(number)" : "d/n\(number)"
    }

    func files() -> [String] {
        let entries = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/notes")) ?? []
        return entries.filter { $0.hasSuffix(".md") && !$0.contains("/.") && !$0.hasPrefix(".") && !$0.hasPrefix("link") }
            .sorted()
    }

    func lines(_ file: String) -> [String] {
        String(decoding: (try? Files.read(path(file))) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func file(_ number: Int) -> String? {
        let files = files()
        return files.isEmpty ? nil : files[number % files.count]
    }

    func line(byProgram isProgram: Bool) -> String {
        let line = "line \(written.count) of seed \(seed) by \(isProgram ? "a program" : "a client")"
        written.insert(line)
        if isProgram { byProgram.insert(line) }
        return line
    }

    /// A program writes a text into a file. It knows the lines that it has loaded.
    private func put(
        _ lines: [String], to file: String, knowing loaded: [String], writes known: Int?, _ way: MirrorStep.Way
    ) throws {
        let gone = Set(self.lines(file)).subtracting(lines)
        takenOut[file, default: []].formUnion(gone)
        let isForeign = known.map { $0 != writes[file, default: 0] } ?? false
        removed.formUnion(gone.filter { isForeign || byProgram.contains($0) || loaded.contains($0) })
        removed.formUnion(Set(loaded).subtracting(lines))
        // A program that replaces a file takes away what another one is writing.
        if let open, open.path == file { removed.formUnion(open.lines) }
        writes[file, default: 0] += 1
        copied.formUnion(files().filter { $0 != file }.flatMap { self.lines($0) }.filter { lines.contains($0) })
        let text = lines.map { $0 + "\n" }.joined()
        let (path, new) = (path(file), path(file + "~new"))
        switch way {
        case .inPlace:
            let handle = try #require(FileHandle(forWritingAtPath: path) ?? made(path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        case .byRename, .byExchange:
            try Files.write(bytes(text), to: new)
            if way == .byExchange, Renaming.exchange(Array(path.utf8), Array(new.utf8), in: AT_FDCWD) == 0 {
                unlink(new)
            } else {
                #expect(rename(new, path) == 0)
            }
        }
    }

    private func made(_ path: String) -> FileHandle? {
        FileManager.default.createFile(atPath: path, contents: nil) ? FileHandle(forWritingAtPath: path) : nil
    }

    private func move(_ file: String, to other: String) {
        let isThere = files().contains(other)
        if isThere { removed.formUnion(Set(lines(other)).subtracting(lines(file))) }
        #expect(rename(path(file), path(other)) == 0)
        if open?.path == file { open?.path = other }
        count([file, other])
    }

    /// Programs have moved or removed files. If another one has saved a stale text over such a file since the mirror
    /// looked, nothing tells the mirror of the lines that were in it. If the mirror runs, it may read a file
    /// under both names.
    private func count(_ files: [String]) {
        for file in files {
            writes[file, default: 0] += 1
            removed.formUnion(takenOut[file] ?? [])
            if isRunning { copied.formUnion(lines(file)) }
        }
    }

    // MARK: Steps

    func perform(_ step: MirrorStep) async throws {
        switch step {
        case .make, .change, .load, .save, .begin, .finish, .remove, .rename, .replace, .exchange, .rotate:
            // The mirror may have removed the folder with its last file.
            try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: true)
            try performInFolder(step)
        case .create, .insert, .delete, .renameNote, .removeNote: try await performInDaemon(step)
        case .run(let between, let killedAt, let isBefore):
            try await run(between, killedAt.map { ($0, isBefore) })
        case .restartMirror: mirror = nil
        case .restartDaemon:
            try await daemon.restart(after: SIGKILL)
            await api.close()
            api = try await daemon.client("world")
            mirror = nil
        case .unmounted: try await unmount()
        }
    }

    private func performInFolder(_ step: MirrorStep) throws {
        switch step {
        case .make(let number, let count):
            let name = Self.name(number) + ".md"
            guard !files().contains(name) else { return }
            try put((0..<count).map { _ in line(byProgram: true) }, to: name, knowing: [], writes: nil, .inPlace)
        case .change(let number, let place, let way):
            guard let file = file(number), open == nil || way != .inPlace else { return }
            var lines = lines(file)
            let known = lines
            lines.insert(line(byProgram: true), at: place % (lines.count + 1))
            try put(lines, to: file, knowing: known, writes: nil, way)
        case .load(let editor, let number):
            guard let file = file(number), open?.path != file else { return }
            editors[editor] = Editor(path: file, lines: lines(file), writes: writes[file, default: 0])
        case .save(let number, let place, let isDeletion, let way):
            guard let editor = editors[number], open == nil else { return }
            var lines = editor.lines
            if isDeletion, lines.count > 1 {
                lines.remove(at: place % lines.count)
            } else {
                lines.insert(line(byProgram: true), at: place % (lines.count + 1))
            }
            try put(lines, to: editor.path, knowing: editor.lines, writes: editor.writes, way)
            editors[number] = Editor(path: editor.path, lines: lines, writes: writes[editor.path, default: 0])
        case .begin(let number):
            guard open == nil, let file = file(number) else { return }
            let known = lines(file)
            let lines = [line(byProgram: true)] + known
            let text = lines.map { $0 + "\n" }.joined()
            let handle = try #require(FileHandle(forWritingAtPath: path(file)))
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)  // A daemon that starts must not keep it open.
            try handle.truncate(atOffset: 0)
            let half = text.index(text.startIndex, offsetBy: text.count / 2)
            try handle.write(contentsOf: Data(text[..<half].utf8))
            open = (file, handle, String(text[half...]), lines)
            writes[file, default: 0] += 1
        case .finish:
            try open?.handle.write(contentsOf: Data(open?.rest.utf8 ?? "".utf8))
            try open?.handle.close()
            open = nil
        case .remove(let number):
            guard let file = file(number), open?.path != file else { return }
            removed.formUnion(lines(file))
            unlink(path(file))
            count([file])
        case .rename(let number, let name):
            let name = Self.name(name) + ".md"
            guard let file = file(number), !files().contains(name) else { return }
            move(file, to: name)
        case .replace(let number, let other):
            guard let file = file(number), let other = self.file(other), file != other, open == nil else { return }
            move(file, to: other)
        case .exchange(let number, let other):
            guard let file = file(number), let other = self.file(other), file != other, open == nil else { return }
            #expect(Renaming.exchange(Array(path(file).utf8), Array(path(other).utf8), in: AT_FDCWD) == 0)
            count([file, other])
        case .rotate(let number, let count):
            let files = files()
            guard files.count > 1, open == nil else { return }
            let ring = (0..<min(count, files.count)).map { files[(number + $0) % files.count] }
            #expect(rename(path(ring[ring.count - 1]), path("d/ring")) == 0)
            for place in ring.indices.dropFirst().reversed() {
                #expect(rename(path(ring[place - 1]), path(ring[place])) == 0)
            }
            #expect(rename(path("d/ring"), path(ring[0])) == 0)
            self.count(ring)
        default: break
        }
    }

    // MARK: The mirror

    func called(isBefore: Bool) async throws {
        if isBefore {
            if let step = pending.removeValue(forKey: calls) { try await perform(step) }
            if let kill, kill.call == calls, kill.isBefore { isKilled = true }
            if isKilled { throw Killed() }
        } else {
            if let kill, kill.call == calls, !kill.isBefore { isKilled = true }
            if isKilled { throw Killed() }
            calls += 1
        }
    }

    /// Runs the mirror once.
    ///
    /// - Returns: its report; nil if it was killed.
    @discardableResult
    func run(
        _ between: [Int: MirrorStep] = [:], _ kill: (Int, Bool)? = nil, isApproved: Bool = false, isListing: Bool = false
    ) async throws -> MirrorReport? {
        (pending, calls, isKilled, isRunning) = (between, 0, false, true)
        let seen = takenOut
        defer { isRunning = false }
        self.kill = kill.map { (call: $0.0, isBefore: $0.1) }
        var mirror: FolderMirror
        if !isApproved, !isListing, let last = self.mirror {
            mirror = last
        } else {
            mirror = try await made(isApproved: isApproved, isListing: isApproved || isListing || seed % 2 == 0)
        }
        let report = MirrorReport(options: .plain, isSilent: true)
        if let notes { notes.follow(try await api.listAll()) }
        do {
            let result = try await BoundedTaskGroup.$max.withValue(1) { try await mirror.bringInStep(report) }
            for (file, lines) in seen { takenOut[file]?.subtract(lines) }
            self.mirror = isApproved || isListing ? nil : mirror
            return result.report
        } catch {
            self.mirror = nil
            guard isKilled else { throw error }
            return nil
        }
    }

    private func made(isApproved: Bool, isListing: Bool) async throws -> FolderMirror {
        let database = "\(root)/files.sqlite3"
        if access(database, F_OK) != 0 { try Files.write([], to: database) }
        let place = FileRecords.realPath("\(root)/notes")
        let records = try FileRecords(
            path: database, FileRecords.Place(directory: place, store: try await api.store()), boot: [])
        // Half of the worlds have a mirror that looks at what has changed.
        notes = isListing ? nil : MirroredNotes()
        return FolderMirror(
            WorldClient(client: api) { try await self.called(isBefore: $0) }, notes.map { .watch($0) } ?? .lists,
            directory: folder.number,
            tree: FileTree(folder), place: place, records: records, isApproved: isApproved,
            missingTime: .zero, stampAge: FileStamp.tick,
            folder: try notes.map { _ in try FolderWatch(changed: {}) })
    }

    private func unmount() async throws {
        guard open == nil, !files().isEmpty else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/notes").filter { !$0.hasPrefix("link") }
        for name in names { #expect(rename(path(name), "\(root)/away/\(name)") == 0) }
        let before = try await api.listAll().count
        for _ in 0..<2 { try await run() }
        #expect(try await api.listAll().count == before, "seed \(seed): an empty folder deletes nothing")
        // The mirror may have written notes that clients have changed meanwhile. The files that come back replace
        // these.
        let away = Set(try FileManager.default.subpathsOfDirectory(atPath: "\(root)/away"))
        for file in files() where away.contains(file) { removed.formUnion(lines(file)) }
        for name in names where rename("\(root)/away/\(name)", path(name)) != 0 {
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(root)/away/\(name)") {
                #expect(rename("\(root)/away/\(name)/\(file)", path("\(name)/\(file)")) == 0)
            }
            rmdir("\(root)/away/\(name)")
        }
    }

    // MARK: The end

    /// Brings both in step, and judges.
    ///
    /// - Returns: the faults.
    func judged() async throws -> [String] {
        try performInFolder(.finish)
        var faults: [String] = []
        // Whatever a mirror that looks at changes leaves in step, a scan finds in step.
        for _ in 0..<Self.quietRuns where seed % 2 == 1 {
            guard let report = try await run(), !report.hasChanges, report.waiting.isEmpty else { continue }
            if let scan = try await run(isListing: true), scan.hasChanges {
                faults.append("a scan found what a watch had missed: \(scan.summary(notes: 0, conflicts: 0))")
            }
            break
        }
        var waiting: [String] = []
        for round in 0..<Self.quietRuns {
            let report = try await run(isApproved: round > 0)
            waiting = report?.waiting.values.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.reason)" } ?? []
            if round > 1, report?.hasChanges == false, waiting.isEmpty { break }
        }
        // A name that a file and another note took at the same time waits for a person.
        faults += waiting.filter { !$0.contains("already has this name") }.map { "waits: \($0)" }
        var (all, expected): (Set<String>, [String: [String]]) = ([], [:])
        for file in ExportPlan.aliasing(try await api.listAll().map(\.head)).taken {
            let text = try await api.note(.id(file.head.id)).text ?? []
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
            let path = String(decoding: file.path, as: UTF8.self)
            expected[path] = lines
            all.formUnion(lines)
            let unique = lines.filter { !copied.contains($0) }
            if Set(unique).count < unique.count { faults.append("doubled in \(path): \(lines)") }
        }
        let found = Dictionary(uniqueKeysWithValues: files().map { ($0, lines($0)) })
        if waiting.isEmpty, found != expected { faults.append("not in step: files \(found), notes \(expected)") }
        let lost = written.subtracting(removed).subtracting(all).subtracting(found.values.joined())
        if !lost.isEmpty { faults.append("lost: \(lost.sorted())") }
        let outside = try FileManager.default.contentsOfDirectory(atPath: "\(root)/outside")
        if outside != ["o.md"] || (try? Files.read("\(root)/outside/o.md")) != bytes("outside\n") {
            faults.append("changed outside")
        }
        return faults
    }

    private static let quietRuns = 12

    /// Deletes all notes.
    func clear() async throws {
        mirror = nil
        for note in try await api.listAll() { _ = try await api.delete(note.head.id, base: note.head.version) }
        await api.close()
    }
}
