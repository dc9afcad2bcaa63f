package import Causality
import Console
import Glibc
import NoteTasks
package import NotesModel
import NotesSQL

/// The records of all folders that the running user has mirrored.
package struct MirrorRecords {
    /// A mirrored folder.
    package struct Folder {
        /// The row of the folder in the table `place`.
        let place: Int64
        /// The real path.
        package let path: [UInt8]
        /// The part of the names that the paths leave out.
        var prefix = NamePrefix.none
        /// The number of recorded files.
        let files: Int
        /// Which files besides the texts are notes; nil if nobody has chosen.
        var choice: FileChoice?
        package let state: MirrorState
        /// Newest first.
        var taken: [Taken] = []
    }

    /// A save of a file that took out lines which the notes or another program had brought.
    struct Taken: Hashable {
        /// Path below the folder.
        let path: [UInt8]
        let time: Timestamp
        let lines: TakenLines
    }

    let database: Database

    /// - Parameter path: the database, which exists.
    init(path: String, isReadOnly: Bool) throws(SQLFault) {
        guard isReadOnly else {
            database = try FileRecords.database(at: path)
            return
        }
        let database = try Database(path: path, isReadOnly: true, busyMilliseconds: FileRecords.busyMilliseconds)
        if try RecordsSchema.isOlder(in: database) { _ = try FileRecords.database(at: path) }
        self.database = database
    }

    /// Opens the records.
    ///
    /// - Returns: nil if there are none.
    /// - Throws: `ExitFailure` if they cannot be used.
    package static func open(isReadOnly: Bool) throws -> MirrorRecords? {
        guard let path = FileRecords.path, access(path, F_OK) == 0 else { return nil }
        do throws(SQLFault) {
            return try MirrorRecords(path: path, isReadOnly: isReadOnly)
        } catch {
            throw FileRecords.failure(error, path)
        }
    }

    /// The real path of a folder, which need not exist.
    package static func path(of directory: String) -> [UInt8] {
        let path = FileRecords.realPath(directory)
        // The folder may be missing, for example because its disk is not mounted.
        guard path.elementsEqual(directory.utf8), let name = directory.split(separator: "/").last else { return path }
        let above = SystemFacts.folder(of: directory)
        let parent = FileRecords.realPath(above.isEmpty ? "." : above)
        return (parent == [UInt8(ascii: "/")] ? [] : parent) + [UInt8(ascii: "/")] + Array(name.utf8)
    }

    /// Whether a mirror is running on the folder.
    package static func isRunning(_ path: [UInt8]) -> Bool {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY) else { return false }
        return folder.isLocked
    }

    /// Checks that no folder above is mirrored. A mirror in a mirrored folder would make notes of its
    /// files, and files of these notes, without end.
    package static func checkFoldersAbove(_ place: [UInt8]) throws {
        var path = place
        while let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
            path.removeSubrange(slash...)
            guard isRunning(path) else { continue }
            throw ExitFailure(
                "\(place.pathForPeople) is in \(path.pathForPeople), which another mirror keeps in step; take another folder",
                .notNow)
        }
        // The mirror of a folder above may run later. It leaves out the folders that were mirrored before it.
        let folders = try open(isReadOnly: true)?.folders() ?? []
        guard !folders.contains(where: { $0.path == place }),
            let above = folders.first(where: { place.starts(with: $0.path + [UInt8(ascii: "/")]) })
        else { return }
        let text = above.path.pathForPeople
        throw ExitFailure(
            "\(place.pathForPeople) is in the mirrored folder \(text); take another folder, or end that mirror with "
                + "`notesctl mirror forget \(Shell.quoted(text))`", .usage)
    }

    /// All mirrored folders, sorted by path. If a folder was mirrored with several stores, only the last
    /// of these mirrors counts.
    ///
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func folders() throws -> [Folder] {
        var folders: [[UInt8]: Folder] = [:]
        try explained { () throws(SQLFault) in
            guard try RecordsSchema.isThere(in: database) else { return }
            var found: [Folder] = []
            try database.each(
                """
                SELECT looked, in_step, notes, conflicts, failure, place.id, directory, place.prefix,
                    (SELECT COUNT(*) FROM file WHERE file.place = place.id)
                FROM mirror JOIN place ON place.id = mirror.place ORDER BY looked
                """
            ) { row throws(SQLFault) in
                found.append(
                    Folder(
                        place: row.integer(5), path: row.blob(6), prefix: NamePrefix(bytes: row.blob(7)),
                        files: Int(row.integer(8)), state: MirrorState(row)))
                return true
            }
            for folder in found {
                var state = folder.state
                state.waiting = try Self.waiting(database, folder.place)
                folders[folder.path] = Folder(
                    place: folder.place, path: folder.path, prefix: folder.prefix, files: folder.files,
                    choice: try FileRecords.choice(database, folder.place), state: state,
                    taken: try FileRecords.taken(database, folder.place, at: Clock.now()))
            }
        }
        return folders.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    /// The prefix with which a folder was mirrored last, and the choice of files; nil if it never was.
    ///
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func choices(of path: [UInt8], _ store: ReplicaID) throws -> (prefix: NamePrefix, files: FileChoice?)? {
        var choices: (NamePrefix, FileChoice?)?
        try explained { () throws(SQLFault) in
            guard try RecordsSchema.isThere(in: database) else { return }
            let place = try database.first(
                """
                SELECT place, place.prefix FROM mirror JOIN place ON place.id = place WHERE directory = ? AND store = ?
                ORDER BY looked DESC
                """, .blob(path), .number(store.bits)
            ) { ($0.integer(0), NamePrefix(bytes: $0.blob(1))) }
            if let place { choices = (place.1, try FileRecords.choice(database, place.0)) }
        }
        return choices
    }

    /// The mirrored folders below another one, by their paths relative to it. The value is true if the mirror
    /// there is of the same store and writes the same notes to the same files.
    ///
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func folders(below place: FileRecords.Place) throws -> [[UInt8]: Bool] {
        let start = place.directory + [UInt8(ascii: "/")]
        var found: [[UInt8]: Bool] = [:]
        try explained { () throws(SQLFault) in
            guard try RecordsSchema.isThere(in: database) else { return }
            try database.each(
                "SELECT directory, store, place.prefix FROM mirror JOIN place ON place.id = mirror.place"
            ) { row throws(SQLFault) in
                guard row.blob(0).starts(with: start) else { return true }
                let path = Array(row.blob(0).dropFirst(start.count))
                let isOurs = row.number(1) == place.store.bits && row.blob(2) == place.prefix + path + [UInt8(ascii: "/")]
                found[path] = isOurs || found[path] ?? false
                return true
            }
        }
        return found
    }

    /// Approves removals of a folder: those that still wait as the caller has read them.
    ///
    /// - Parameter time: the time of the approval.
    /// - Returns: the approved removals.
    /// - Throws: `ExitFailure` if they cannot be recorded.
    package func approve(_ held: HeldRemovals, of folder: Folder, at time: Timestamp) throws -> [MirrorState.Waiting] {
        var approved: [MirrorState.Waiting] = []
        try explained { () throws(SQLFault) in
            try database.transaction { () throws(SQLFault) in
                let now = Set(try Self.waiting(database, folder.place).map(\.unapproved))
                for waiting in held.removals where now.contains(waiting.unapproved) {
                    try database.run(
                        "UPDATE waiting SET approved = ? WHERE place = ? AND path = ?", .integer(time.milliseconds),
                        .integer(folder.place), .blob(waiting.path))
                    approved.append(waiting)
                }
            }
        }
        return approved
    }

    /// Removes all records of a folder, for all stores.
    ///
    /// - Returns: the number of recorded files; nil if the folder has no record.
    /// - Throws: `ExitFailure` if they cannot be removed.
    package func forget(_ path: [UInt8]) throws -> Int? {
        var count: Int?
        try explained { () throws(SQLFault) in
            count = try database.transaction { () throws(SQLFault) in
                var places: [Int64] = []
                try database.each(
                    """
                    SELECT id FROM place
                    WHERE directory = ? AND (length(prefix) = 0 OR id IN (SELECT place FROM mirror))
                    """, .blob(path)
                ) { row throws(SQLFault) in
                    places.append(row.integer(0))
                    return true
                }
                var files = 0
                for place in places {
                    files +=
                        try database.first("SELECT COUNT(*) FROM file WHERE place = ?", .integer(place)) {
                            Int($0.integer(0))
                        } ?? 0
                    for table in ["waiting", "mirror", "flight", "gone", "taken", "file"] {
                        try database.run("DELETE FROM \(table) WHERE place = ?", .integer(place))
                    }
                    try database.run("DELETE FROM place WHERE id = ?", .integer(place))
                }
                return places.isEmpty ? nil : files
            }
        }
        return count
    }

    func explained(_ body: () throws(SQLFault) -> Void) throws {
        do throws(SQLFault) { try body() } catch { throw FileRecords.failure(error, "of files") }
    }

    /// The recorded state of the mirror of a place; nil if there is none.
    static func state(_ database: Database, _ place: Int64) throws(SQLFault) -> MirrorState? {
        var state = try database.first(
            "SELECT looked, in_step, notes, conflicts, failure FROM mirror WHERE place = ?", .integer(place)
        ) { MirrorState($0) }
        state?.waiting = try waiting(database, place)
        return state
    }

    /// The files and notes of a place that wait, sorted by path.
    static func waiting(_ database: Database, _ place: Int64) throws(SQLFault) -> [MirrorState.Waiting] {
        var found: [MirrorState.Waiting] = []
        try database.each(
            "SELECT path, kind, reason, note, version, approved FROM waiting WHERE place = ? ORDER BY path", .integer(place)
        ) { row throws(SQLFault) in
            guard let kind = MirrorState.Waiting.Kind(rawValue: String(decoding: row.blob(1), as: UTF8.self)) else {
                throw .malformed("the state of a mirror")
            }
            var removal: MirrorState.Removal?
            if !row.isNull(3) {
                guard let note = NoteID(bytes: row.blob(3)), let version = Version(parsing: row.blob(4)) else {
                    throw .malformed("the state of a mirror")
                }
                removal = MirrorState.Removal(note: note, version: version)
            }
            found.append(
                MirrorState.Waiting(
                    path: row.blob(0), kind: kind, reason: String(decoding: row.blob(2), as: UTF8.self), removal: removal,
                    approved: row.isNull(5) ? nil : Timestamp(milliseconds: row.integer(5))))
            return true
        }
        return found
    }
}

extension MirrorState {
    /// - Parameter row: the columns `looked`, `in_step`, `notes`, `conflicts` and `failure`.
    fileprivate init(_ row: SQLRow) {
        self.init(
            looked: Timestamp(milliseconds: row.integer(0)),
            inStep: row.isNull(1) ? nil : Timestamp(milliseconds: row.integer(1)), notes: Int(row.integer(2)),
            conflicts: Int(row.integer(3)), failure: row.optionalBlob(4).map { String(decoding: $0, as: UTF8.self) }, waiting: [])
    }
}

/// The folder that wakes running mirrors. A mirror watches it, and looks again if its times change.
package enum MirrorBell {
    /// The path, created if necessary; nil if there is no state directory.
    static func made() -> [UInt8]? {
        guard let folder = StateFolder.made() else { return nil }
        let path = Array("\(folder)/mirrors".utf8)
        _ = path.withCPath { mkdir($0, 0o700) }
        return path
    }

    package static func ring() {
        guard let path = made() else { return }
        _ = path.withCPath { utimensat(AT_FDCWD, $0, nil, 0) }
    }
}
