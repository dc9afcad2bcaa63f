import Causality
import Console
import NoteTasks
package import NotesModel
import NotesSQL

/// The last text of a file that is gone. An editor may still hold this text and save it to the path.
struct GoneFile: Equatable {
    let note: NoteID
    /// The last version that the file showed.
    let version: Version
    /// The last text that the file showed.
    let text: LineMarks
    /// Whether a program removed or renamed the file; otherwise its note was deleted or renamed.
    let isByProgram: Bool

    /// Whether a text is the one that the file showed, or has a telling line of it.
    func isOrigin(of text: LineMarks) -> Bool {
        !text.lines.isEmpty && (text == self.text || !text.telling.isDisjoint(with: self.text.telling))
    }

    /// The texts of a new file of the path, for the programs that may have the former one open.
    ///
    /// - Parameters:
    ///   - note: the note of the new file. An editor has seen nothing of another note.
    ///   - time: milliseconds since 1970.
    func history(of note: NoteID, _ version: Version, _ text: LineMarks, at time: Int64) -> ShownTexts {
        var history = ShownTexts(note == self.note ? self.version : nil, self.text, at: time)
        history.put(version, text, at: time)
        return history
    }
}

/// The files that are gone.
extension FileRecords {
    /// How long a file that is gone counts, in milliseconds: longer than most editors are open.
    static let goneTime: Int64 = 7 * 86_400_000
    /// Most files that are gone after a run.
    static let goneMax = 10_000

    /// Forgets the record of a file, and keeps for some days what the file showed.
    ///
    /// - Parameters:
    ///   - isByProgram: as in `GoneFile`.
    ///   - time: the present time.
    /// - Throws: `ExitFailure` if that cannot be recorded.
    package func forget(_ path: [UInt8], isByProgram: Bool, at time: Timestamp) throws {
        guard let database, let record = files[path] else { return try forget(path) }
        let text = shown[path].flatMap { ShownTextsCodec.shown($0) }?.text ?? LineMarks(lines: [])
        let last = ShownTexts(record.version, text, at: time.milliseconds)
        try together {
            try explained { () throws(SQLFault) in
                try database.run(
                    "INSERT OR REPLACE INTO gone VALUES (?, ?, ?, ?, ?, ?)", .integer(place), .blob(path),
                    .blob(record.note.bytes), .blob(ShownTextsCodec.bytes(last)), .integer(isByProgram ? 1 : 0),
                    .integer(time.milliseconds))
            }
            try forget(path)
        }
        (hasGone, hasNewGone) = (true, true)
    }

    /// The last text of an earlier file at a path; nil if there was none within `goneTime`.
    ///
    /// - Parameter time: the present time.
    /// - Throws: `ExitFailure` if it cannot be read.
    func gone(_ path: [UInt8], at time: Timestamp) throws -> GoneFile? {
        guard hasGone, let database else { return nil }
        var file: GoneFile?
        try explained { () throws(SQLFault) in
            file =
                try database.first(
                    "SELECT note, shown, by_program FROM gone WHERE place = ? AND path = ? AND time >= ?", .integer(place),
                    .blob(path), .integer(time.milliseconds.minus(clamping: Self.goneTime))
                ) { row throws(SQLFault) -> GoneFile? in
                    guard let note = NoteID(bytes: row.blob(0)) else { throw .malformed("the record of a file that is gone") }
                    // An older form proves nothing.
                    guard let shown = ShownTextsCodec.shown(row.blob(1)), let version = shown.entries.last?.version else {
                        return nil
                    }
                    return GoneFile(note: note, version: version, text: shown.text, isByProgram: row.flag(2))
                } ?? nil
        }
        return file
    }

    /// Records what a file shows that had no record, and whose text is that of its note. Programs may have the
    /// former file of the path open.
    ///
    /// - Parameter time: the present time.
    /// - Throws: `ExitFailure` if the record cannot be written.
    package func recordAnew(_ path: [UInt8], _ record: FileRecord, _ history: ShownTexts?, at time: Timestamp) throws {
        guard files[path] == nil, let history, let gone = try gone(path, at: time) else {
            return try self.record(path, record, history)
        }
        try self.record(path, record, gone.history(of: record.note, record.version, history.text, at: time.milliseconds))
    }

    /// Removes the records of files that have been gone for long, and the oldest ones beyond the limit.
    ///
    /// - Parameter time: the present time.
    /// - Throws: `ExitFailure` if they cannot be removed.
    /// - Complexity: O(n log n) for n files that are gone; O(1) if none has gone since the last call.
    package func removeOldGone(at time: Timestamp) throws {
        guard let database, hasNewGone else { return }
        try explained { () throws(SQLFault) in
            try database.run(
                "DELETE FROM gone WHERE place = ? AND time < ?", .integer(place),
                .integer(time.milliseconds.minus(clamping: Self.goneTime)))
            try database.run(
                """
                DELETE FROM gone WHERE place = ?1 AND path IN
                    (SELECT path FROM gone WHERE place = ?1 ORDER BY time DESC, path LIMIT -1 OFFSET ?2)
                """, .integer(place), .number(Self.goneMax))
        }
        hasNewGone = false
    }
}
