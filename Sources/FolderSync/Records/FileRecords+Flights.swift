import Causality
import NoteTasks
import NoteText
import NotesModel
import NotesSQL

/// The saves in flight.
extension FileRecords {
    static func flights(_ database: Database, _ place: Int64) throws(SQLFault) -> [[UInt8]: SaveInFlight] {
        var flights: [[UInt8]: SaveInFlight] = [:]
        try database.each(
            "SELECT path, note, base, text, op, modified, time FROM flight WHERE place = ?", .integer(place)
        ) { row throws(SQLFault) in
            guard let note = NoteID(bytes: row.blob(1)), let base = Version(parsing: row.blob(2)),
                let op = ByteString(checkedUTF8: row.blob(4))
            else { throw .malformed("a save in flight") }
            flights[row.blob(0)] = SaveInFlight(
                note: note, base: base, text: row.blob(3), op: op,
                modified: row.isNull(5) ? nil : Timestamp(milliseconds: row.integer(5)), time: row.integer(6))
            return true
        }
        return flights
    }

    /// Records saves that are about to be sent, all or none.
    ///
    /// - Throws: `ExitFailure` if they cannot be recorded.
    func begin(_ saves: [[UInt8]: SaveInFlight]) throws {
        guard let database, !saves.isEmpty else { return }
        try together {
            try explained { () throws(SQLFault) in
                for (path, save) in saves {
                    try database.run(
                        "INSERT OR REPLACE INTO flight VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .integer(place), .blob(path),
                        .blob(save.note.bytes), .blob(Array(save.base.description.utf8)), .blob(save.text),
                        .blob(save.op.utf8), save.modified.map { .integer($0.milliseconds) } ?? .null, .integer(save.time))
                }
            }
        }
        flights.merge(saves) { _, new in new }
    }

    /// Forgets the save in flight of a file, which the daemon has answered.
    ///
    /// - Throws: `ExitFailure` if it cannot be removed.
    func end(_ path: [UInt8]) throws {
        guard let database, flights.removeValue(forKey: path) != nil else { return }
        try explained { () throws(SQLFault) in
            try database.run("DELETE FROM flight WHERE place = ? AND path = ?", .integer(place), .blob(path))
        }
    }
}
