package import Causality
import Console
import Glibc
import NoteTasks
import NoteText
import NotesModel
import NotesSQL

/// The records of the files below one directory, for one store and one prefix of names.
///
/// All of a user's records are in one SQLite database, in the state directory and never in a
/// directory of notes. A record is written after the daemon has acknowledged the write, or after the
/// file has its name. Losing a record never loses text: its file then counts as one that was never
/// imported or exported.
///
/// A power failure can take back a file that was not yet on the disk while its record survives. The
/// file would then look as if somebody had changed it. So a record names the boot during which it
/// was made until `settle()` has synchronised the file system, and a record of another boot does not
/// count.
package final class FileRecords {
    /// The records that count, by the path below the directory.
    package private(set) var files: [[UInt8]: FileRecord]
    /// The path of the last record of each note. It is the only one if there are as many notes as records.
    private(set) var paths: [NoteID: [UInt8]] = [:]
    /// Whether there was a record of a path that scans leave out (`NoteFiles.isHidden(path:)`).
    private(set) var hasHidden = false
    /// Which versions each of these files has shown, in the form of `ShownTextsCodec`.
    package private(set) var shown: [[UInt8]: [UInt8]] = [:]
    /// The stamps of files that had the texts of their records.
    var stamps: [[UInt8]: FileStamp] = [:]
    /// The saves without a recorded answer, by path.
    var flights: [[UInt8]: SaveInFlight] = [:]
    /// Nil if there is no place for the records.
    let database: Database?
    /// The row of the directory in the table `place`.
    let place: Int64
    private let boot: [UInt8]
    /// Whether there is a place for the records.
    package var isKept: Bool { database != nil }
    /// Whether `settle` has something to do.
    private(set) var isUnsettled: Bool
    /// Whether there may be records of files that are gone.
    var hasGone = false
    /// Whether there may be too many of them, or too old ones.
    var hasNewGone = false
    /// Which files are notes in the mirror of the place; nil if nobody has chosen.
    package private(set) var choice: FileChoice?
    /// The state of the mirror that this process has recorded last; see `keep`.
    var keptState: MirrorState?

    /// What the records belong to.
    package struct Place {
        /// The real path of the directory.
        var directory: [UInt8]
        let store: ReplicaID
        /// The prefix that names have and paths lack; empty for none.
        var prefix: [UInt8] = []

        package init(directory: [UInt8], store: ReplicaID, prefix: [UInt8] = []) {
            self.directory = directory
            self.store = store
            self.prefix = prefix
        }
    }

    /// Time to wait for another command that writes records, in milliseconds.
    static let busyMilliseconds: Int32 = 10_000

    /// Changes reach the disk in their order, but not at once.
    private static let usual = "PRAGMA synchronous = NORMAL"

    /// The path of the database; nil if neither `XDG_STATE_HOME` nor `HOME` is set.
    static var path: String? { StateFolder.path.map { $0 + "/files.sqlite3" } }

    /// Opens the records of the running user.
    ///
    /// - Parameter isDry: whether to create nothing.
    /// - Throws: `ExitFailure` if they are there and cannot be used. Without a state directory that
    ///   can be written, there are none, and a message says so.
    package static func open(_ place: Place, isDry: Bool = false) throws -> FileRecords {
        let boot = (try? Descriptor.open(Array("/proc/sys/kernel/random/boot_id".utf8), O_RDONLY).readAll()) ?? []
        guard StateFolder.made() != nil, let path else {
            Output.note("neither XDG_STATE_HOME nor HOME is set, so there is no record of which files were imported")
            return FileRecords(boot: boot)
        }
        if isDry, access(path, F_OK) != 0 { return FileRecords(boot: boot) }
        do throws(DatabaseFile.Fault) { try DatabaseFile.make(path) } catch {
            Output.note("\(SafeText.line(error.message)), so there is no record of which files were imported")
            return FileRecords(boot: boot)
        }
        do throws(SQLFault) {
            return try FileRecords(path: path, place, boot: boot)
        } catch {
            throw failure(error, path)
        }
    }

    /// The path of a directory without symbolic links.
    package static func realPath(_ directory: String) -> [UInt8] {
        guard let path = realpath(directory, nil) else { return Array(directory.utf8) }
        defer { free(path) }
        return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }

    /// Records that are kept nowhere.
    private init(boot: [UInt8]) {
        (files, database, place, self.boot, isUnsettled) = ([:], nil, 0, boot, false)
    }

    /// - Parameters:
    ///   - path: the database; the file exists, and is empty at first.
    ///   - boot: the id of the running boot.
    init(path: String, _ place: Place, boot: [UInt8]) throws(SQLFault) {
        let database = try Self.database(at: path)
        self.database = database
        self.boot = boot
        self.place = try database.transaction { () throws(SQLFault) in
            let store = SQLValue.number(place.store.bits)
            try database.run(
                "INSERT OR IGNORE INTO place (directory, store, prefix) VALUES (?, ?, ?)", .blob(place.directory), store,
                .blob(place.prefix))
            return try database.first(
                "SELECT id FROM place WHERE directory = ? AND store = ? AND prefix = ?", .blob(place.directory), store,
                .blob(place.prefix)
            ) { $0.integer(0) } ?? 0
        }
        var files: [[UInt8]: FileRecord] = [:]
        var shown: [[UInt8]: [UInt8]] = [:]
        var stamps: [[UInt8]: FileStamp] = [:]
        var isUnsettled = false
        try database.each(
            """
            SELECT path, note, version, bytes, digest, boot IS NULL, shown, stamp FROM file
            WHERE place = ? AND (boot IS NULL OR boot = ?)
            """,
            .integer(self.place), .blob(boot)
        ) { row throws(SQLFault) in
            guard let note = NoteID(bytes: row.blob(1)), let version = Version(parsing: row.blob(2)),
                let hash = FileHash(bytes: row.blob(4)), 0...Int64(FileContent.bytesMax) ~= row.integer(3)
            else { throw .malformed("the record of a file") }
            let content = FileContent(hash: hash, bytes: Int(row.integer(3)))
            files[row.blob(0)] = FileRecord(note: note, version: version, content: content)
            if !row.flag(5) { isUnsettled = true }
            if !row.isNull(6) { shown[row.blob(0)] = row.blob(6) }
            if !row.isNull(7) { stamps[row.blob(0)] = FileStamp(recorded: row.blob(7)) }
            return true
        }
        self.files = files
        paths = Dictionary(files.map { ($0.value.note, $0.key) }, uniquingKeysWith: { one, _ in one })
        hasHidden = files.keys.contains { NoteFiles.isHidden(path: $0) }
        (self.shown, self.stamps) = (shown, stamps)
        self.isUnsettled = isUnsettled
        choice = try Self.choice(database, self.place)
        flights = try Self.flights(database, self.place)
        hasGone = try database.first("SELECT 1 FROM gone WHERE place = ?", .integer(self.place)) { _ in true } ?? false
        hasNewGone = hasGone
    }

    /// Gives the database a write-ahead log. Two processes may do that to a new database at the same moment, and
    /// SQLite then reports a lock without waiting for it.
    private static func switchToLog(_ database: Database) throws(SQLFault) {
        let end = ContinuousClock.now + .milliseconds(Int(busyMilliseconds))
        while true {
            do throws(SQLFault) {
                return try database.run(script: "PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, .now < end else { throw error }
                usleep(10_000)
            }
        }
    }

    /// Opens the database, and creates its tables if it is empty.
    ///
    /// - Throws: a fault if the tables have another format.
    static func database(at path: String) throws(SQLFault) -> Database {
        let database = try Database(path: path, busyMilliseconds: busyMilliseconds)
        try switchToLog(database)
        try database.run(script: usual)
        try database.transaction { () throws(SQLFault) in
            if try RecordsSchema.isOlder(in: database) { try RecordsSchema.upgrade(in: database) }
            if try !RecordsSchema.isThere(in: database) { try RecordsSchema.create(in: database) }
        }
        return database
    }

    /// Records what a file shows.
    ///
    /// - Parameter history: the versions that it has shown; nil if only this one is known.
    /// - Throws: `ExitFailure` if the record cannot be written.
    package func record(_ path: [UInt8], _ record: FileRecord, _ history: ShownTexts? = nil) throws {
        let bytes = history.map { ShownTextsCodec.bytes($0) }
        guard let database, files[path] != record || shown[path] != bytes else { return }
        if let former = files[path], former.note != record.note, paths[former.note] == path { paths[former.note] = nil }
        files[path] = record
        paths[record.note] = path
        if !hasHidden { hasHidden = NoteFiles.isHidden(path: path) }
        (shown[path], stamps[path]) = (bytes, nil)
        isUnsettled = true
        try explained { () throws(SQLFault) in
            try database.run(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)", .integer(place), .blob(path),
                .blob(record.note.bytes),
                .blob(Array(record.version.description.utf8)), .number(record.bytes), .blob(record.content.hash.bytes),
                .blob(boot),
                bytes.map { .blob($0) } ?? .null)
        }
    }

    /// Changes several records at once, or none.
    ///
    /// - Parameter isDurable: whether the changes, and all earlier ones, are on the disk afterwards. Other
    ///   changes get there later, in their order.
    /// - Throws: the error of `body`, or `ExitFailure` if the records cannot be written.
    func together(isDurable: Bool = false, _ body: () throws -> Void) throws {
        guard let database else { return try body() }
        if isDurable { try explained { () throws(SQLFault) in try database.run(script: "PRAGMA synchronous = FULL") } }
        defer { if isDurable { try? database.run(script: Self.usual) } }
        try explained { () throws(SQLFault) in try database.run("BEGIN IMMEDIATE") }
        do {
            try body()
            try explained { () throws(SQLFault) in try database.run("COMMIT") }
        } catch {
            try? explained { () throws(SQLFault) in try database.run("ROLLBACK") }
            throw error
        }
    }

    /// Removes the record of a file that is gone, and what it showed.
    ///
    /// - Throws: `ExitFailure` if it cannot be removed.
    func forget(_ path: [UInt8]) throws {
        try end(path)
        (shown[path], stamps[path]) = (nil, nil)
        guard let database, let record = files.removeValue(forKey: path) else { return }
        if paths[record.note] == path { paths[record.note] = nil }
        try explained { () throws(SQLFault) in
            try database.run("DELETE FROM file WHERE place = ? AND path = ?", .integer(place), .blob(path))
        }
    }

    /// Puts the files and their new records on the disk, so that the records outlast this boot.
    ///
    /// - Parameter directory: an open descriptor of the directory.
    /// - Throws: `ExitFailure` if that fails.
    package func settle(_ directory: Int32) throws {
        guard let database, isUnsettled else { return }
        let number = FileSystemSync.run(directory)
        guard number == 0 else { throw ExitFailure("cannot write the files to the disk: \(SystemError.text(number))") }
        try together(isDurable: true) {
            try explained { () throws(SQLFault) in
                try database.run("UPDATE file SET boot = NULL WHERE place = ? AND boot = ?", .integer(place), .blob(boot))
            }
        }
        isUnsettled = false
    }

    /// Whether the place was mirrored before.
    package func isMirrored() throws -> Bool { try mirrorState() != nil }

    /// Records which files are notes in the mirror of the place.
    ///
    /// - Throws: `ExitFailure` if that cannot be recorded.
    package func choose(_ choice: FileChoice) throws {
        guard let database, self.choice != choice else { return }
        try explained { () throws(SQLFault) in
            try database.run(
                "UPDATE place SET files = ?, files_bytes_max = ? WHERE id = ?", .blob(Array(choice.kinds.rawValue.utf8)),
                .number(choice.bytesMax), .integer(place))
        }
        self.choice = choice
    }

    static func choice(_ database: Database, _ place: Int64) throws(SQLFault) -> FileChoice? {
        try database.first("SELECT files, files_bytes_max FROM place WHERE id = ?", .integer(place)) { row throws(SQLFault) in
            guard !row.isNull(0) else { return nil }
            guard let kinds = FileChoice.Kinds(rawValue: String(decoding: row.blob(0), as: UTF8.self)) else {
                throw .malformed("the choice of files")
            }
            return FileChoice(kinds: kinds, bytesMax: Int(row.integer(1)))
        } ?? nil
    }

    func explained(_ body: () throws(SQLFault) -> Void) throws {
        do throws(SQLFault) { try body() } catch { throw Self.failure(error, "of files") }
    }

    static func failure(_ fault: SQLFault, _ name: String) -> ExitFailure {
        ExitFailure(
            "cannot use the record \(SafeText.line(name)): \(SafeText.line(fault.message)); without this file, each note file "
                + "counts as never imported")
    }
}
