package import Causality
import Console
import Glibc
import NoteText
package import NotesModel
import NotesWire
import StrictJSON
import Synchronization

/// A log of the user's write commands: one line per write, with the command and the revision it
/// made. The texts are only in the daemon's store.
///
/// Several processes may append at once; each appends a line under the file's lock. The log only
/// helps `op` find past commands: if it cannot be written, the write still succeeds.
package final class OperationLog: Sendable {
    private let path: [UInt8]
    /// The id of the running command: its start time and process id in base 36.
    package let operation: String
    /// The name of the running command.
    let command: String
    /// The writes that this command undoes; nil for any other command.
    let target: UndoTarget?
    private let time: Timestamp
    private let file = Mutex<Int32?>(nil)

    /// Size of the file above which it becomes the older file, and a new one is begun.
    static let bytesMax = 2 * 1_024 * 1_024

    /// Returns nil if neither `XDG_STATE_HOME` nor `HOME` is set.
    package init?(command: String, undoing target: UndoTarget? = nil) {
        guard let path = Self.path else { return nil }
        self.path = Array(path.utf8)
        self.command = command
        self.target = target
        time = Clock.now()
        let number = UInt64(truncatingIfNeeded: time.milliseconds) << 22 | UInt64(UInt32(bitPattern: getpid())) & 0x3F_FFFF
        operation = String(number, radix: 36)
    }

    deinit {
        file.withLock { if let number = $0 { close(number) } }
    }

    /// The log's path; nil if neither `XDG_STATE_HOME` nor `HOME` is set.
    static var path: String? { StateFolder.path.map { $0 + "/operations" } }

    /// Appends a line for one write. Errors are ignored.
    func record(_ note: NoteID, _ dot: Dot, store: ReplicaID) {
        var writer = JSONWriter()
        writer.object { line in
            line.member("op", operation)
            line.member("time", TimestampText.text(time))
            line.member("command", command)
            switch target {
            case .operation(let id): line.member("undoes", id)
            case .author(let name): line.member("author", name)
            case nil: break
            }
            line.member("store", store.description)
            line.member("note", note.description)
            line.member("dot", dot.description)
        }
        writer.endLine()
        let line = writer.bytes
        file.withLock { held in
            if held == nil { held = opened() }
            guard let number = held, flock(number, LOCK_EX) == 0 else { return }
            _ = Output.writeAll(line, to: number)
            flock(number, LOCK_UN)
        }
    }

    /// Opens the file. A file that is too large first becomes the older one, and replaces the one
    /// before. A command holds its file open, so all its lines are in one file.
    private func opened() -> Int32? {
        StateFolder.made()
        guard let number = Self.open(path) else { return nil }
        guard lseek(number, 0, SEEK_END) > Self.bytesMax, flock(number, LOCK_EX) == 0 else { return number }
        // Another process may have renamed the file between `open` and `flock`. Its new file must not
        // replace the older one.
        if Self.isFile(number, at: path) {
            _ = path.withCPath { from in Self.older(path).withCPath { to in rename(from, to) } }
        }
        close(number)
        return Self.open(path)
    }

    private static func open(_ path: [UInt8]) -> Int32? {
        let number = path.withCPath { Glibc.open($0, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        return number >= 0 ? number : nil
    }

    /// Whether the path still names the open file.
    private static func isFile(_ number: Int32, at path: [UInt8]) -> Bool {
        var (held, named) = (stat(), stat())
        guard fstat(number, &held) == 0, path.withCPath({ lstat($0, &named) }) == 0 else { return false }
        return held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    /// The path of the older file.
    static func older(_ path: [UInt8]) -> [UInt8] { path + Array(".old".utf8) }

    private static func read(_ path: [UInt8]) -> [UInt8]? {
        do { return try Descriptor.open(path, O_RDONLY).readAll() } catch { return nil }
    }

    /// The log of a part of this process that is a command of its own; nil for none.
    @TaskLocal package static var part: OperationLog?

    /// The log of the running command while it undoes something: one operation for all its writes.
    static func undoing(_ target: UndoTarget) -> OperationLog? {
        undoingLog.withLock { held in
            if held?.target != target { held = OperationLog(command: "op undo", undoing: target) }
            return held
        }
    }

    private static let undoingLog = Mutex<OperationLog?>(nil)

    // MARK: Reading

    /// The operations that were undone completely, and those undone in part, as far as this log
    /// shows. Only the notes' histories show what `undo` or another machine has undone.
    ///
    /// An undo of an operation undoes all its changes to a note at once, so the notes decide.
    package static func undone(_ entries: [Entry]) -> (wholly: Set<String>, partly: Set<String>) {
        var notes: [String: Set<NoteID>] = [:]
        for entry in entries {
            if let undoes = entry.undoes { notes[undoes, default: []].formUnion(entry.changes.map(\.note)) }
        }
        var undone: (wholly: Set<String>, partly: Set<String>) = ([], [])
        for entry in entries {
            guard let done = notes[entry.operation] else { continue }
            if done.isSuperset(of: entry.changes.map(\.note)) {
                undone.wholly.insert(entry.operation)
            } else {
                undone.partly.insert(entry.operation)
            }
        }
        return undone
    }

    /// The uses of `op undo` that `op redo` can take back, newest first: those that did not take back an
    /// `op undo` themselves, and that are not undone.
    package static func redoable(_ entries: [Entry]) -> [Entry] {
        let undone = undone(entries).wholly
        let undos = entries.filter { $0.command == "op undo" }
        let ids = Set(undos.map(\.operation))
        return undos.filter { entry in
            !undone.contains(entry.operation) && !(entry.undoes.map(ids.contains) ?? false)
        }
    }

    /// The writes of one command.
    package struct Entry: Hashable {
        package let operation: String
        package let time: Timestamp
        package let command: String
        package let undoes: String?
        /// The author whose writes the command undid; nil for any other command.
        package let author: String?
        package var changes: [Change]

        /// The notes that the command wrote, each once, in the order of their first change.
        package var notes: [NoteID] {
            var seen: Set<NoteID> = []
            return changes.map(\.note).filter { seen.insert($0).inserted }
        }

        package struct Change: Hashable {
            package let note: NoteID
            package let dot: Dot
        }
    }

    /// The commands that wrote to this store, newest first. Unreadable lines are skipped.
    package static func entries(store: ReplicaID) -> [Entry] {
        guard let path = path.map({ Array($0.utf8) }) else { return [] }
        return entries(in: (read(older(path)) ?? []) + (read(path) ?? []), store: store)
    }

    static func entries(in bytes: [UInt8], store: ReplicaID) -> [Entry] {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let (entry, of) = entry(Array(line)), of == store.description else { continue }
            if entries[entry.operation] != nil {
                entries[entry.operation]?.changes += entry.changes
            } else {
                entries[entry.operation] = entry
                order.append(entry.operation)
            }
        }
        return order.reversed().compactMap { entries[$0] }
    }

    private static func entry(_ line: [UInt8]) -> (entry: Entry, store: String)? {
        guard let object = try? JSONDocument(parsing: line, depthMax: 4).root,
            let operation = object["op"]?.string?.description,
            let time = object["time"]?.string.flatMap({ TimestampText.timestamp(parsing: $0) }),
            let command = object["command"]?.string?.description, let store = object["store"]?.string?.description,
            let note = object["note"]?.string.flatMap({ NoteID(parsing: $0.utf8) }),
            let dot = object["dot"]?.string.flatMap({ Dot(parsing: $0.utf8) })
        else { return nil }
        let entry = Entry(
            operation: operation, time: time, command: command, undoes: object["undoes"]?.string?.description,
            author: object["author"]?.string?.description, changes: [Entry.Change(note: note, dot: dot)])
        return (entry, store)
    }
}

/// The writes that an `op undo` undoes.
package enum UndoTarget: Hashable {
    /// Those of the command with this id.
    case operation(String)
    /// Those of the authors that this name means.
    case author(String)
}
